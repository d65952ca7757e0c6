"""`hastilude lab`: answer questions about the games by studies."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    THOUSAND,
    AsJson,
    Command,
    InLanguage,
    OnRay,
    WorkerCount,
    app,
    chosen_workers,
    json_line,
    print_json,
    print_table,
    say,
    sentence,
    spoken,
    thousandths,
    with_progress,
)
from hastilude.core.errors import RecordError
from hastilude.core.files import writing
from hastilude.messages import Message

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.lab import Findings, Study, VariantFindings
    from hastilude.workers import Workers

FOLDER = Path("lab")
REPORT = Path("lab", "report")
OWN = ".toml"  # how the name of a file of own studies ends

lab = typer.Typer(help="Answer questions about the games.", rich_markup_mode=None)
app.add_typer(lab, name="lab")

InFolder = Annotated[
    Path,
    typer.Option(
        metavar="FOLDER", help="Where the results are, one file per study; by default lab."
    ),
]


@lab.command("list", cls=Command, epilog="Example: hastilude lab list --json")
def list_studies(as_json: AsJson = False, language: InLanguage = None) -> None:
    """List the studies: their names, and the questions that they answer."""
    from rich.table import Column, Table

    from hastilude import lab

    if as_json:
        for study in lab.shipped().values():
            line = {"deals": study.deals, "width": study.width, "question": dict(study.question)}
            print(json_line({"game": study.game} | study.settings() | line))
        return
    headings = (sentence(key) for key in ("lab_question", "lab_measures"))
    table = Table(Column(sentence("lab_study"), no_wrap=True), *headings)
    for study in lab.shipped().values():
        table.add_row(study.name, study.asked(spoken.get()), ", ".join(study.measures))
    print_table(table)


@lab.command(cls=Command, epilog="Example: hastilude lab run tornei-seats mine.toml --workers 2")
def run(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Names of studies, see `hastilude lab list`; the name of a game for all of its "
            "studies; or files with your own, ending in .toml.",
        ),
    ],
    folder: InFolder = FOLDER,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Maximum number of deals per variant; by default the study's."
        ),
    ] = None,
    workers: WorkerCount = None,
    ray: OnRay = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Run studies and save what they find. The same command continues an interrupted study."""
    studies = chosen(names)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with chosen_workers(workers, ray) as team:
        for study in studies:
            found = run_one(study.with_deals(deals), folder, team)
            if as_json:
                print_json(found.to_json())
            else:
                print_findings(found)
    if not as_json:
        print(sentence("lab_saved", path=str(folder)))


@lab.command(cls=Command, epilog="Example: hastilude lab report --out report")
def report(
    own: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE.toml…", help="Files with studies of your own."),
    ] = None,
    folder: InFolder = FOLDER,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write it; by default lab/report.")
    ] = REPORT,
    language: InLanguage = None,
) -> None:
    """Write a report of all results: Markdown with figures, and one HTML file."""
    from hastilude.lab import report as reporting

    if not reporting.can_draw():
        print(sentence("lab_no_plots"), file=sys.stderr)
    known = {study.name: study for study in chosen(own or ())} | shipped()
    if left_out := reporting.left_out(folder, known):
        print(sentence("lab_left_out", files=left_out), file=sys.stderr)
    reporting.write(folder, out, known)
    print(sentence("lab_report_saved", folder=str(out)))


def shipped() -> dict[str, Study]:
    from hastilude import lab

    return lab.shipped()


def chosen(names: Sequence[str]) -> list[Study]:
    """The studies with these names, of these games, and in these files."""
    from hastilude import lab

    found: list[Study] = []
    for name in names:
        of_game = [study for study in shipped().values() if study.game == name]
        if name.endswith(OWN):
            own = lab.read(name)
            for taken in own.keys() & shipped().keys():
                raise RecordError.of("lab_name_shipped", path=name, study=taken)
            found.extend(own.values())
        else:
            found.extend(of_game or [lab.study(name)])
    return list({study.name: study for study in found}.values())


def run_one(study: Study, folder: Path, workers: Workers) -> Findings:
    from hastilude.lab import Running

    try:
        with Running(study, folder / f"{study.name}.jsonl") as running:
            for _ in with_progress(thousandths(running.steps(workers)), THOUSAND, study.name):
                pass
            return running.findings()
    except KeyboardInterrupt:
        print(sentence("lab_interrupted", folder=str(folder)), file=sys.stderr)
        raise


def print_findings(found: Findings) -> None:
    from hastilude.lab.report.tables import sentences

    print(f"{found.study.name}: {found.study.asked(spoken.get())}")
    for text in sentences(found, spoken.get()):
        print(text)
    for one in found.variants:
        if one.deals:
            print(sentence("lab_deals", variant=one.variant.name, count=one.deals))
        print_table(figures_table(one, found.study.game))
    print(sentence("lab_confidence"))
    print()


def figures_table(found: VariantFindings, game: str) -> Table:
    from rich.table import Column, Table

    from hastilude.lab.report.names import named
    from hastilude.lab.report.words import interval, written

    headings = [Column(sentence(key), justify="right") for key in ("lab_value", "lab_if_equal")]
    table = Table("", "", *headings, sentence("lab_significant"), title=None)
    for figures in found.figures.values():
        for one in filter(lambda one: isfinite(one.value), figures):
            label = one.label
            expected = "" if label.equal is None else written(label.equal, label.unit)
            known = {True: sentence("lab_yes"), False: sentence("lab_no"), None: ""}
            names = (told(named(name, game)) for name in (label.part, label.row))
            table.add_row(*names, told(interval(one)), expected, known[one.significant])
    return table


def told(words: str | Message) -> str:
    return say(words) if isinstance(words, Message) else words
