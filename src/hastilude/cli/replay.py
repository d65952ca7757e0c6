"""`hastilude replay`: check a record and show its match."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import sys
from collections.abc import Sequence
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
from hastilude.cli.records import Entry, MatchNumber, RecordFile, checked, load_entries
from hastilude.cli.review import finished, reviewers
from hastilude.core.errors import RecordError

if TYPE_CHECKING:
    from hastilude.cli.match_printer import Comments
    from hastilude.reviews.review import Review


@app.command(epilog="Example: hastilude replay games.jsonl --match 3 --seat 0")
def replay(
    file: RecordFile,
    number: MatchNumber = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, metavar="SEAT", help="View from this seat; by default as a spectator."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Mark the mistakes of the seat; see `review`.")
    ] = False,
    as_json: AsJson = False,
    plain: Plain = False,
    theme: InTheme = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Check a record against the rules and show what happened."""
    if step and not sys.stdin.isatty():
        raise RecordError.of("cli_step_terminal")
    if review and seat is None:
        raise RecordError.of("cli_review_seat")
    if review and as_json:
        raise RecordError.of("cli_review_json")
    entries = load_entries(file, number)
    if is_terminal() and not (plain or step or as_json):
        for entry in entries:
            checked(entry, seat)
        step_through(entries, seat, theme, reviews(entries, seat) if review else ())
        return
    for entry in entries:
        replay_one(entry, seat, step, as_json, review)


def replay_one(entry: Entry, seat: int | None, step: bool, as_json: bool, review: bool) -> None:
    """Print a match; nothing of it if its record breaks the rules."""
    match = checked(entry, seat)
    marks = comments(entry, *reviews([entry], seat)) if review else None
    printer = MatchPrinter(match.game, seat, entry.record.names or (), as_json, marks)
    if not as_json:
        entry.print_number()
    if step:
        printer.print_one_by_one(match)
    else:
        printer.print_new(match)
    if not match.over and not as_json:
        print(sentence("cli_unfinished"))


def reviews(entries: Sequence[Entry], seat: int | None) -> list[Review]:
    """The reviews of the seat, one per match."""
    made = [reviewer for entry in entries for reviewer in reviewers(entry, seat)]
    return finished(made)


def comments(entry: Entry, review: Review) -> Comments:
    """What the review says about marked decisions, by the number of events with them."""
    from hastilude.games.registry import replay as replay_record
    from hastilude.reviews.words import made_at, marked
    from hastilude.terminal.review import words_for

    words = words_for(entry.record, review.seat, spoken.get(), drawn=False)
    found = {}
    for decision in marked(review):
        last = made_at(decision, review.seat, words.match) - 1  # the last action of the choice
        before = replay_record(entry.record, upto=last).events(review.seat)
        found[len(before) + 1] = words.comment(decision)
    return found


def step_through(
    entries: Sequence[Entry], seat: int | None, theme: Theme, reviews: Sequence[Review]
) -> None:
    from hastilude.terminal.app import ReplayApp

    records = [entry.record for entry in entries]
    ReplayApp(records, seat, spoken.get(), theme.value, reviews).run()
