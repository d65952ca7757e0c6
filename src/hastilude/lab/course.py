"""What the lab knows about the course of a game's matches.

`course.py` of a game provides the functions below and COURSE, which names what they tell apart. A
game need not have it: then its matches are one section, and every action is a kind of its own.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from hastilude.core.game import Game
from hastilude.core.hooks import Hooks
from hastilude.core.rules import Numbers, State
from hastilude.games.registry import part_of

HOOKS = Hooks("the functions of the course", optional=True)

MOST_SECTIONS = 32
MOST_SEATS = 4


@dataclass(frozen=True)
class Course:
    """The names of what the functions tell apart. `stages` says of each section what it is: one
    that is like the first begins a round. `cards`: how many of the first actions are cards."""

    sections: tuple[str, ...] = ("match",)
    stages: tuple[str, ...] = ("match",)
    roles: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    cards: int = 0
    feats: tuple[str, ...] = ()


def course_of(game: Game) -> Course:
    """The names for a game, whose functions are then there for kernels."""
    found = _load(game.name, game.state)
    return found if found.kinds else Course(kinds=game.texts)


@cache
def _load(name: str, state: np.dtype[np.void]) -> Course:
    part = part_of(name, "course")
    if part is None:
        return Course()
    HOOKS.provide(state, part)
    course: Course = part.COURSE
    return course


@HOOKS.hook
def section(s: State) -> int:
    """The number of the section that the match is in. It never becomes smaller. A section that
    waits for chance is one of its own."""
    return 0


@HOOKS.hook
def role(s: State, seat: int) -> int:
    """The seat's role in the section that begins; -1 if it has none. Role 0 of each stage comes
    first, and the other seats follow in the order of play."""
    return -1


@HOOKS.hook
def hand_over(s: State, seat: int) -> bool:
    """Give the first role of the section that begins to another seat, and change nothing else;
    False if that is impossible."""
    return False


@HOOKS.hook
def holding(s: State, seat: int, counts: Numbers) -> int:
    """Write how many of each card a seat holds, if hands were dealt for the section that begins;
    returns how many cards, 0 if none were dealt."""
    return 0


@HOOKS.hook
def kind(s: State, seat: int, action: int) -> int:
    """What kind of choice an action is."""
    return action


@HOOKS.hook
def feats(s: State, seat: int) -> int:
    """What a section that is over meant for a seat: a set of feats."""
    return 0
