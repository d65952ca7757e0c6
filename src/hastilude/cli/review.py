"""`hastilude review`: show where a finished match was won or lost."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import AsJson, InLanguage, app, sentence, spoken, with_progress
from hastilude.cli.records import (
    Entry,
    MatchNumber,
    RecordFile,
    checked,
    load_entries,
    naming_match,
)
from hastilude.cli.simulate import LAST_SEED
from hastilude.core.errors import RecordError

if TYPE_CHECKING:
    from hastilude.reviews.review import Review, Reviewer


@app.command(epilog="Example: hastilude review games.jsonl --match 3 --seat 0 --html review.html")
def review(
    file: RecordFile,
    number: MatchNumber = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, metavar="SEAT", help="Only this seat; by default every seat."),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=LAST_SEED, metavar="SEED", help="The same seed gives the same review."
        ),
    ] = 0,
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the review with its graph to this HTML file."),
    ] = None,
    language: InLanguage = None,
) -> None:
    """Show where a finished match was won or lost, what was better, and how much was luck."""
    entries = load_entries(file, number)
    if html and len(entries) > 1:
        raise RecordError.of("cli_review_one_match", path=str(file), count=len(entries))
    if html:
        check_writable(html)
    prepared = [(entry, reviewers(entry, seat, seed)) for entry in entries]
    for entry, made in prepared:
        reviews = finished(made)
        if html:
            save_page(entry, reviews, html)
        if as_json:
            print(*(one.to_json() for one in reviews), sep="\n")
        elif html:
            print(sentence("cli_review_saved", path=str(html)))
        else:
            print_reviews(entry, reviews)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before the work and not after it."""
    problem = 0
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOENT
    elif not os.access(path.parent, os.W_OK):
        problem = errno.EACCES
    if problem:
        raise unwritable(path, os.strerror(problem))


def unwritable(path: Path, problem: str | None) -> RecordError:
    return RecordError.of("cli_unwritable", path=str(path), problem=problem)


def reviewers(entry: Entry, seat: int | None, seed: int = 0) -> list[Reviewer]:
    """For the seat, or for every seat. A RecordError says why the match cannot be reviewed."""
    from hastilude.reviews.review import Reviewer

    match = checked(entry, seat)
    seats = range(match.game.seats) if seat is None else [seat]
    with naming_match(entry):
        return [Reviewer(match, one, seed) for one in seats]


def finished(made: Sequence[Reviewer]) -> list[Review]:
    """The reviews of a match, made with a progress bar."""
    total = sum(reviewer.total for reviewer in made)
    for _ in with_progress(pieces(made), total, sentence("review_progress")):
        pass
    return [reviewer.review() for reviewer in made]


def pieces(made: Sequence[Reviewer]) -> Iterator[None]:
    for reviewer in made:
        while not reviewer.finished:
            reviewer.advance()
            yield


def print_reviews(entry: Entry, reviews: Sequence[Review]) -> None:
    from hastilude.reviews.words import marked, parts
    from hastilude.terminal.review import words_for

    entry.print_number()
    for one in reviews:
        words = words_for(entry.record, one.seat, spoken.get(), drawn=False)
        print(words.title())
        print(words.counts(one))
        print(words("review_skill_and_luck"))
        print(*(f"  {words.part(part)}" for part in parts(one.balance)), sep="\n")
        for decision in marked(one):
            print(words.where(decision))
            print(*(f"  {line}" for line in words.explanation(decision)), sep="\n")
        if not marked(one):
            print(words("review_no_marks"))
        if one is not reviews[-1]:
            print()


def save_page(entry: Entry, reviews: Sequence[Review], path: Path) -> None:
    """Write the file completely or not at all."""
    from hastilude.core.files import replacing
    from hastilude.reviews.page import page
    from hastilude.reviews.review import open_graph
    from hastilude.terminal.review import words_for

    told = [(one, words_for(entry.record, one.seat, spoken.get(), drawn=True)) for one in reviews]
    steps = [point.step for one in reviews for point in one.graph]
    text = page(told, open_graph(told[0][1].match, steps, reviews[0].seed))
    try:
        with replacing(path) as draft:
            draft.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritable(path, error.strerror) from None
