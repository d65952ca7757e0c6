"""Tornei's outlook: simulations end with the round."""

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import SCORE, SECOND_TERM, VICTORY, Outlook
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.tornei.rules import OVER, TRICKS

OUTLOOK = Outlook(
    exploration=0.3,  # what actions promise differs little on the scale of a whole round
    trust=1.0,  # nodes of the others would first have to learn what the policy knows
    guided=1.0,
    faith=3,
    levels={  # instinct alone, without looking ahead; carelessness in points
        "page": {"simulations": 1, "blind": True, "carelessness": 1.5},
        "squire": {"simulations": 1, "blind": True, "carelessness": 0.6},
        "knight": {"simulations": 1, "blind": True, "carelessness": 0.2},
    },
)
SPREAD = 16.0  # the difference in points that is the whole scale from 0 to 1

# Points of a seat in a round: 32 quantiles of 1,200 rounds in which all play the reference policy.
FUTURE_POINTS = np.array(
    [6, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11, 11, 12, 12, 12, 13,
     13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 16, 17, 17, 18, 20],
    dtype=np.int64,
)  # fmt: skip
LEAST, MOST = int(FUTURE_POINTS.min()), int(FUTURE_POINTS.max())
MOST_ROUNDS = 3  # after the first of four
UNLIKELY = 1e-4  # what is left out of an expectation in the middle of a round

# About the same for one trick: the chance of each number of points.
TRICK_POINTS = np.array([0.3, 0.08, 0.2, 0.37, 0.05])


def chances_of_sums() -> npt.NDArray[np.float64]:
    """For each number of rounds and of tricks, the chance of each sum of points in them."""
    once = np.bincount(FUTURE_POINTS) / len(FUTURE_POINTS)
    longest = MOST_ROUNDS * MOST + TRICKS * (len(TRICK_POINTS) - 1) + 1
    sums = np.zeros((MOST_ROUNDS + 1, TRICKS + 1, longest))
    rounds = np.ones(1)
    for row in sums:
        chances = rounds
        for tricks in range(TRICKS + 1):
            row[tricks, : len(chances)] = chances
            chances = np.convolve(chances, TRICK_POINTS)
        rounds = np.convolve(rounds, once)
    return sums


EQUAL = chances_of_sums()
LESS = np.cumsum(EQUAL, axis=2) - EQUAL
LONGEST = EQUAL.shape[2]


@kernel
def settled(s: State) -> bool:
    return s["trick"] == TRICKS


@kernel
def worth(s: State, seat: int, aim: int) -> float:
    if aim == VICTORY:
        return share_of_victory(s, seat)
    lead = share_of_lead(s, seat)
    if aim == SCORE:
        return lead
    return (1.0 - SECOND_TERM) * share_of_victory(s, seat) + SECOND_TERM * lead


@kernel
def share_of_lead(s: State, seat: int) -> float:
    """The lead on a scale from 0 to 1."""
    return min(max(0.5 + lead_after(s, seat) / SPREAD, 0.0), 1.0)


@kernel
def lead_after(s: State, seat: int) -> float:
    """The points of this round, which is finished, minus the mean of the others'."""
    players = int(s["players"])
    own, total = int(s["sheet"][s["round"], seat]), 0
    for other in range(players):
        total += int(s["sheet"][s["round"], other])
    return own - (total - own) / (players - 1)


@kernel
def share_of_victory(s: State, seat: int) -> float:
    """The expected share of the victory after a round: 1 for winning alone, less for sharing."""
    rounds = 0 if s["phase"] == OVER else rounds_left(s)
    return share_ahead(s, seat, 0, rounds, 0)


@kernel
def rounds_left(s: State) -> int:
    return int(s["players"]) - 1 - int(s["round"])


@kernel
def share_ahead(s: State, seat: int, ahead: int, rounds: int, tricks: int) -> float:
    """The expected share of the victory with so many points more than the score.

    The points of later rounds and tricks count as independent, with the same chances for everybody.
    """
    share = 0.0
    most = rounds * MOST + tricks * (len(TRICK_POINTS) - 1)
    for points in range(rounds * LEAST, most + 1):
        chance = EQUAL[rounds, tricks, points]
        if chance > (UNLIKELY if tricks else 0.0):
            total = present(s, seat, tricks) + ahead + points
            share += chance * share_with(s, seat, total, rounds, tricks)
    return share


@kernel
def present(s: State, seat: int, tricks: int) -> int:
    """The score; during a round with the points for predictions."""
    return int(s["score"][seat]) + (int(s["points"][seat]) if tricks else 0)


@kernel
def share_with(s: State, seat: int, total: int, rounds: int, tricks: int) -> float:
    """The expected share of the victory with this total."""
    alone, two, three, four = 1.0, 0.0, 0.0, 0.0  # nobody has more, and so many have as much
    for other in range(int(s["players"])):
        if other != seat:
            wanted = total - present(s, other, tricks)
            less, equal = 0.0, 0.0
            if wanted >= LONGEST:
                less = 1.0
            elif wanted >= 0:
                less, equal = LESS[rounds, tricks, wanted], EQUAL[rounds, tricks, wanted]
            four = four * less + three * equal
            three = three * less + two * equal
            two = two * less + alone * equal
            alone *= less
    return alone + two / 2 + three / 3 + four / 4


@kernel
def expected_share(s: State, seat: int, gain: float) -> tuple[float, float]:
    """The expected share of the victory in the middle of a round, if the rest of it gains the seat
    so many points more than the mean of the others; and how much more one more point is worth."""
    whole = int(np.floor(gain))
    rounds, tricks = rounds_left(s), TRICKS - int(s["trick"])
    share = share_ahead(s, seat, whole, rounds, tricks)
    more = share_ahead(s, seat, whole + 1, rounds, tricks) - share
    return share + (gain - whole) * more, more
