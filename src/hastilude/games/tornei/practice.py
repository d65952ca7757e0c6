"""Trains Tornei's instinct by self-play, for four players and then for three.

`hastilude train tornei` does that and writes the networks to `instinct.npz` (`bots/training.py`).

After each batch of rounds the network learns what its cards have gained: the points in the rest of
the round, minus the mean of the others. A part of that is replaced by what it expected at its next
choice, which varies less (TD(λ)). It tries cards more often, the better it believes them to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.bots.network import Floats, step, try_one
from hastilude.core.bits import count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below, generator, shuffle
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
    STORE,
    TRUE,
    UNIT,
    UNITS,
    Mind,
    head_of,
    instinct,
    judge,
    kind_of,
    lead_so_far,
    save,
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

ROUNDS = {4: 120, 3: 60}  # of practice; for three players it begins with what it knows of four
BATCHES = 800  # per round of practice
RATE, LAST_RATE = 2e-3, 2e-5  # the size of a step, which falls evenly
BATCH = 64  # deals between two steps
PACE = 50  # batches between two chances to interrupt it
OUTCOME = 0.9  # the part of a target that is what came of a card, not what was expected later
WARMTH = 0.15  # points: a card that is so much worse is tried e times less often
CURIOSITY = 0.02  # how often any card is tried
MOST_ERROR = 6.0  # larger ones count as this
CHOICES = 2 * TRICKS * SEATS
MEASURED = 10_000  # deals


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
    options = np.array(hastilude.load("tornei").option_numbers, np.int64)
    return Desk(np.zeros(1, STATE), new_notes(), generator(seed), work, options)


class Practice:
    """The course for a number of players, which may begin with what another has learned."""

    measure = "points per round against the reference"

    def __init__(self, players: int, seed: int, before: Practice | None = None) -> None:
        self.players = players
        self.name = f"{players} players"
        self.rounds = ROUNDS[players]
        self.share = float(self.rounds)
        self._seed, self._before = seed, before
        self._desk = new_desk(seed)
        self._batches = 0  # done

    @cached_property
    def _pupil(self) -> Pupil:
        return new_pupil(self._before.mind() if self._before else new_mind(self._seed))

    def practise(self, done: float) -> None:
        rate = LAST_RATE + (RATE - LAST_RATE) * (1.0 - done)
        for _ in range(0, BATCHES, PACE):
            practise(PACE, self.players, self._batches, rate, self._pupil, self._desk)
            self._batches += PACE

    def mind(self) -> Mind:
        """What was learned so far; an input that was never true counts for nothing."""
        mind, squares = self._pupil.mind, self._pupil.first[2]
        first = np.where(squares.any(axis=1, keepdims=True), mind.first, np.float32(0.0))
        return Mind(first, mind.scales, mind.second.copy())

    def strength(self) -> tuple[float, float]:
        leads = compare(self.players, self.mind(), MEASURED)
        return float(leads.mean()), float(1.96 * leads.std() / len(leads) ** 0.5)

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        mind, first, second = self._pupil
        return {
            "first": mind.first,
            "scales": mind.scales,
            "second": mind.second,
            "first_slopes": first,
            "second_slopes": second,
            "rng": self._desk.rng,
            "batches": np.array(self._batches),
        }

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        mind = Mind(memory["first"], memory["scales"], memory["second"])
        self._pupil = Pupil(mind, memory["first_slopes"], memory["second_slopes"])
        self._desk.rng[:] = memory["rng"]
        self._batches = int(memory["batches"])


def courses(seed: int) -> Sequence[Practice]:
    four = Practice(4, seed)
    return four, Practice(3, seed, before=four)


def store(courses: Sequence[Practice], folder: Path) -> None:
    save({course.players: course.mind() for course in courses}, folder / STORE.name)


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
            gains = desk.work[NUMBERS:].view(np.float32)[OUTPUT:]
            card, expected = try_one(gains, cards, WARMTH, CURIOSITY, desk.rng)
            notes.expected[size] = expected
            note(s, seat, card, notes, size, desk.work)
            size += 1
        apply(s, seat, card)
    return size


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
