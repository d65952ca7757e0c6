"""The bot that plays random legal actions."""

from typing import Any

from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator, pick
from hastilude.core.rules import legal


class RandomBot:
    def __init__(self, game: Game, seed: int) -> None:
        self._rng = generator(seed)

    def choose(self, redacted: Any, seat: int) -> int:
        return pick_at(redacted, 0, seat, self._rng)


@kernel
def pick_at(states: Any, i: int, seat: int, rng: Rng) -> int:
    return pick(rng, legal(states[i], seat))
