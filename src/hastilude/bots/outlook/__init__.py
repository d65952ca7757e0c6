"""How far a simulation of each game is played, and what its end is worth to a seat.

One file a game; each registers its two functions for the game's states. It may also set, for
searches of that game, EXPLORATION, TRUST (both in `search`) and SIMULATIONS (in `levels`).
"""

from hastilude.core.random import Rng
from hastilude.core.rules import State, of_each_game

MATCH, SCORE = 0, 1  # what is to be maximised: the chance of winning the match, or points

SECOND_TERM = 0.02  # of MATCH: how much the score counts beside winning, so that it breaks ties


@of_each_game
def settled(s: State) -> bool:
    """Whether a simulation ends here: a round or a game is over, or the match."""
    raise NotImplementedError


@of_each_game
def worth(s: State, seat: int, aim: int, rng: Rng) -> float:
    """What a settled state is worth to a seat, from 0 to 1, by the aim MATCH or SCORE."""
    raise NotImplementedError
