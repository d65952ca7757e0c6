"""The report as Markdown: a summary, and a page per game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hastilude.games.registry import GAMES, game_class
from hastilude.lab.code import code_digest
from hastilude.lab.findings import Findings
from hastilude.lab.report.tables import Table, cell, command, equal, sentences, setting, tables

INTERVALS = (
    "All intervals of a study together are right with 95 % probability. `*`: significantly "
    "different from what the column *if equal* says; *n.s.*: not significant."
)


def summary(found: Sequence[Findings]) -> str:
    """All questions with their answers, by game."""
    lines = ["# What is known about these games", ""]
    lines += ["Answers from deals that bots played, each with its interval.", INTERVALS]
    lines += [f"Code {code_digest()}.", ""]
    for game in GAMES:
        own = [one for one in found if one.study.game == game]
        if own:
            lines += [f"## {game_class(game).title}", "", f"[All figures]({game}.md)", ""]
            for one in own:
                lines += _item(one.study.asked("en"), sentences(one))
            lines.append("")
    return "\n".join(lines)


def game_page(game: str, found: Sequence[Findings], drawn: Collection[str]) -> str:
    """Every study of a game: question, answer, figure, tables, command."""
    lines = [f"# What is known about {game_class(game).title}", "", INTERVALS, ""]
    for one in found:
        lines += [f"## {one.study.asked('en')}", "", *_paragraphs(sentences(one))]
        if one.study.name in drawn:
            lines += [f"![{one.study.asked('en')}](figures/{one.study.name}.svg)", ""]
        names = [variant.variant.name for variant in one.variants]
        for table in tables(one):
            lines += [*_table(table, names), ""]
        lines += ["```", command(one), "```", ""]
        lines += [f"- {text}" for text in setting(one)]
        lines.append("")
    return "\n".join(lines)


def _item(asked: str, answers: Sequence[str]) -> list[str]:
    if len(answers) == 1:
        return [f"- **{asked}** {answers[0]}"]
    return [f"- **{asked}**", *(f"  - {answer}" for answer in answers)]


def _paragraphs(texts: Sequence[str]) -> list[str]:
    if len(texts) == 1:
        return [*texts, ""]
    return [*(f"- {text}" for text in texts), ""]


def _table(table: Table, variants: Sequence[str]) -> Iterator[str]:
    names = variants if len(variants) > 1 else ["value"]
    compared = any(equal(row) for _, row in table.rows)
    headings = [table.part, *names, *(["if equal"] if compared else [])]
    yield _line(headings)
    yield _line(["---", *["--:"] * (len(headings) - 1)])
    for name, row in table.rows:
        yield _line([name, *map(cell, row), *([equal(row)] if compared else [])])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |"
