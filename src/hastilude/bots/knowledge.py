"""What bots know about each game: a policy, how far to simulate, and what the others' play says.

`reference.py` of a game provides `reference`; `outlook.py` provides `settled`, `worth` and its
OUTLOOK. A game need not have the others: `hindsight.py` provides `recall`, `relive` and `exchange`;
`instinct.py` provides `instinct`, `promises` and `load`; `foresight.py` provides `foreseen` and
`prospect`; `advice.py` provides `has_shown`, `effect` and its ADVICE.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.bots.budget import Budget
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.hooks import Hooks
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.registry import part_of
from hastilude.messages import Message

# What to maximize: the chance to win the match, and a little the score; the score; or only the
# chance to win.
MATCH, SCORE, VICTORY = range(3)

SECOND_TERM = 0.02  # with MATCH, the weight of the score, which breaks ties

PLAY = Hooks("the bots' functions")
HINDSIGHT = Hooks("the functions of hindsight", optional=True)
INSTINCT = Hooks("the functions of instinct", optional=True)
FORESIGHT = Hooks("the functions of foresight", optional=True)
ADVICE = Hooks("the functions of advice", optional=True)
NO_MIND = np.zeros(0, np.float32)
EFFECTS = 8  # how many effects a game can tell apart

# A redacted state, a seat, a generator and a budget; the action, or None: search for it.
Solver: TypeAlias = Callable[[Any, int, Rng, Budget], int | None]
Worths: TypeAlias = npt.NDArray[np.float64]
Choice: TypeAlias = tuple[int, ...]  # the actions of a whole choice
# A redacted state and a seat; how often good play makes each choice, or None if that is unknown.
Mixer: TypeAlias = Callable[[Any, int], Mapping[Choice, float] | None]
# The game, a redacted state, a seat and its candidates (see `analyse`), the best first; why it is.
Reason: TypeAlias = Callable[[Game, Any, int, Sequence[Any]], Message | None]
# The game, a redacted state, a seat, and two candidates: what was chosen, and what is better; what
# speaks for the latter.
Comparison: TypeAlias = Callable[[Game, Any, int, Any, Any], Sequence[Message]]


@dataclass(frozen=True)
class Outlook:
    """How a game is searched, if it differs from other games."""

    exploration: float = 0.7
    trust: float = 0.0  # how often the others play by the policy, without nodes
    guided: float = 0.0  # exploration with instinct, relative to what a small difference is worth
    faith: int = 0  # how many visits the promise of instinct counts for in a new node
    levels: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # their own settings
    solver: Callable[[], Solver] | None = None  # for choices that are solved, not searched


@dataclass(frozen=True)
class Advice:
    """What hints and reviews can say about a game besides the chances to win."""

    reason: Reason | None = None
    mix: Mixer | None = None  # for choices where good play is mixed
    hinted: Mixer | None = None  # the part of it that hints show instead of comparing choices
    compare: Comparison | None = None


def load_bots(game: Game) -> Outlook:
    """Load what the bots know about a game; OptionError if that is nothing."""
    outlook = _load(game.name, game.state)
    if outlook is None:
        raise OptionError.of("bots_unprepared", game=game.title)
    return outlook


def load_advice(game: Game) -> Advice:
    load_bots(game)
    advice = part_of(game.name, "advice")
    return advice.ADVICE if advice else Advice()


def load_mind(game: Game) -> Any:
    """What the instinct of a game has learned; NO_MIND if it has none."""
    load_bots(game)
    instinct = part_of(game.name, "instinct")
    return instinct.load(game) if instinct else NO_MIND


@cache
def _load(name: str, state: np.dtype[np.void]) -> Outlook | None:
    known = [part for part in (part_of(name, "reference"), part_of(name, "outlook")) if part]
    if not known:
        return None
    PLAY.provide(state, *known)
    if hindsight := part_of(name, "hindsight"):
        HINDSIGHT.provide(state, hindsight)
    if instinct := part_of(name, "instinct"):
        INSTINCT.provide(state, instinct)
    if foresight := part_of(name, "foresight"):
        FORESIGHT.provide(state, foresight)
    if advice := part_of(name, "advice"):
        ADVICE.provide(state, advice)
    outlook: Outlook = known[-1].OUTLOOK
    return outlook


@PLAY.hook
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    """A sensible legal action for a pending seat, chosen fast.

    `s` may be a true state, in the middle of a rollout, but a policy uses only what the seat may
    know. It never changes, so that strength can be measured against it.
    """
    raise NotImplementedError


@PLAY.hook
def settled(s: State) -> bool:
    """Whether a simulation ends here: the round, game or match is over."""
    raise NotImplementedError


@PLAY.hook
def worth(s: State, seat: int, aim: int) -> float:
    """The worth of a settled state to a seat, from 0 to 1, with the aim MATCH, SCORE or VICTORY."""
    raise NotImplementedError


@HINDSIGHT.hook
def recall(r: State, choices: Any) -> int:
    """Write the choices of the others that a redacted state remembers; returns how many.

    `choices` is a `Choices` (see `hindsight`): for each choice, the public part of the state in
    which it was made, the seat and the action.
    """
    return 0


@HINDSIGHT.hook
def relive(s: State, world: State, seat: int, action: int) -> int:
    """Complete the state of a choice with what the seat knew, if the hidden cards are as in
    `world`; returns its action, which may have been hidden."""
    return action


@HINDSIGHT.hook
def exchange(world: State, viewer: int, rng: Rng) -> int:
    """Exchange two cards that are hidden from the viewer, if what is known allows it; returns the
    bit set of the seats involved, 0 if nothing was exchanged."""
    return 0


@INSTINCT.hook
def instinct(s: State, seat: int, mind: Any, rng: Rng, work: Cards) -> int:
    """The action of the best fast policy, which uses only what the seat may know: of the reference,
    unless the game has a better one."""
    return reference(s, seat, rng, work)


@INSTINCT.hook
def promises(s: State, seat: int, aim: int, mind: Any, worths: Worths, work: Cards) -> float:
    """Write what each legal action is worth, from 0 to 1, as far as the seat may know. Returns what
    a small difference between actions is worth here; 0 if the game has no instinct."""
    return 0.0


@FORESIGHT.hook
def foreseen(s: State) -> bool:
    """Whether a simulation ends here, although the state may not be settled: because the prospects
    are known better than playing on could tell."""
    return settled(s)


@FORESIGHT.hook
def prospect(s: State, seat: int, aim: int, mind: Any, work: Cards) -> float:
    """What a foreseen state is worth to a seat, like `worth`."""
    return worth(s, seat, aim)


@ADVICE.hook
def has_shown(s: State, before: State) -> bool:
    """Whether the effect of a choice that was made in the state `before` is known in `s`."""
    return True


@ADVICE.hook
def effect(s: State, before: State, seat: int) -> int:
    """The effect of the seat's choice, as a number below EFFECTS, in the first state that has shown
    it. Reasons for a hint are made of how often each effect came about."""
    return 0
