"""`hastilude replay`: check a record and show its match."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    AsJson,
    InLanguage,
    InTheme,
    Plain,
    Theme,
    app,
    is_terminal,
    sentence,
    spoken,
)
from hastilude.cli.match_printer import MatchPrinter
from hastilude.core.errors import HastiludeError, RecordError

if TYPE_CHECKING:
    from hastilude.core.match import Match
    from hastilude.core.record import Record


@app.command(epilog="Example: hastilude replay games.jsonl --match 3 --seat 0")
def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record, or several: one per line.")
    ],
    number: Annotated[
        int | None,
        typer.Option("--match", min=1, metavar="N", help="Show only this match; by default all."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, metavar="SEAT", help="View from this seat; by default as a spectator."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    as_json: AsJson = False,
    plain: Plain = False,
    theme: InTheme = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Check a record against the rules and show what happened."""
    from hastilude.core.record import load_all

    if step and not sys.stdin.isatty():
        raise RecordError.of("cli_step_terminal")
    records = list(enumerate(load_all(file), start=1))
    count = len(records)
    if not records:
        raise RecordError.of("cli_no_match", path=str(file))
    if number is not None and number > count:
        raise RecordError.of("cli_match_number", path=str(file), number=number, count=count)
    chosen = records if number is None else [records[number - 1]]
    if is_terminal() and not (plain or step or as_json):
        for index, record in chosen:
            checked(record, seat, (index, count))
        step_through([record for _, record in chosen], seat, theme)
        return
    for index, record in chosen:
        replay_one(record, seat, (index, count), step, as_json)


def checked(record: Record, seat: int | None, place: tuple[int, int]) -> Match:
    """The match of a record; RecordError if it breaks the rules. `place` is the record's number,
    and how many records there are."""
    from hastilude.games.registry import replay as replay_record

    number, count = place
    try:
        match = replay_record(record)
        match.events(seat)
    except HastiludeError as error:
        if count == 1:
            raise
        raise RecordError.of(
            "cli_match_problem", number=number, count=count, problem=error.message
        ) from None
    return match


def replay_one(
    record: Record, seat: int | None, place: tuple[int, int], step: bool, as_json: bool
) -> None:
    """Print a match; nothing of it if its record breaks the rules."""
    match = checked(record, seat, place)
    number, count = place
    printer = MatchPrinter(match.game, seat, record.names or (), as_json)
    if count > 1 and not as_json:
        print(sentence("cli_match", number=number, count=count))
    if step:
        printer.print_one_by_one(match)
    else:
        printer.print_new(match)
    if not match.over and not as_json:
        print(sentence("cli_unfinished"))


def step_through(records: list[Record], seat: int | None, theme: Theme) -> None:
    from hastilude.terminal.app import ReplayApp

    ReplayApp(records, seat, spoken.get(), theme.value).run()
