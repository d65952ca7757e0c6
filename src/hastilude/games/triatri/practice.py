"""Trains the network of TriATri's prospects by self-play.

`python -m hastilude.games.triatri.practice` stores it in `prospects.npz`, which takes about 12
minutes of one core. Again and again, instinct plays matches by the present network, with a few
random choices, so that unusual positions come up too; then the network learns who won from which
position. The first matches are played by the reference policy.
"""

import time
from collections.abc import Iterator
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
from hastilude.games.triatri.instinct import instinct
from hastilude.games.triatri.prospects import (
    BIAS,
    COUNTS,
    HIDDEN,
    INPUTS,
    OUTPUTS,
    ROWS,
    SEATS,
    STARTERS,
    STORE,
    SUPPLIES,
    TIMES,
    UNKNOWN,
    Mind,
)
from hastilude.games.triatri.reference import reference
from hastilude.games.triatri.rules import COLOURS, DEAL, NAME, OVER, ROUNDS, TRICKS, winners

PLAYERS = (2, 3, 4)
GENERATIONS = 8
MATCHES = 150_000  # per generation
RANDOM_CHOICES = 0.05
POSITIONS = ROUNDS * (TRICKS + 1)  # of a match, at most
EPOCHS = 3
BATCH = 4096
STEP = 3e-3  # of Adam, falling to 0 in each generation
MEMORY = (0.9, 0.999)  # of Adam: for the gradient and for its square
TINY = 1e-8

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
        found = winners(s)
        for seat in range(int(s["players"])):
            if found >> seat & 1:
                shares[begun:used, seat] = 1.0 / count(np.uint64(found))
            else:
                shares[begun:used, seat] = 0.0
    return used


@kernel
def play_one(s: State, first: bool, mind: Mind, rng: Rng, work: Cards) -> None:
    seat = rules.turn(s)
    if unit(rng) < RANDOM_CHOICES:
        action = pick(rng, rules.legal(s, seat))
    elif first:
        action = reference(s, seat, rng, work)
    else:
        action = instinct(s, seat, mind, rng, work)
    rules.apply(s, seat, action)


def train(players: int, seed: int = 0) -> Mind:
    """The network for a number of players."""
    game = hastilude.load("triatri", players=players)
    load_bots(game)
    states = np.zeros(2, game.state)
    start_at(states, np.array(game.option_numbers, np.int64))
    positions = np.zeros((MATCHES * POSITIONS, CELLS), np.int8)
    shares = np.zeros((MATCHES * POSITIONS, players), np.float32)
    rng, work = generator(seed), np.zeros(WORK, np.int8)
    network = Network(players, np.random.default_rng(seed))
    for generation in range(GENERATIONS):
        first = generation == 0
        mind = network.mind()
        used = play_matches(states, MATCHES, first, mind, positions, shares, rng, work)
        loss = network.learn(positions[:used], shares[:used])
        print(f"{players} players, generation {generation}: {used} positions, loss {loss:.4f}")
    return network.mind()


class Network:
    """One hidden layer of rectified units, then the chances of all seats (softmax)."""

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self._players, self._rng = players, rng
        self._parts = [
            rng.normal(0.0, 0.15, (INPUTS, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0.0, 0.2, (players, HIDDEN)).astype(np.float32),
        ]

    def mind(self) -> Mind:
        found = np.zeros((ROWS, HIDDEN), np.float32)
        found[:INPUTS], found[BIAS], found[OUTPUTS : OUTPUTS + self._players] = self._parts
        return found

    def learn(self, positions: Positions, shares: Floats) -> float:
        """Learn who won from which position; returns the mean loss of the last epoch."""
        means = [np.zeros_like(part) for part in self._parts]
        squares = [np.zeros_like(part) for part in self._parts]
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
                self._parts[k] -= step * means[k] / (1 - MEMORY[0] ** (done + 1)) / size
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
        first, bias, second = self._parts
        layer = np.maximum(inputs @ first + bias, 0.0)
        scores = layer @ second.T
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        loss = -float((shares * np.log(chances + TINY)).sum(1).mean())
        errors = (chances - shares) / np.float32(len(inputs))
        back = (errors @ second) * (layer > 0.0)
        return loss, [inputs.T @ back, back.sum(0), errors.T @ layer]


def main() -> None:
    began = time.perf_counter()
    weights = np.zeros((max(PLAYERS) + 1, ROWS, HIDDEN), np.float16)
    for players in PLAYERS:
        weights[players] = train(players)
    with replacing(STORE) as draft, draft.open("wb") as file:
        np.savez_compressed(file, weights=weights)
    print(f"{STORE.name}: {time.perf_counter() - began:.0f} s, {STORE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
