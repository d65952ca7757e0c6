"""Trains what TriATri's bots have learned, for each number of players: first the network of
`prospects` (see `prospects_practice`), then instinct, which corrects what follows from it.

`hastilude train triatri` does that (`bots/training.py`). Instinct learns by self-play: after each
batch of matches, what its actions led to. That is the victory or the defeat; a part of it is
replaced by what was expected at the seat's next choice, which varies less (TD(λ)). It tries actions
more often, the better it believes them to be.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.bots.knowledge import load_bots
from hastilude.bots.network import Floats, Layers, Pupil, correct, improve, new_pupil, try_one
from hastilude.core.bits import count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator
from hastilude.core.rules import WORK, Cards, State
from hastilude.games.triatri import prospects
from hastilude.games.triatri.estimate import CHANCES
from hastilude.games.triatri.instinct import (
    INPUTS,
    KINDS,
    MOST_TRUE,
    OUTPUTS,
    STORE,
    TRUE,
    UNIT,
    UNITS,
    VALUE,
    WINNER,
    Mind,
    colour_zero,
    floats,
    instinct,
    judge,
    kind_of,
    save,
    turned,
)
from hastilude.games.triatri.prospects import SEATS
from hastilude.games.triatri.prospects_practice import ProspectsCourse, share_of
from hastilude.games.triatri.prospects_practice import save as save_prospects
from hastilude.games.triatri.reference import reference
from hastilude.games.triatri.rules import (
    NUM_ACTIONS,
    OVER,
    ROUNDS,
    STATE,
    TRICKS,
    apply,
    chance_due,
    legal,
    start,
    turn,
)

PRACTICE = {4: 20, 3: 10, 2: 8}  # rounds of practice by the number of players
BATCHES = 800  # per round of practice
BATCH = 64  # matches between two steps
PACE = 50  # batches between two chances to interrupt it
RATE, LAST_RATE = 5e-3, 2e-5  # the size of a step, which falls evenly
OUTCOME = 0.65  # the part of a target that is what came of an action, not what was expected later
WARMTH = 0.01  # a chance to win: an action that is so much worse is tried e times less often
CURIOSITY = 0.02  # how often any action is tried
CHOICES = ROUNDS * (3 + 2 * TRICKS) * SEATS  # of a match, at most
MEASURED = 10_000  # matches
PROSPECTS_SHARE = 0.5  # of the time, compared with that of instinct


class Notes(NamedTuple):
    """The choices of a match, and what the network thought."""

    sizes: npt.NDArray[np.int64]
    true: npt.NDArray[np.int16]
    units: Floats
    parts: Floats  # how much of each output was in the worth of the action
    kinds: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float64]  # of the action, as the network said
    expected: npt.NDArray[np.float64]  # for any action that it might have tried


def new_notes() -> Notes:
    return Notes(
        sizes=np.zeros(CHOICES, np.int64),
        true=np.zeros((CHOICES, MOST_TRUE), np.int16),
        units=np.zeros((CHOICES, UNITS), np.float32),
        parts=np.zeros((CHOICES, OUTPUTS), np.float32),
        kinds=np.zeros(CHOICES, np.int64),
        seats=np.zeros(CHOICES, np.int64),
        worths=np.zeros(CHOICES),
        expected=np.zeros(CHOICES),
    )


class Desk(NamedTuple):
    """The memory for playing matches."""

    states: Any
    notes: Notes
    rng: Rng
    work: Cards
    options: npt.NDArray[np.int64]


def new_desk(players: int, seed: int) -> Desk:
    game = hastilude.load("triatri", players=players)
    load_bots(game)
    options = np.array(game.option_numbers, np.int64)
    work = np.zeros(WORK, np.int8)
    return Desk(np.zeros(1, STATE), new_notes(), generator(seed), work, options)


def new_layers(seed: int) -> Layers:
    """A network that hardly changes the estimates."""
    random = np.random.default_rng(seed)
    first = random.normal(0.0, 0.15, (KINDS * INPUTS, UNITS))
    second = random.normal(0.0, 0.01, (KINDS, UNITS + 1, OUTPUTS))
    return Layers(first.astype(np.float32), second.astype(np.float32))


class Foundation(Protocol):
    """Knows the prospects that instinct builds on."""

    def mind(self) -> prospects.Mind: ...


class InstinctCourse:
    """Learns instinct for a number of players."""

    measure = "share of the victories against the reference"

    def __init__(self, players: int, seed: int, foundation: Foundation) -> None:
        self.players = players
        self.name = f"instinct for {players} players"
        self.rounds = PRACTICE[players]
        self.share = float(self.rounds)
        self._foundation = foundation
        self._desk = new_desk(players, seed)
        self._pupil = new_pupil(new_layers(seed))
        self._batches = 0  # done

    @cached_property
    def _prospects(self) -> prospects.Mind:
        return self._foundation.mind()

    def practise(self, done: float) -> None:
        rate = LAST_RATE + (RATE - LAST_RATE) * (1.0 - done)
        for _ in range(0, BATCHES, PACE):
            practise(PACE, self._batches, rate, self._pupil, self._prospects, self._desk)
            self._batches += PACE

    def layers(self) -> Layers:
        """What was learned so far; an input that was never true counts for nothing."""
        layers, squares = self._pupil.layers, self._pupil.first[2]
        known = squares.any(axis=1, keepdims=True)
        return Layers(np.where(known, layers.first, np.float32(0.0)), layers.second.copy())

    def strength(self) -> tuple[float, float]:
        shares = compare(self.players, Mind(self.layers(), self._prospects), MEASURED)
        return float(shares.mean()), float(1.96 * shares.std() / len(shares) ** 0.5)

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        layers, first, second = self._pupil
        return {
            "first": layers.first,
            "second": layers.second,
            "first_slopes": first,
            "second_slopes": second,
            "rng": self._desk.rng,
            "batches": np.array(self._batches),
        }

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        layers = Layers(memory["first"], memory["second"])
        self._pupil = Pupil(layers, memory["first_slopes"], memory["second_slopes"])
        self._desk.rng[:] = memory["rng"]
        self._batches = int(memory["batches"])


def courses(seed: int) -> Sequence[ProspectsCourse | InstinctCourse]:
    found: list[ProspectsCourse | InstinctCourse] = []
    for players, rounds in PRACTICE.items():
        foundation = ProspectsCourse(players, seed, PROSPECTS_SHARE * rounds)
        found += [foundation, InstinctCourse(players, seed, foundation)]
    return found


def store(courses: Sequence[ProspectsCourse | InstinctCourse], folder: Path) -> None:
    minds = {c.players: c.mind() for c in courses if isinstance(c, ProspectsCourse)}
    save_prospects(minds, folder / prospects.STORE.name)
    networks = {c.players: c.layers() for c in courses if isinstance(c, InstinctCourse)}
    save(networks, folder / STORE.name)


@kernel
def practise(
    batches: int, done: int, rate: float, pupil: Any, foundation: prospects.Mind, desk: Any
) -> None:
    mind = Mind(pupil.layers, foundation)
    back = np.zeros(UNITS, np.float32)
    for batch in range(batches):
        choices = 0
        for _ in range(BATCH):
            size = play(mind, desk)
            learn(desk.states[0], size, pupil, desk.notes, back)
            choices += size
        improve(pupil, choices, rate, done + batch + 1)


# --- playing --------------------------------------------------------------------------------------


@kernel
def play(mind: Any, desk: Any) -> int:
    """Play a match and note the choices; returns how many."""
    s, notes = desk.states[0], desk.notes
    start(s, desk.options)
    size = 0
    while s["phase"] != OVER:
        if chance_due(s):
            deal_due(s, desk.rng, desk.work)
        seat = turn(s)
        actions = legal(s, seat)
        action = lowest(actions)
        if count(actions) > 1:
            notes.sizes[size] = judge(s, seat, mind, desk.work)
            worths = floats(desk.work, VALUE, NUM_ACTIONS)
            action, expected = try_one(worths, actions, WARMTH, CURIOSITY, desk.rng)
            notes.expected[size] = expected
            note(s, seat, action, notes, size, desk.work)
            size += 1
        apply(s, seat, action)
    return size


@kernel
def note(s: State, seat: int, action: int, notes: Any, number: int, work: Cards) -> None:
    notes.true[number] = work[TRUE:UNIT].view(np.int16)
    notes.units[number] = floats(work, UNIT, UNITS)
    chances = floats(work, CHANCES, SEATS * NUM_ACTIONS)
    notes.parts[number] = 0.0
    notes.parts[number, turned(action, colour_zero(s))] = 1.0
    for k in range(SEATS):
        notes.parts[number, WINNER + k] = chances[SEATS * action + k]
    notes.kinds[number], notes.seats[number] = kind_of(s, seat), seat
    notes.worths[number] = floats(work, VALUE, NUM_ACTIONS)[action]


# --- learning -------------------------------------------------------------------------------------


@kernel
def learn(s: State, size: int, pupil: Any, notes: Any, back: Floats) -> None:
    """Learn from the choices of a finished match, the last first."""
    for seat in range(int(s["players"])):
        target = share_of(s, seat)
        for k in range(size - 1, -1, -1):
            if notes.seats[k] == seat:
                kind, error = notes.kinds[k], np.float32(notes.worths[k] - target)
                true, units, parts = notes.true[k], notes.units[k], notes.parts[k]
                begin = kind * INPUTS
                correct(true, notes.sizes[k], begin, units, kind, error, parts, pupil, back)
                target = OUTCOME * target + (1.0 - OUTCOME) * notes.expected[k]


# --- the result -----------------------------------------------------------------------------------


def compare(players: int, mind: Mind, matches: int, seed: int = 2) -> npt.NDArray[np.float64]:
    """The victories of one seat that plays by instinct against the reference policy."""
    shares = np.zeros(matches)
    play_against(mind, new_desk(players, seed), shares)
    return shares


@kernel
def play_against(mind: Any, desk: Any, shares: npt.NDArray[np.float64]) -> None:
    s = desk.states[0]
    for number in range(len(shares)):
        start(s, desk.options)
        chosen = number % int(s["players"])
        while s["phase"] != OVER:
            if chance_due(s):
                deal_due(s, desk.rng, desk.work)
            seat = turn(s)
            if seat == chosen:
                action = instinct(s, seat, mind, desk.rng, desk.work)
            else:
                action = reference(s, seat, desk.rng, desk.work)
            apply(s, seat, action)
        shares[number] = share_of(s, chosen)
