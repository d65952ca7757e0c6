"""Reads the matches of a file of records."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import sentence
from hastilude.core.errors import HastiludeError, RecordError

if TYPE_CHECKING:
    from hastilude.core.match import Match
    from hastilude.core.record import Record

RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A record, or several: one per line.")
]
MatchNumber = Annotated[
    int | None,
    typer.Option("--match", min=1, metavar="N", help="Only this match; by default all."),
]


@dataclass(frozen=True)
class Entry:
    """A record, its number in its file, and how many records the file has."""

    record: Record
    number: int
    count: int

    def print_number(self) -> None:
        if self.count > 1:
            print(sentence("cli_match", number=self.number, count=self.count))


def load_entries(file: Path, number: int | None) -> list[Entry]:
    """The records of a file, or only the one with that number."""
    from hastilude.core.record import load_all

    records = list(load_all(file))
    count = len(records)
    if not records:
        raise RecordError.of("cli_no_match", path=str(file))
    if number is not None and number > count:
        raise RecordError.of("cli_match_number", path=str(file), number=number, count=count)
    entries = [Entry(record, place, count) for place, record in enumerate(records, start=1)]
    return entries if number is None else [entries[number - 1]]


def checked(entry: Entry, seat: int | None) -> Match:
    """The match of a record; RecordError if it breaks the rules."""
    from hastilude.games.registry import replay

    with naming_match(entry):
        match = replay(entry.record)
        match.events(seat)
    return match


@contextmanager
def naming_match(entry: Entry) -> Iterator[None]:
    """A problem in the block says which match of the file has it."""
    try:
        yield
    except HastiludeError as error:
        if entry.count == 1:
            raise
        raise RecordError.of(
            "cli_match_problem", number=entry.number, count=entry.count, problem=error.message
        ) from None
