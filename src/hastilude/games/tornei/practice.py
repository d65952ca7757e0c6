"""Trains Tornei's instinct by self-play.

`python -m hastilude.games.tornei.practice` plays rounds for four players, then for three, and
stores the networks in `instinct.npz`. That takes about ten minutes of one core.

After each batch of rounds the network learns what its cards have gained: the points in the rest of
the round, minus the mean of the others. A part of that is replaced by what it expected at its next
choice, which varies less (TD(λ)). It tries cards more often, the better it believes them to be.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import NONE, ONE, Bits, count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below, generator, pick, shuffle, unit
from hastilude.core.rules import WORK, Cards, State
from hastilude.games.tornei.instinct import (
    CHANCE,
    HEADS,
    INPUTS,
    KINDS,
    MOST_TRUE,
    NUMBERS,
    OUTPUT,
    OUTPUTS,
    TRUE,
    UNIT,
    UNITS,
    Floats,
    Mind,
    head_of,
    instinct,
    judge,
    kind_of,
    lead_so_far,
    store,
)
from hastilude.games.tornei.outlook import lead_after
from hastilude.games.tornei.reference import reference
from hastilude.games.tornei.rules import (
    CARDS,
    SEATS,
    STATE,
    TRICKS,
    apply,
    deal,
    legal,
    start,
    turn,
    undealt,
)

ROUNDS = {4: 3_000_000, 3: 1_500_000}  # for three players it begins with what it knows of four
RATE, LAST_RATE = 2e-3, 2e-5  # the size of a step, which falls evenly
BATCH = 64  # rounds between two steps
PACE = 50  # batches between two looks at the rate
OUTCOME = 0.9  # the part of a target that is what came of a card, not what was expected later
WARMTH = 0.15  # points: a card that is so much worse is tried e times less often
CURIOSITY = 0.02  # how often any card is tried
MOST_ERROR = 6.0  # larger ones count as this
CHOICES = 2 * TRICKS * SEATS


class Notes(NamedTuple):
    """The choices of a round, and what the network thought."""

    sizes: npt.NDArray[np.int64]
    true: npt.NDArray[np.int16]
    units: Floats
    chances: Floats
    layers: npt.NDArray[np.int64]  # the first row of the first layer, and the head
    seats: npt.NDArray[np.int64]
    cards: npt.NDArray[np.int64]
    gains: npt.NDArray[np.float64]  # that the network promised for the card
    expected: npt.NDArray[np.float64]  # for any card that it might have tried
    leads: npt.NDArray[np.float64]  # so far


def new_notes() -> Notes:
    return Notes(
        sizes=np.zeros(CHOICES, np.int64),
        true=np.zeros((CHOICES, MOST_TRUE), np.int16),
        units=np.zeros((CHOICES, UNITS), np.float32),
        chances=np.zeros((CHOICES, SEATS), np.float32),
        layers=np.zeros((CHOICES, 2), np.int64),
        seats=np.zeros(CHOICES, np.int64),
        cards=np.zeros(CHOICES, np.int64),
        gains=np.zeros(CHOICES),
        expected=np.zeros(CHOICES),
        leads=np.zeros(CHOICES),
    )


class Pupil(NamedTuple):
    """A network that learns: its weights, and for each layer three arrays of Adam's method."""

    mind: Mind
    first: Floats  # the slope, its mean, and the mean of its square
    second: Floats


def new_pupil(mind: Mind) -> Pupil:
    first, second = np.zeros((3, *mind.first.shape)), np.zeros((3, *mind.second.shape))
    return Pupil(mind, first.astype(np.float32), second.astype(np.float32))


def new_mind(seed: int) -> Mind:
    """A network that hardly changes what the reference policy expects."""
    random = np.random.default_rng(seed)
    first = random.normal(0.0, 0.15, (KINDS * INPUTS, UNITS))
    second = random.normal(0.0, 0.02, (HEADS, UNITS + 1, OUTPUTS))
    ones = np.ones((KINDS, UNITS), np.float32)
    return Mind(first.astype(np.float32), ones, second.astype(np.float32))


class Desk(NamedTuple):
    """The memory for playing rounds."""

    states: Any
    notes: Notes
    rng: Rng
    work: Cards
    options: npt.NDArray[np.int64]


def new_desk(seed: int) -> Desk:
    work = np.zeros(WORK, np.int8)
    return Desk(np.zeros(1, STATE), new_notes(), generator(seed), work, np.zeros(2, np.int64))


def train(players: int, mind: Mind, rounds: int, rate: float = RATE, seed: int = 1) -> Mind:
    """Practise so many rounds; changes the weights and returns them."""
    pupil, desk = new_pupil(mind), new_desk(seed)
    steps = rounds // BATCH
    for done in range(0, steps, PACE):
        now = LAST_RATE + (rate - LAST_RATE) * (1.0 - done / steps)
        practise(PACE, players, done, now, pupil, desk)
    mind.first[pupil.first[2].max(axis=1) == 0.0] = 0.0  # inputs that are never true
    return mind


@kernel
def practise(batches: int, players: int, done: int, rate: float, pupil: Any, desk: Any) -> None:
    for batch in range(batches):
        choices = 0
        for _ in range(BATCH):
            begin(players, desk)
            size = play(pupil.mind, desk)
            learn(desk.states[0], size, pupil, desk.notes)
            choices += size
        number = done + batch + 1
        step(pupil.mind.first, pupil.first, choices, rate, number)
        for head in range(HEADS):
            step(pupil.mind.second[head], pupil.second[:, head], choices, rate, number)


@kernel
def begin(players: int, desk: Any) -> None:
    """Deal a round, with any dealer."""
    s = desk.states[0]
    desk.options[0], desk.options[1] = players, below(desk.rng, players)
    start(s, desk.options)
    shuffle(desk.rng, desk.work, undealt(s, 1, desk.work))
    deal(s, 1, desk.work)


# --- playing --------------------------------------------------------------------------------------


@kernel
def play(mind: Any, desk: Any) -> int:
    """Play a round and note the choices; returns how many."""
    s, notes = desk.states[0], desk.notes
    size = 0
    while s["trick"] < TRICKS:
        seat = turn(s)
        cards = legal(s, seat)
        card = lowest(cards)
        if count(cards) > 1:
            notes.sizes[size] = judge(s, seat, mind, desk.work)
            card = try_card(cards, notes, size, desk.rng, desk.work)
            note(s, seat, card, notes, size, desk.work)
            size += 1
        apply(s, seat, card)
    return size


@kernel
def try_card(cards: Bits, notes: Any, number: int, rng: Rng, work: Cards) -> int:
    """Choose a card; notes what a card gains on average."""
    gains = work[NUMBERS:].view(np.float32)[OUTPUT:]
    best, rest = float(gains[lowest(cards)]), cards
    while rest != NONE:
        best = max(best, float(gains[lowest(rest)]))
        rest &= rest - ONE
    total, mean, rest = 0.0, 0.0, cards
    while rest != NONE:
        weight = np.exp((gains[lowest(rest)] - best) / WARMTH)
        total += weight
        mean += weight * gains[lowest(rest)]
        rest &= rest - ONE
    notes.expected[number] = mean / total
    if unit(rng) < CURIOSITY:
        return pick(rng, cards)
    left, chosen, rest = total * unit(rng), lowest(cards), cards
    while rest != NONE and left >= 0.0:
        chosen = lowest(rest)
        left -= np.exp((gains[chosen] - best) / WARMTH)
        rest &= rest - ONE
    return chosen


@kernel
def note(s: State, seat: int, card: int, notes: Any, number: int, work: Cards) -> None:
    numbers, kind = work[NUMBERS:].view(np.float32), kind_of(s, seat)
    chances = numbers[CHANCE + SEATS * card :]
    notes.true[number] = work[TRUE:NUMBERS].view(np.int16)
    notes.units[number] = numbers[UNIT : UNIT + UNITS]
    notes.chances[number] = chances[:SEATS]
    notes.layers[number, 0], notes.layers[number, 1] = kind * INPUTS, head_of(s, seat, kind)
    notes.seats[number], notes.cards[number] = seat, card
    notes.gains[number] = numbers[OUTPUT + card]
    notes.leads[number] = lead_so_far(s, seat)


# --- learning -------------------------------------------------------------------------------------


@kernel
def learn(s: State, size: int, pupil: Any, notes: Any) -> None:
    """Learn from the choices of a finished round, the last first."""
    back = np.zeros(UNITS, np.float32)
    for seat in range(int(s["players"])):
        target = lead_after(s, seat)
        for number in range(size - 1, -1, -1):
            if notes.seats[number] == seat:
                error = notes.gains[number] + notes.leads[number] - target
                error = min(max(error, -MOST_ERROR), MOST_ERROR)
                correct(number, np.float32(error), pupil, notes, back)
                expected = notes.expected[number] + notes.leads[number]
                target = OUTCOME * target + (1.0 - OUTCOME) * expected


@kernel
def correct(number: int, error: np.float32, pupil: Any, notes: Any, back: Floats) -> None:
    """Add the slope of an error to the sums; `back` is its slope in the units."""
    head, card = notes.layers[number, 1], notes.cards[number]
    for k in range(UNITS + 1):
        strength = notes.units[number, k] if k < UNITS else np.float32(1.0)
        pull = np.float32(0.0)
        if strength > 0.0:
            row, slope = pupil.mind.second[head, k], pupil.second[0, head, k]
            pull = row[card]
            slope[card] += error * strength
            for place in range(SEATS):
                chance = notes.chances[number, place]
                pull += chance * row[CARDS + place]
                slope[CARDS + place] += error * strength * chance
        if k < UNITS:
            back[k] = error * pull
    for fact in range(notes.sizes[number]):
        slope = pupil.first[0, notes.layers[number, 0] + notes.true[number, fact]]
        for k in range(UNITS):
            slope[k] += back[k]


@kernel
def step(weights: Floats, slopes: Floats, choices: int, rate: float, number: int) -> None:
    """Make a step against the mean slope (Adam, after Kingma and Ba)."""
    first, second = np.float32(0.9), np.float32(0.999)
    size = np.float32(rate / (1.0 - 0.9**number))
    scale = np.float32(1.0 / (1.0 - 0.999**number))
    for row in range(weights.shape[0]):
        weight, slope = weights[row], slopes[0, row]
        mean, square = slopes[1, row], slopes[2, row]
        for k in range(weights.shape[1]):
            now = slope[k] / np.float32(choices)
            mean[k] = first * mean[k] + (np.float32(1.0) - first) * now
            square[k] = second * square[k] + (np.float32(1.0) - second) * now * now
            weight[k] -= size * mean[k] / (np.sqrt(square[k] * scale) + np.float32(1e-6))
            slope[k] = 0.0


# --- the result -----------------------------------------------------------------------------------


def compare(players: int, mind: Mind, rounds: int, seed: int = 2) -> npt.NDArray[np.float64]:
    """The leads of one seat that plays by instinct against the reference policy."""
    leads = np.zeros(rounds)
    play_against(players, mind, new_desk(seed), leads)
    return leads


@kernel
def play_against(players: int, mind: Any, desk: Any, leads: npt.NDArray[np.float64]) -> None:
    for number in range(len(leads)):
        begin(players, desk)
        s = desk.states[0]
        while s["trick"] < TRICKS:
            seat = turn(s)
            if seat == number % players:
                card = instinct(s, seat, mind, desk.rng, desk.work)
            else:
                card = reference(s, seat, desk.rng, desk.work)
            apply(s, seat, card)
        leads[number] = lead_after(s, number % players)


def main() -> None:
    mind = new_mind(seed=1)
    minds = {}
    for players, rounds in ROUNDS.items():
        train(players, mind, rounds)
        minds[players] = Mind(mind.first.copy(), mind.scales, mind.second.copy())
        leads = compare(players, mind, 20_000)
        error = 1.96 * leads.std() / len(leads) ** 0.5
        print(f"{players} players: {leads.mean():+.2f} ± {error:.2f} against the reference")
    store(minds)


if __name__ == "__main__":
    main()
