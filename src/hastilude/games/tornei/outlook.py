"""Tornei's outlook: simulations end with the round."""

import numpy as np

from hastilude.bots.knowledge import SCORE, SECOND_TERM, Outlook
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below
from hastilude.core.rules import State
from hastilude.games.tornei.rules import OVER, TRICKS

OUTLOOK = Outlook(
    exploration=0.3,  # what actions promise differs little on the scale of a whole round
    trust=1.0,  # nodes of the others would first have to learn what the policy knows
)
SPREAD = 16.0  # the difference in points that is the whole scale from 0 to 1

# Points of a seat in a round: 32 quantiles of 1,200 rounds in which all play the reference policy.
FUTURE_POINTS = np.array(
    [6, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11, 11, 12, 12, 12, 13,
     13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 16, 17, 17, 18, 20],
    dtype=np.int64,
)  # fmt: skip


@kernel
def settled(s: State) -> bool:
    return s["trick"] == TRICKS


@kernel
def worth(s: State, seat: int, aim: int, rng: Rng) -> float:
    lead = share_of_lead(s, seat)
    if aim == SCORE:
        return lead
    return (1.0 - SECOND_TERM) * share_of_victory(s, seat, rng) + SECOND_TERM * lead


@kernel
def share_of_lead(s: State, seat: int) -> float:
    """The points of this round minus the mean of the others', on a scale from 0 to 1."""
    players = int(s["players"])
    own = int(s["sheet"][s["round"], seat])
    total = 0
    for other in range(players):
        total += int(s["sheet"][s["round"], other])
    difference = own - (total - own) / (players - 1)
    return min(max(0.5 + difference / SPREAD, 0.0), 1.0)


@kernel
def share_of_victory(s: State, seat: int, rng: Rng) -> float:
    """1 for winning alone, less for sharing; results of later rounds are drawn at random."""
    rounds = 0 if s["phase"] == OVER else int(s["players"]) - 1 - int(s["round"])
    own = int(s["score"][seat]) + future_points(rounds, rng)
    level = 1
    for other in range(int(s["players"])):
        if other != seat:
            points = int(s["score"][other]) + future_points(rounds, rng)
            if points > own:
                return 0.0
            level += points == own
    return 1.0 / level


@kernel
def future_points(rounds: int, rng: Rng) -> int:
    points = 0
    for _ in range(rounds):
        points += FUTURE_POINTS[below(rng, len(FUTURE_POINTS))]
    return points
