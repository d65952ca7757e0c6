"""The outlook: how far simulations of each game go, and what their end is worth to a seat.

One file a game; each registers its two functions for the game's states. It may also set, for
searches of that game, EXPLORATION, TRUST (both in `search`) and SIMULATIONS (in `levels`).
"""

from hastilude.core.random import Rng
from hastilude.core.rules import State, of_each_game

MATCH, SCORE = 0, 1  # what to maximize: the chance to win the match, or points

SECOND_TERM = 0.02  # with MATCH, the weight of the score, which breaks ties


@of_each_game
def settled(s: State) -> bool:
    """Whether a simulation ends here: the round, game or match is over."""
    raise NotImplementedError


@of_each_game
def worth(s: State, seat: int, aim: int, rng: Rng) -> float:
    """The worth of a settled state to a seat, from 0 to 1, with the aim MATCH or SCORE."""
    raise NotImplementedError
