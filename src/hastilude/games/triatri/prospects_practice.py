"""Trains the network of TriATri's prospects by self-play.

Again and again, everybody plays by the estimates of the present network, with a few random choices,
so that unusual positions come up too; then the network learns who won from which position. The
first matches are played by the reference policy.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.bots.knowledge import load_bots
from hastilude.core import rules
from hastilude.core.bits import count
from hastilude.core.calls import start_at
from hastilude.core.files import replacing
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator, pick, unit
from hastilude.core.rules import WORK, Cards, State
from hastilude.games.triatri.estimate import best_estimate
from hastilude.games.triatri.prospects import (
    BIAS,
    COUNTS,
    HIDDEN,
    INPUTS,
    OUTPUTS,
    ROWS,
    SEATS,
    STARTERS,
    SUPPLIES,
    TIMES,
    UNKNOWN,
    Mind,
)
from hastilude.games.triatri.reference import reference
from hastilude.games.triatri.rules import COLOURS, DEAL, NAME, OVER, ROUNDS, TRICKS, winners

GENERATIONS = 8
MATCHES = 150_000  # per generation
RANDOM_CHOICES = 0.05
POSITIONS = ROUNDS * (TRICKS + 1)  # of a match, at most
EPOCHS = 3
BATCH = 4096
STEP = 3e-3  # of Adam, falling to 0 in each generation
MEMORY = (0.9, 0.999)  # of Adam: for the gradient and for its square
TINY = 1e-8
MEASURED = 10_000  # matches

# A position: everybody's gems, the supply, the tricks played, who starts.
GEMS_AT, SUPPLY_AT, TIME_AT, STARTER_AT = 0, SEATS * COLOURS, 15, 16
CELLS = 17
Floats = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int8]


@kernel
def note(s: State, position: Positions) -> None:
    """Write a state between two tricks."""
    for seat in range(SEATS):
        for colour in range(COLOURS):
            position[GEMS_AT + COLOURS * seat + colour] = s["gems"][seat, colour]
    for colour in range(COLOURS):
        position[SUPPLY_AT + colour] = s["supply"][colour]
    if s["phase"] == NAME:
        position[TIME_AT] = TRICKS * (int(s["round"]) - 1) + int(s["trick"]) - 1
        position[STARTER_AT] = s["first"][s["trick"]]
    else:
        position[TIME_AT] = TRICKS * int(s["round"])
        position[STARTER_AT] = UNKNOWN


@kernel
def play_matches(
    states: Any,
    matches: int,
    first: bool,
    mind: Mind,
    positions: Positions,
    shares: Floats,
    rng: Rng,
    work: Cards,
) -> int:
    """Play from states[0], in states[1]; write the positions between tricks and everybody's share
    of the victory. Returns the number of positions."""
    s = states[1]
    used = 0
    for _ in range(matches):
        states[1] = states[0]
        begun = used
        while s["phase"] != OVER:
            if s["phase"] == NAME or (s["phase"] == DEAL and s["round"] > 0):
                note(s, positions[used])
                used += 1
            if rules.chance_due(s):
                deal_due(s, rng, work)
            else:
                play_one(s, first, mind, rng, work)
        for seat in range(int(s["players"])):
            shares[begun:used, seat] = share_of(s, seat)
    return used


@kernel
def play_one(s: State, first: bool, mind: Mind, rng: Rng, work: Cards) -> None:
    seat = rules.turn(s)
    if unit(rng) < RANDOM_CHOICES:
        action = pick(rng, rules.legal(s, seat))
    elif first:
        action = reference(s, seat, rng, work)
    else:
        action = best_estimate(s, seat, mind, work)
    rules.apply(s, seat, action)


class ProspectsCourse:
    """Learns the prospects for a number of players; a round of practice is a generation."""

    measure = "share of the victories against the reference"
    rounds = GENERATIONS

    def __init__(self, players: int, seed: int, share: float) -> None:
        self.players, self.share = players, share
        self.name = f"prospects for {players} players"
        self._game = hastilude.load("triatri", players=players)
        self._rng, self._turns = generator(seed), np.random.default_rng(seed)
        self._network = Network(players, self._turns)
        self._generations = 0  # done
        self.loss = np.inf  # of the last generation

    def practise(self, done: float) -> None:
        positions = np.zeros((MATCHES * POSITIONS, CELLS), np.int8)
        shares = np.zeros((MATCHES * POSITIONS, self.players), np.float32)
        used = play_matches(
            self._begun(),
            MATCHES,
            self._generations == 0,
            self._network.mind(),
            positions,
            shares,
            self._rng,
            np.zeros(WORK, np.int8),
        )
        self.loss = self._network.learn(positions[:used], shares[:used])
        self._generations += 1

    def _begun(self) -> Any:
        load_bots(self._game)
        states = np.zeros(2, self._game.state)
        start_at(states, np.array(self._game.option_numbers, np.int64))
        return states

    def mind(self) -> Mind:
        """What was learned so far, as it is stored."""
        return self._network.mind().astype(np.float16).astype(np.float32)

    def strength(self) -> tuple[float, float]:
        shares = np.zeros(MEASURED)
        play_against(self._begun(), self.mind(), shares, generator(1), np.zeros(WORK, np.int8))
        return float(shares.mean()), float(1.96 * shares.std() / len(shares) ** 0.5)

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        first, bias, second = self._network.parts
        turns = json.dumps(self._turns.bit_generator.state).encode()
        return {
            "first": first,
            "bias": bias,
            "second": second,
            "rng": self._rng,
            "turns": np.frombuffer(turns, np.uint8),
            "generations": np.array(self._generations),
        }

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        self._network.parts = [memory[name] for name in ("first", "bias", "second")]
        self._rng[:] = memory["rng"]
        self._turns.bit_generator.state = json.loads(memory["turns"].tobytes())
        self._generations = int(memory["generations"])


@kernel
def play_against(states: Any, mind: Mind, shares: Any, rng: Rng, work: Cards) -> None:
    """Play from states[0], in states[1]: one seat by the estimates, the others by the reference."""
    s = states[1]
    for number in range(len(shares)):
        states[1] = states[0]
        chosen = number % int(s["players"])
        while s["phase"] != OVER:
            if rules.chance_due(s):
                deal_due(s, rng, work)
            seat = rules.turn(s)
            if seat == chosen:
                action = best_estimate(s, seat, mind, work)
            else:
                action = reference(s, seat, rng, work)
            rules.apply(s, seat, action)
        shares[number] = share_of(s, chosen)


@kernel
def share_of(s: State, seat: int) -> float:
    """The seat's share of the victory after a match."""
    found = winners(s)
    return 1.0 / count(np.uint64(found)) if found >> seat & 1 else 0.0


class Network:
    """One hidden layer of rectified units, then the chances of all seats (softmax)."""

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self._players, self._rng = players, rng
        self.parts = [
            rng.normal(0.0, 0.15, (INPUTS, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0.0, 0.2, (players, HIDDEN)).astype(np.float32),
        ]

    def mind(self) -> Mind:
        found = np.zeros((ROWS, HIDDEN), np.float32)
        found[:INPUTS], found[BIAS], found[OUTPUTS : OUTPUTS + self._players] = self.parts
        return found

    def learn(self, positions: Positions, shares: Floats) -> float:
        """Learn who won from which position; returns the mean loss of the last epoch."""
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        losses: list[float] = []
        batches = list(self._batches(len(positions)))
        for done, batch in enumerate(batches):
            loss, slopes = self._slopes(*self._turned(positions[batch], shares[batch]))
            losses.append(loss)
            step = STEP * (1 - done / len(batches))
            for k, slope in enumerate(slopes):
                means[k] += (1 - MEMORY[0]) * (slope - means[k])
                squares[k] += (1 - MEMORY[1]) * (slope * slope - squares[k])
                size = np.sqrt(squares[k] / (1 - MEMORY[1] ** (done + 1))) + TINY
                self.parts[k] -= step * means[k] / (1 - MEMORY[0] ** (done + 1)) / size
        return float(np.mean(losses[-len(batches) // EPOCHS :]))

    def _batches(self, size: int) -> Iterator[npt.NDArray[np.int64]]:
        for _ in range(EPOCHS):
            order = self._rng.permutation(size)
            for start in range(0, size - BATCH + 1, BATCH):
                yield order[start : start + BATCH]

    def _turned(self, positions: Positions, shares: Floats) -> tuple[Floats, Floats]:
        """The inputs and results, with seats and colours turned at random: both go round in a
        circle (A4, A7), so that every position is as good as 3 times as many, or 12."""
        players = self._players
        seats, colours = int(self._rng.integers(players)), int(self._rng.integers(COLOURS))
        gems = positions[:, :SUPPLY_AT].reshape(-1, SEATS, COLOURS)[:, :players]
        gems = np.roll(np.roll(gems, seats, 1), colours, 2).reshape(len(positions), -1)
        supply = np.roll(positions[:, SUPPLY_AT:TIME_AT], colours, 1)
        starters = positions[:, STARTER_AT].astype(np.int64)
        starters = np.where(starters == UNKNOWN, UNKNOWN, (starters + seats) % players)
        inputs = np.zeros((len(positions), INPUTS), np.float32)
        rows = np.arange(len(positions))
        for cell in range(COLOURS * players):
            inputs[rows, COUNTS * cell + gems[:, cell]] = 1
        for colour in range(COLOURS):
            inputs[rows, SUPPLIES + COUNTS * colour + supply[:, colour]] = 1
        inputs[rows, TIMES + positions[:, TIME_AT].astype(np.int64)] = 1
        inputs[rows, STARTERS + starters] = 1
        return inputs, np.roll(shares, seats, 1)

    def _slopes(self, inputs: Floats, shares: Floats) -> tuple[float, list[Floats]]:
        """The loss (cross entropy) and how it changes with each weight."""
        first, bias, second = self.parts
        layer = np.maximum(inputs @ first + bias, 0.0)
        scores = layer @ second.T
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        loss = -float((shares * np.log(chances + TINY)).sum(1).mean())
        errors = (chances - shares) / np.float32(len(inputs))
        back = (errors @ second) * (layer > 0.0)
        return loss, [inputs.T @ back, back.sum(0), errors.T @ layer]


def save(minds: dict[int, Mind], path: Path) -> None:
    weights = np.zeros((max(minds) + 1, ROWS, HIDDEN), np.float16)
    for players, mind in minds.items():
        weights[players] = mind
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, weights=weights)
