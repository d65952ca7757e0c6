"""Makes a set of puzzles and writes it, one after another, so that it can be continued."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import count as counting
from pathlib import Path
from typing import Any, TypeVar

from hastilude.core.errors import RecordError
from hastilude.core.game import Game
from hastilude.games.registry import load
from hastilude.puzzles import mining
from hastilude.puzzles.puzzle import Puzzle, load_puzzles
from hastilude.workers import Local, Workers

Result = TypeVar("Result")


def mined(
    game: Game, seed: int, first: int = 0, workers: Workers | None = None
) -> Generator[Puzzle | None, None, None]:
    """The puzzle of each match, or None, in the order of the matches and without an end. Without
    workers, this process finds them."""
    miner = mining.Miner(game, seed, mining.DEMANDS)
    with closing((workers or Local(1)).share_out(miner, counting(first))) as finished:
        yield from in_order(finished, first)


def in_order(finished: Iterable[tuple[int, Result]], first: int) -> Iterator[Result]:
    """What came of the tasks, in the order of their numbers."""
    waiting: dict[int, Result] = {}
    for number, result in finished:
        waiting[number] = result
        while first in waiting:
            yield waiting.pop(first)
            first += 1


def make(
    game: Game, count: int, seed: int, path: Path, workers: Workers | None = None
) -> Iterator[Puzzle | None]:
    """Add puzzles to the file until it has `count`. Yields what each match added, if anything.

    A file of the same game and seed is continued where it ended. RecordError if it has others.
    """
    made = load_puzzles(path) if path.exists() else []
    check_same(made, game, seed, path)
    known = set(map(likeness, made))
    if len(made) >= count:
        return
    first = made[-1].source.match + 1 if made else 0
    with (
        path.open("a", encoding="utf-8") as file,
        closing(mined(game, seed, first, workers)) as found,
    ):
        for puzzle in found:
            added = puzzle if puzzle and likeness(puzzle) not in known else None
            if added:
                known.add(likeness(added))
                made.append(added)
                file.write(added.to_json() + "\n")
                file.flush()
            yield added
            if len(made) == count:
                return


def check_same(made: list[Puzzle], game: Game, seed: int, path: Path) -> None:
    for puzzle in made:
        own = load(puzzle.game, **puzzle.record.options)
        if (own, puzzle.source.seed) != (game, seed):
            raise RecordError.of("puzzles_other", path=str(path))


def likeness(puzzle: Puzzle) -> tuple[Any, ...]:
    """The same for positions that ask for the same with the same hand."""
    view = puzzle.match().view(puzzle.seat)
    texts = frozenset(choice.texts for choice in puzzle.choices)
    return view.phase, tuple(sorted(view.hand)), texts, puzzle.answer.texts
