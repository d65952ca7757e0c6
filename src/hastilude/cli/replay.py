"""`hastilude replay`"""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import AsJson, InLanguage, app, sentence
from hastilude.cli.teller import Teller
from hastilude.core.errors import HastiludeError, RecordError

if TYPE_CHECKING:
    from hastilude.core.record import Record


@app.command(epilog="Example: hastilude replay games.jsonl --match 3 --seat 0")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, or many: one a line.")],
    number: Annotated[
        int | None, typer.Option("--match", min=1, help="Which match of the file; none: all.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="As this seat saw it; none: as a spectator did.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Check a record against the rules and tell what happened in it."""
    from hastilude.core.record import load_all

    if step and not sys.stdin.isatty():
        raise RecordError.of("cli_step_terminal")
    records = list(enumerate(load_all(file), start=1))
    count = len(records)
    if not records:
        raise RecordError.of("cli_no_match", path=str(file))
    if number is not None and number > count:
        raise RecordError.of("cli_match_number", path=str(file), number=number, count=count)
    for index, record in records if number is None else [records[number - 1]]:
        replay_one(record, seat, (index, count), step, as_json)


def replay_one(
    record: Record, seat: int | None, place: tuple[int, int], step: bool, as_json: bool
) -> None:
    """Nothing is told of a record that breaks the rules."""
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
    teller = Teller(match.game, seat, record.names or (), as_json)
    if count > 1 and not as_json:
        print(sentence("cli_match", number=number, count=count))
    if step:
        teller.step(match)
    else:
        teller.tell(match)
    if not match.over and not as_json:
        print(sentence("cli_unfinished"))
