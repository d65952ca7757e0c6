"""The report as one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hastilude.core.markup import Markup, element, joined
from hastilude.games.registry import GAMES, game_class
from hastilude.lab.code import code_digest
from hastilude.lab.findings import Figure, Findings
from hastilude.lab.report.tables import Table, cell, command, equal, sentences, setting, tables

STYLE = Path(__file__).with_name("page.css")
TITLE = "What is known about these games"
NOTE = (
    "Answers from deals that bots played. All intervals of a study together are right with 95 % "
    "probability. Bold with *: significantly different from what “if equal” says; n.s.: not "
    "significant."
)
LONG = 12  # rows; a longer table is folded


def html(found: Sequence[Findings], pictures: Mapping[str, str]) -> str:
    games = {game: [one for one in found if one.study.game == game] for game in GAMES}
    chapters = [_chapter(game, own, pictures) for game, own in games.items() if own]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", TITLE),
        element("style", Markup(STYLE.read_text("utf-8"))),
    )
    note = element("p", NOTE, f" Code {code_digest()}.", class_="note")
    body = element("body", element("h1", TITLE), note, *chapters)
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def _chapter(game: str, found: Sequence[Findings], pictures: Mapping[str, str]) -> Markup:
    title = element("h2", game_class(game).title, id=game)
    return joined_all([title, *(_study(one, pictures.get(one.study.name)) for one in found)])


def joined_all(parts: Sequence[Markup]) -> Markup:
    return Markup("\n".join(joined(part) for part in parts))


def _study(found: Findings, picture: str | None) -> Markup:
    asked = found.study.asked("en")
    parts = [element("h3", asked, id=found.study.name)]
    parts += [element("p", text) for text in sentences(found)]
    if picture:
        parts.append(element("figure", inline(picture, asked)))
    variants = [one.variant.name for one in found.variants]
    parts += [_folded(table, variants) for table in tables(found)]
    parts.append(element("p", element("code", command(found))))
    parts += [element("p", text, class_="note") for text in setting(found)]
    return element("section", joined_all(parts))


def inline(picture: str, title: str) -> Markup:
    """An SVG file as part of a page, which has the style."""
    named = element("svg", role="img", aria_label=title).removesuffix("></svg>")
    return Markup(re.sub("<style>.*?</style>", "", picture).replace("<svg", named, 1))


def _folded(table: Table, variants: Sequence[str]) -> Markup:
    content = element(
        "div", _table(table, variants), class_="scroll", tabindex=0, role="group",
        aria_label=table.part,
    )  # fmt: skip
    if len(table.rows) <= LONG:
        return content
    return element("details", element("summary", f"{table.part}: {len(table.rows)} rows"), content)


def _table(table: Table, variants: Sequence[str]) -> Markup:
    names = list(variants) if len(variants) > 1 else ["value"]
    compared = any(equal(row) for _, row in table.rows)
    headings = [table.part, *names, *(["if equal"] if compared else [])]
    head = element("tr", *(element("th", name, scope="col") for name in headings))
    return element("table", element("thead", head), element("tbody", *_rows(table, compared)))


def _rows(table: Table, compared: bool) -> Iterator[Markup]:
    for name, row in table.rows:
        cells = [element("th", name, scope="row"), *map(_cell, row)]
        yield element("tr", *cells, *([element("td", equal(row))] if compared else []))


def _cell(figure: Figure | None) -> Markup:
    if figure is not None and figure.significant:
        return element("td", cell(figure), class_="significant")
    return element("td", cell(figure))
