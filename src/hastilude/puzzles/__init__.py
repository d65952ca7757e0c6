"""Puzzles: decisions from matches between bots, in which one choice is clearly the best.

>>> from hastilude import puzzles
>>> puzzle = puzzles.next("tornei", rating=1200)
>>> view = puzzle.match().view(puzzle.seat)
>>> puzzle.find(puzzle.answer.texts).loss.value
0.0
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import date
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

from hastilude.core.errors import OptionError, nearest
from hastilude.games.registry import game_class, part_of
from hastilude.puzzles.puzzle import Puzzle, PuzzleChoice, load_puzzles

__all__ = ["Puzzle", "PuzzleChoice", "daily", "find", "has_puzzles", "next", "puzzles", "themes"]


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game that come with this package; OptionError if it has none."""
    if not has_puzzles(game):
        raise OptionError.of("puzzles_none", game=game)
    found: list[Puzzle] = []
    for file in _files(game):
        with as_file(file) as path:
            found += load_puzzles(path)
    return tuple(found)


def has_puzzles(game: str) -> bool:
    """Whether this package comes with puzzles of a game."""
    game_class(game)  # refuses an unknown name
    return bool(_files(game))


@cache
def _files(game: str) -> tuple[Traversable, ...]:
    folder = files(__name__) / "data"
    found = (file for file in folder.iterdir() if file.name.startswith(f"{game}-"))
    return tuple(sorted(found, key=lambda file: file.name))


@cache
def themes(game: str) -> tuple[str, ...]:
    """The themes of a game's puzzles."""
    found = {theme for puzzle in puzzles(game) for theme in puzzle.themes}
    known = part_of(game, "themes")
    return tuple(theme for theme in known.THEMES if theme in found) if known else ()


def find(game: str, id: str) -> Puzzle | None:
    return _by_id(game).get(id)


@cache
def _by_id(game: str) -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in puzzles(game)}


def daily(game: str, day: date) -> Puzzle:
    """The puzzle of the day: the same for everybody, and each once before any comes again."""
    order = sorted(puzzles(game), key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
    return order[day.toordinal() % len(order)]


def next(
    game: str, rating: int, done: Collection[str] = (), theme: str | None = None
) -> Puzzle | None:
    """The puzzle that suits the rating best, of those that are not `done` (their ids); None if
    there is none left."""
    if theme is not None and theme not in themes(game):
        near = nearest(theme, themes(game))
        key = "puzzle_theme_unknown_near" if near else "puzzle_theme_unknown"
        raise OptionError.of(key, theme=theme, game=game, known=themes(game), near=near)
    left = [
        puzzle
        for puzzle in puzzles(game)
        if puzzle.id not in done and (theme is None or theme in puzzle.themes)
    ]
    return min(left, key=lambda puzzle: (abs(puzzle.rating - rating), puzzle.id), default=None)
