"""TriATri's instinct: a small network that says what each action is worth, as a chance to win.

It was trained by self-play (see `practice`), with one network for each kind of decision. The inputs
are facts that the seat knows, each either true or not. The network does not begin from nothing: it
corrects the estimates of `estimate`, on the scale of log odds. Besides a correction for each action
it says what it means that a seat wins the trick, which counts as much as that is likely.

The three colours beat each other in a circle (A4). So for cards of a trick, colours are counted
from that of the gem.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import MATCH, SCORE, SECOND_TERM, Worths
from hastilude.bots.network import Facts, Floats, Layers, conclude, grown, shrunk, think
from hastilude.core.bits import NONE, ONE, Bits, count, lowest
from hastilude.core.files import replacing
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.triatri import estimate as estimates
from hastilude.games.triatri import prospects
from hastilude.games.triatri.estimate import CHANCES, ESTIMATES, estimate, seats_after
from hastilude.games.triatri.hidden import void_colours
from hastilude.games.triatri.outlook import share_of_lead
from hastilude.games.triatri.prospects import COUNTS, SEATS
from hastilude.games.triatri.reference import (
    FRACTIONS,
    LIES,
    WORTHS,
    copy_gems,
    holder_after,
    missing_for,
    unseen_by,
)
from hastilude.games.triatri.rules import (
    BID,
    COLOURLESS,
    COLOURS,
    EXCHANGE,
    NAME,
    NUM_ACTIONS,
    NUMBERS,
    ROUNDS,
    TO_WIN,
    TRICKS,
    colour_of,
    legal,
)

STORE = Path(__file__).with_name("instinct.npz")

# The inputs: what is in hand, what is unseen, known voids, everybody's gems and how many are still
# missing (A12), the supply, the tricks played; of a trick what each seat's victory changes,
# who started, the colours and worths that lie there, who would win, and with which card.
ALL_CARDS = EXCHANGE + 3
WORTH_STEPS = 17  # no card is worth more than 16 by the printed rules
STAKE_STEPS = 10
HAND, UNSEEN = 0, ALL_CARDS
LACKS = UNSEEN + ALL_CARDS
OWNED = LACKS + SEATS * COLOURS
MISSING = OWNED + SEATS * COLOURS * COUNTS
STOCKED = MISSING + SEATS * (COLOURS * TO_WIN + 1)
TIME = STOCKED + COLOURS * COUNTS
STAKE = TIME + ROUNDS * TRICKS
STARTED = STAKE + SEATS * STAKE_STEPS
LYING = STARTED + SEATS
LYING_WORTH = LYING + SEATS * (COLOURS + 1)
HOLDER = LYING_WORTH + SEATS * WORTH_STEPS
HIGHEST = HOLDER + SEATS
INPUTS = HIGHEST + (COLOURS + 1) * WORTH_STEPS
MOST_TRUE = 80  # inputs at the same time

UNITS = 64
WINNER = NUM_ACTIONS  # the output of each action, then of each seat that wins the trick
OUTPUTS = NUM_ACTIONS + SEATS
BIDDING, NAMING, LEADING, FOLLOWING, FINISHING = range(5)
KINDS = 5
CERTAIN = 0.005  # no estimate is nearer to 0 or 1
SMALL = 0.01  # a small difference between actions, as a chance to win

# The scratch memory, after that of `estimate`, in numbers of two and four bytes.
TRUE = estimates.END
UNIT = TRUE + 2 * MOST_TRUE
OUTPUT = UNIT + 4 * UNITS
VALUE = OUTPUT + 4 * OUTPUTS
END = VALUE + 4 * NUM_ACTIONS


class Mind(NamedTuple):
    """What was learned for one number of players."""

    layers: Layers
    prospects: prospects.Mind


@kernel
def judge(s: State, seat: int, mind: Any, work: Cards) -> int:
    """Write the worth of each legal action from VALUE on; returns how many inputs are true."""
    units, outputs = floats(work, UNIT, UNITS), floats(work, OUTPUT, OUTPUTS)
    unseen = unseen_by(s, seat)
    offset = estimate(s, seat, unseen, mind.prospects, work)
    size = look(s, seat, unseen, work)
    kind = kind_of(s, seat)
    think(work[TRUE:UNIT].view(np.int16), size, kind * INPUTS, mind.layers, units)
    conclude(units, kind, mind.layers, outputs)
    rough = work[ESTIMATES:CHANCES].view(np.float64)
    chances, values = floats(work, CHANCES, SEATS * NUM_ACTIONS), floats(work, VALUE, NUM_ACTIONS)
    zero = colour_zero(s)
    rest = legal(s, seat)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        chance = min(max(rough[action] + offset, CERTAIN), 1.0 - CERTAIN)
        odds = np.float32(np.log(chance / (1.0 - chance))) + outputs[turned(action, zero)]
        for k in range(SEATS):
            odds += chances[SEATS * action + k] * outputs[WINNER + k]
        values[action] = np.float32(1.0) / (np.float32(1.0) + np.exp(-odds))
    return size


@kernel
def floats(work: Cards, begin: int, size: int) -> Floats:
    return work[begin : begin + 4 * size].view(np.float32)


@kernel
def kind_of(s: State, seat: int) -> int:
    if s["phase"] == BID:
        return BIDDING
    if s["phase"] == NAME:
        return NAMING
    first = s["first"][s["trick"]]
    if first == seat:
        return LEADING
    return FINISHING if first == (seat + 1) % s["players"] else FOLLOWING


@kernel
def colour_zero(s: State) -> int:
    """The colour from which colours are counted: that of the gem, if it has been named."""
    return 0 if s["phase"] == BID or s["phase"] == NAME else int(s["gem"][s["trick"]])


@kernel
def turned_colour(colour: int, zero: int) -> int:
    if colour == COLOURLESS:
        return COLOURLESS
    return int(colour) - zero if colour >= zero else int(colour) - zero + COLOURS


@kernel
def turned(action: int, zero: int) -> int:
    """The action with its colour counted from another. Gems are named before there is one."""
    if action >= EXCHANGE:
        return action
    return NUMBERS * turned_colour(colour_of(action), zero) + action % NUMBERS


# --- what the seat sees ---------------------------------------------------------------------------


@kernel
def look(s: State, seat: int, unseen: Bits, work: Cards) -> int:
    """List the inputs that are true, after `estimate`; returns how many."""
    true = work[TRUE:UNIT].view(np.int16)
    zero = colour_zero(s)
    size = list_cards(s["hand"][seat], HAND, zero, true, 0)
    size = list_cards(unseen, UNSEEN, zero, true, size)
    for colour in range(COLOURS):
        turned = turned_colour(colour, zero)
        true[size] = STOCKED + COUNTS * turned + s["supply"][colour]
        size += 1
    true[size] = TIME + TRICKS * (int(s["round"]) - 1) + int(s["trick"]) - 1
    size += 1
    copy_gems(s, work)
    for k in range(int(s["players"])):
        size = look_at_seat(s, (seat + k) % s["players"], k, zero, true, size, work)
    if s["phase"] != BID and s["phase"] != NAME:
        size = look_at_stakes(s, seat, true, size, work)
        if s["first"][s["trick"]] != seat:
            size = look_at_trick(s, seat, zero, true, size, work)
    return size


@kernel
def list_cards(cards: Bits, first: int, zero: int, true: Facts, size: int) -> int:
    rest = cards
    while rest != NONE:
        true[size] = first + turned(lowest(rest), zero)
        rest &= rest - ONE
        size += 1
    return size


@kernel
def look_at_seat(
    s: State, other: int, k: int, zero: int, true: Facts, size: int, work: Cards
) -> int:
    """The gems and voids of the k-th seat after the one to act."""
    voids = void_colours(s, other) if k else 0
    for colour in range(COLOURS):
        cell = COLOURS * k + turned_colour(colour, zero)
        true[size] = OWNED + COUNTS * cell + s["gems"][other, colour]
        size += 1
        if voids >> colour & 1:
            true[size] = LACKS + cell
            size += 1
    true[size] = MISSING + (COLOURS * TO_WIN + 1) * k + missing_for(other, work)
    return size + 1


@kernel
def look_at_stakes(s: State, seat: int, true: Facts, size: int, work: Cards) -> int:
    """How much better each seat's victory is than the worst; small differences in finer steps."""
    outcomes = work[FRACTIONS:].view(np.float32)
    players = int(s["players"])
    worst = outcomes[:players].min()
    for k in range(players):
        better = outcomes[(seat + k) % players] - worst
        step = int(np.sqrt(better) * np.float32(12.0))
        true[size] = STAKE + STAKE_STEPS * k + min(step, STAKE_STEPS - 1)
        size += 1
    return size


@kernel
def look_at_trick(s: State, seat: int, zero: int, true: Facts, size: int, work: Cards) -> int:
    """The cards that lie there."""
    players, trick = int(s["players"]), int(s["trick"])
    first = other = int(s["first"][trick])
    true[size] = STARTED + seats_after(seat, first, players)
    size += 1
    while other != seat:
        k = seats_after(seat, other, players)
        work[LIES + other], work[WORTHS + other] = s["lies"][trick, other], s["worth"][trick, other]
        colour = turned_colour(colour_of(work[LIES + other]), zero)
        true[size] = LYING + (COLOURS + 1) * k + colour
        true[size + 1] = LYING_WORTH + WORTH_STEPS * k + worth_step(other, work)
        size += 2
        other = other + 1 if other + 1 < players else 0
    holder = holder_after(s, first, seat - 1 if seat else players - 1, work)
    colour = turned_colour(colour_of(work[LIES + holder]), zero)
    true[size] = HOLDER + seats_after(seat, holder, players)
    true[size + 1] = HIGHEST + WORTH_STEPS * colour + worth_step(holder, work)
    return size + 2


@kernel
def worth_step(seat: int, work: Cards) -> int:
    """What the card in front of a seat is worth; more only counts as much (A17)."""
    return min(int(work[WORTHS + seat]), WORTH_STEPS - 1)


# --- choosing -------------------------------------------------------------------------------------


@kernel
def instinct(s: State, seat: int, mind: Any, rng: Rng, work: Cards) -> int:
    rest = legal(s, seat)
    best = lowest(rest)
    if count(rest) == 1:
        return best
    judge(s, seat, mind, work)
    values = floats(work, VALUE, NUM_ACTIONS)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        if values[action] > values[best]:
            best = action
    return best


@kernel
def promises(s: State, seat: int, aim: int, mind: Any, worths: Worths, work: Cards) -> float:
    """Nothing if the aim is the score: the network knows only the chance to win."""
    if aim == SCORE:
        return 0.0
    judge(s, seat, mind, work)
    values = floats(work, VALUE, NUM_ACTIONS)
    second = SECOND_TERM if aim == MATCH else 0.0
    lead = share_of_lead(s, seat)
    rest = legal(s, seat)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        worths[action] = (1.0 - second) * values[action] + second * lead
    return SMALL


# --- the store ------------------------------------------------------------------------------------


def load(game: Game) -> Mind:
    return stored(game.seats)


@cache
def stored(players: int) -> Mind:
    with np.load(STORE) as file:
        layers = [
            grown(file[f"{name}_{players}"], file[f"{name}_scales_{players}"])
            for name in Layers._fields
        ]
    first, second = layers
    return Mind(Layers(first.reshape(-1, UNITS), second), prospects.stored()[players])


def save(networks: dict[int, Layers], path: Path) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {}
    for players, layers in networks.items():
        tables = Layers(layers.first.reshape(KINDS, INPUTS, UNITS), layers.second)
        for name, weights in tables._asdict().items():
            arrays[f"{name}_{players}"], arrays[f"{name}_scales_{players}"] = shrunk(weights)
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
