"""Policies: kernels that choose an action, so that a search can use them in its rollouts.

Each game's policies are in `bots/reference/<game>.py`, which registers them for the game's states.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator
from hastilude.core.rules import WORK, Cards, State, of_each_game


@of_each_game
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    """A sensible legal action for a pending seat, chosen fast.

    `s` may be a true state, in the middle of a rollout, but a policy uses only what the seat may
    know. It never changes, so that strength can be measured against it.
    """
    raise NotImplementedError


class PolicyBot:
    """Plays a game's reference policy."""

    def __init__(self, game: Game, seed: int) -> None:
        load_bots(game)
        self._rng = generator(seed)
        self._work = np.zeros(WORK, np.int8)

    def choose(self, redacted: Any, seat: int) -> int:
        return reference_at(redacted, seat, self._rng, self._work)


def load_bots(game: Game) -> ModuleType:
    """Register a game's bots and return its outlook; OptionError if it has none."""
    if find_spec(f"hastilude.bots.reference.{game.name}") is None:
        raise OptionError.of("bots_unprepared", game=game.title)
    import_module(f"hastilude.bots.reference.{game.name}")
    if find_spec(f"hastilude.bots.hindsight.{game.name}"):
        import_module(f"hastilude.bots.hindsight.{game.name}")
    return import_module(f"hastilude.bots.outlook.{game.name}")


@kernel
def reference_at(redacted: Any, seat: int, rng: Rng, work: Cards) -> int:
    return reference(redacted[0], seat, rng, work)
