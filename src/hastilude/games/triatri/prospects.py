"""The chance to win a match of TriATri between two tricks, from what lies open.

A small network sees everybody's gems, the supply, how far the match is and who starts; it knows
nothing about hands. So it is an average over all hands, and knows exactly what was played for. It
was trained by self-play of the instinct that plays by it (see `practice`).
"""

from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.kernel import kernel
from hastilude.core.rules import Cards
from hastilude.games.triatri.reference import FRACTIONS, STOCK, gems_of
from hastilude.games.triatri.reference import GEMS as HELD
from hastilude.games.triatri.rules import (
    COLOURS,
    GEMS,
    ROUNDS,
    TRICKS,
    points,
    sort_gems,
)

Mind: TypeAlias = npt.NDArray[np.float32]  # a row of weights per input, then the others: see BIAS

SEATS = 4
# What the network sees, one number of each group: the gems of a seat in a colour, the supply of a
# colour, the tricks played in the match, and who starts the next trick, if known.
COUNTS = GEMS + 1
SUPPLIES = SEATS * COLOURS * COUNTS
TIMES = SUPPLIES + COLOURS * COUNTS
STARTERS = TIMES + TRICKS * ROUNDS
INPUTS = STARTERS + SEATS + 1
HIDDEN = 32
# Its rows: one per input, the biases of the hidden layer, then those of each seat and its bias.
BIAS = INPUTS
OUTPUTS = BIAS + 1
ROWS = OUTPUTS + SEATS
UNKNOWN = SEATS  # the starter, between two rounds
STORE = Path(__file__).with_name("prospects.npz")

# In the floats of the scratch memory, after the outcomes: the hidden layer, and one with a change.
LAYER = SEATS
CHANGED = LAYER + HIDDEN
ALL_FLOATS = CHANGED + HIDDEN


@cache
def stored() -> Mind:
    """The weights for each number of players; for 0 and 1 there are none."""
    with np.load(STORE) as file:
        return np.asarray(file["weights"], np.float32)


@kernel
def begin(mind: Mind, players: int, time: int, work: Cards) -> None:
    """Work out the hidden layer for the gems and the time, without who starts."""
    layer = work[FRACTIONS:].view(np.float32)[LAYER:CHANGED]
    layer[:] = mind[BIAS] + mind[TIMES + time]
    for cell in range(COLOURS * players):
        layer += mind[COUNTS * cell + work[HELD + cell]]
    for colour in range(COLOURS):
        layer += mind[SUPPLIES + COUNTS * colour + work[STOCK + colour]]


@kernel
def chance_of(
    mind: Mind,
    players: int,
    seat: int,
    starter: int,
    gained: int,
    before: int,
    work: Cards,
) -> float:
    """A seat's chance, if this seat starts and one input has changed to `gained` from `before`."""
    floats = work[FRACTIONS:].view(np.float32)
    layer, changed = floats[LAYER:CHANGED], floats[CHANGED:ALL_FLOATS]
    for k in range(HIDDEN):
        changed[k] = max(
            layer[k] + mind[STARTERS + starter, k] + mind[gained, k] - mind[before, k],
            np.float32(0),
        )
    own = total = np.float32(0)
    for other in range(players):
        score = np.float32(0)
        for k in range(HIDDEN):
            score += changed[k] * mind[OUTPUTS + other, k]
        likely = np.exp(score)
        total += likely
        if other == seat:
            own = likely
    return float(own / total)


@kernel
def final_share(players: int, seat: int, work: Cards) -> float:
    """A15: the seat's share of the victory if the match ends now."""
    own = rank(seat, work)
    equal = 1
    for other in range(players):
        if other != seat:
            theirs = rank(other, work)
            if theirs > own:
                return 0.0
            if theirs == own:
                equal += 1
    return 1.0 / equal


@kernel
def rank(seat: int, work: Cards) -> int:
    """A14, A15: points, then gems."""
    fire, water, wood = gems_of(seat, work)
    sets, pairs, left, colour = sort_gems(fire, water, wood)
    return 32 * points(sets, pairs, left, work[STOCK + colour]) + fire + water + wood
