"""Reads a game's RULES.md and RULES.ja.md, whole or by clause."""

import re
from importlib.resources import files
from textwrap import dedent

from hastilude.core.errors import OptionError, nearest

# A clause is a list item, `- **T9 Follow.** text`; its other lines are indented by two spaces.
_CLAUSE = re.compile(r"^- \*\*(?P<name>[A-Z]+\d+)\b.*\n(?:  .*\n|\n(?=  ))*", re.MULTILINE)


def rulebook(game: str, language: str = "en") -> str:
    """The rules of a game as Markdown."""
    page = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (files("hastilude.games") / game / page).read_text("utf-8")


def clauses(game: str, language: str = "en") -> dict[str, str]:
    """Each clause of the rules as a Markdown paragraph."""
    text = rulebook(game, language).rstrip("\n") + "\n"
    return {
        found["name"]: dedent("  " + found[0][2:]).rstrip("\n") for found in _CLAUSE.finditer(text)
    }


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
