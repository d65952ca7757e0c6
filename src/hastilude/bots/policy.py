"""Policies: what a bot would do, as kernels, so that a search can play them in its rollouts.

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
    """A sensible legal action for a pending seat, quickly.

    `s` may be a true state, in the middle of a rollout: a policy looks only at what the seat may
    know. It is never changed, so that strength is measured against something fixed.
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
    """Register what the bots know of a game; returns its outlook. OptionError if they know none."""
    if find_spec(f"hastilude.bots.reference.{game.name}") is None:
        raise OptionError.of("bots_unprepared", game=game.title)
    import_module(f"hastilude.bots.reference.{game.name}")
    if find_spec(f"hastilude.bots.hindsight.{game.name}"):
        import_module(f"hastilude.bots.hindsight.{game.name}")
    return import_module(f"hastilude.bots.outlook.{game.name}")


@kernel
def reference_at(redacted: Any, seat: int, rng: Rng, work: Cards) -> int:
    return reference(redacted[0], seat, rng, work)
