"""Forecasts: every seat's chance to win, if all play by the policy from here.

`redacted` is from `Match.redacted(seat)`: then the hidden cards are dealt at random for each
sample, in agreement with what the seat knows. With a true state, all cards are open.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.hindsight import DEAL, imagine, look_back, new_hindsight
from hastilude.bots.knowledge import VICTORY, load_bots, worth
from hastilude.bots.search import play_on
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, draw, generator
from hastilude.core.rules import EVERYTHING, WORK, Cards
from hastilude.core.states import blank


def forecast(
    game: Game, known: Any, seed: int, samples: int, block: int = 1
) -> npt.NDArray[np.float32]:
    """The share of the victory of each seat (columns) on each deal (rows).

    Every `block` deals in a row are similar (see `hindsight`); blocks are independent.
    """
    load_bots(game)
    shares = np.zeros((samples, game.seats), np.float32)
    play_deals(
        known, shares, block, blank(game.state), new_hindsight(game.state),
        generator(seed), generator(0), np.zeros(WORK, np.int8),
    )  # fmt: skip
    return shares


@kernel
def play_deals(
    known: Any,
    shares: npt.NDArray[np.float32],
    block: int,
    played: Any,
    hindsight: Any,
    deals: Rng,
    rng: Rng,
    work: Cards,
) -> None:
    """Play each sampled deal to a settled state."""
    viewer = int(known[0]["viewer"])
    for sample in range(shares.shape[0]):
        rng[0] = draw(deals)
        if viewer == EVERYTHING:
            played[0] = known[0]
        else:
            if sample % block == 0:
                look_back(known, hindsight)
            imagine(known, viewer, hindsight, rng, work)
            played[0] = hindsight.worlds[DEAL]
        play_on(played[0], rng, work)
        for seat in range(shares.shape[1]):
            shares[sample, seat] = worth(played[0], seat, VICTORY)
