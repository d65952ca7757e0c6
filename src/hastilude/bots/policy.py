"""The bot that plays the reference policy of a game."""

from typing import Any

import numpy as np

from hastilude.bots.knowledge import load_bots, reference
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


@kernel
def reference_at(redacted: Any, seat: int, rng: Rng, work: Cards) -> int:
    return reference(redacted[0], seat, rng, work)
