"""`hastilude puzzles make`: find puzzles in matches of bots."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    Command,
    GameName,
    GameOptions,
    InLanguage,
    OnRay,
    WorkerCount,
    app,
    chosen_game,
    chosen_workers,
    sentence,
    with_progress,
)
from hastilude.core.errors import RecordError

if TYPE_CHECKING:
    from hastilude.puzzles.puzzle import Puzzle

LAST_SEED = 2**64 - 1

puzzles = typer.Typer(help="Make puzzles.", rich_markup_mode=None)
app.add_typer(puzzles, name="puzzles")


@puzzles.command(
    cls=Command,
    epilog="Example: hastilude puzzles make tornei --count 5 --option players=3 --out mine.jsonl",
)
def make(
    name: GameName,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Number of puzzles.")] = 10,
    option: GameOptions = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=LAST_SEED, metavar="SEED", help="The same seed gives the same puzzles."
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File for the puzzles; continued if it has some already."
        ),
    ] = None,
    workers: WorkerCount = None,
    ray: OnRay = None,
    language: InLanguage = None,
) -> None:
    """Find puzzles in matches of bots: decisions where one choice is clearly the best."""
    from hastilude.puzzles.making import make as make_puzzles
    from hastilude.workers import Workers

    game = chosen_game(name, option)
    path = out or Path(f"{name}-{game.seats}.jsonl")
    matches = 0

    def found(team: Workers) -> Iterator[Puzzle]:
        nonlocal matches
        for puzzle in make_puzzles(game, count, seed, path, team):
            matches += 1
            if puzzle:
                yield puzzle

    try:
        with chosen_workers(workers, ray) as team:
            made = sum(1 for _ in with_progress(found(team), count, game.title))
    except OSError as error:
        raise RecordError.of("cli_unwritable", path=str(path), problem=error.strerror) from None
    print(sentence("puzzles_made", count=made, matches=matches, path=str(path)))
