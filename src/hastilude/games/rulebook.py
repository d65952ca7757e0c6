"""Reads a game's RULES.md and RULES.ja.md, whole, by chapter or by clause.

A rulebook has a title and chapters, `## The game`. A chapter is a list of items, which may have
several paragraphs. An item that is a clause begins with its name, `- **T9 Follow.** text`. The
first chapter is the summary.
"""

import re
from dataclasses import dataclass
from importlib.resources import files
from textwrap import dedent

from hastilude.core.errors import OptionError, nearest

# The other lines of an item are indented.
_ITEM = re.compile(r"^(?:- |\d+\. )(.*\n(?:  .*\n|\n(?=  ))*)", re.MULTILINE)
_CLAUSE = re.compile(r"\*\*([A-Z]+\d+)\b")


@dataclass(frozen=True)
class Item:
    clause: str  # its name, or nothing
    text: str  # Markdown


@dataclass(frozen=True)
class Chapter:
    title: str
    items: tuple[Item, ...]


def rulebook(game: str, language: str = "en") -> str:
    """The rules of a game as Markdown."""
    page = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (files("hastilude.games") / game / page).read_text("utf-8")


def chapters(game: str, language: str = "en") -> list[Chapter]:
    """The chapters of the rules, the summary first."""
    _, *found = re.split(r"^## ", rulebook(game, language), flags=re.MULTILINE)
    return [_chapter(text.rstrip("\n") + "\n") for text in found]


def _chapter(text: str) -> Chapter:
    title, _, content = text.partition("\n")
    return Chapter(title, tuple(_item(text) for text in _ITEM.findall(content)))


def _item(text: str) -> Item:
    first, _, rest = text.strip("\n").partition("\n")
    found = _CLAUSE.match(first)
    return Item(found[1] if found else "", f"{first}\n{dedent(rest)}".rstrip("\n"))


def summary(game: str, language: str = "en") -> str:
    """The summary as Markdown."""
    return "\n\n".join(item.text for item in chapters(game, language)[0].items)


def clauses(game: str, language: str = "en") -> dict[str, str]:
    """Each clause of the rules as Markdown."""
    items = [item for chapter in chapters(game, language) for item in chapter.items]
    return {item.clause: item.text for item in items if item.clause}


def clause(game: str, name: str, language: str = "en") -> str:
    """One clause as Markdown; OptionError lists the clauses if it does not exist."""
    known = clauses(game, language)
    if name.upper() not in known:
        near = nearest(name, [other.lower() for other in known])
        key = "clause_unknown_near" if near else "clause_unknown"
        raise OptionError.of(
            key, game=game, clause=name, known=tuple(known), near=near and near.upper()
        )
    return known[name.upper()]
