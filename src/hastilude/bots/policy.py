"""The bots that play the fast policies of a game."""

from typing import Any

import numpy as np

from hastilude.bots.knowledge import instinct, load_bots, load_mind, reference
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator
from hastilude.core.rules import WORK, Cards


class PolicyBot:
    """Plays a game's reference policy."""

    def __init__(self, game: Game, seed: int) -> None:
        load_bots(game)
        self._rng = generator(seed)
        self._work = np.zeros(WORK, np.int8)

    def choose(self, redacted: Any, seat: int) -> int:
        return reference_at(redacted, seat, self._rng, self._work)


class InstinctBot(PolicyBot):
    """Plays a game's best fast policy."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed)
        self._mind = load_mind(game)

    def choose(self, redacted: Any, seat: int) -> int:
        return instinct_at(redacted, seat, self._mind, self._rng, self._work)


@kernel
def reference_at(redacted: Any, seat: int, rng: Rng, work: Cards) -> int:
    return reference(redacted[0], seat, rng, work)


@kernel
def instinct_at(redacted: Any, seat: int, mind: Any, rng: Rng, work: Cards) -> int:
    return instinct(redacted[0], seat, mind, rng, work)
