"""Learns what the bots of King's Tournament know: `hastilude train kings_tournament`.

First the blueprint of melee hands, with the prices of its games; then the joust, which is solved
with these prices. They are stored in `melee.npz` and `joust_fresh.npz`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import hastilude
from hastilude.bots.knowledge import load_bots
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator, pick
from hastilude.core.rules import apply, chance_due, legal, turn
from hastilude.games.kings_tournament import blueprint, joust
from hastilude.games.kings_tournament.joust import Solution
from hastilude.games.kings_tournament.joust_solver import Floats, Prices, hands_of
from hastilude.games.kings_tournament.melee import Memory, Shares
from hastilude.games.kings_tournament.prospects import fit
from hastilude.games.kings_tournament.reference import reference
from hastilude.games.kings_tournament.responder import (
    begin_game,
    by_strategy,
    in_melee,
    new_scratch,
)
from hastilude.games.kings_tournament.rules import SEATS, STATE

NAME = "kings_tournament"
TRAVERSALS = 196_667  # per round
PACE = 20_000  # traversals between two chances to interrupt it
MEASURED = 5_000  # games


class Hands:
    """The course that learns the blueprint."""

    name = "melee"
    rounds = 30
    share = 10.0
    measure = "win share in melees against the reference"

    def __init__(self, seed: int) -> None:
        self._rng = generator(seed + 1)
        self._cards = blueprint.whole_deck()
        self._memory = blueprint.empty_memory()
        self._done = 0  # traversals

    def practise(self, done: float) -> None:
        end = self._done + TRAVERSALS
        while self._done < end:
            some = min(PACE, end - self._done)
            blueprint.train(self._done, some, self._cards, self._memory, self._rng)
            self._done += some

    def strength(self) -> tuple[float, float]:
        share = wins_against_reference(blueprint.average(self._memory), MEASURED) / MEASURED
        return share, float(1.96 * (share * (1.0 - share) / MEASURED) ** 0.5)

    @cached_property
    def shares(self) -> Shares:
        """The blueprint, when the course is over."""
        return blueprint.average(self._memory)

    @cached_property
    def prices(self) -> Floats:
        """The prices of its games, as exact as they are stored."""
        return fit(self.shares, self._cards).astype(np.float32).astype(np.float64)

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        return changing_parts(self._memory) | {
            "cards": self._cards,
            "rng": self._rng,
            "done": np.array(self._done),
        }

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        for name, part in changing_parts(self._memory).items():
            part[...] = memory[name]
        self._cards[:], self._rng[:] = memory["cards"], memory["rng"]
        self._done = int(memory["done"])


def changing_parts(memory: Memory) -> dict[str, npt.NDArray[Any]]:
    """What is learned from one traversal to the next."""
    return {
        "regrets": memory.nodes["regrets"],
        "sums": memory.sums,
        "prospects": memory.deal["prospects"],
    }


class Lines:
    """The course that solves the joust of fresh decks. It takes a single round."""

    name = "joust"
    rounds = 1
    share = 1.0
    measure = "exploitability in chance to win"

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self.prices: Prices | None = None
        self.solution: Solution | None = None

    def practise(self, done: float) -> None:
        self.prices = joust.fit_prices(joust.melee_prices(self._hands.prices))
        self.solution = joust.solve_fresh(self.prices)

    def strength(self) -> tuple[float, float]:
        """Before it is solved, nothing is known: it may be 1."""
        return (self.solution.exploitability if self.solution else 1.0), 0.0

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        if self.solution is None or self.prices is None:
            return {}
        return {"mix": self.solution.mixes[0], "again": self.prices.again}

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        if memory:
            prices = joust.melee_prices(self._hands.prices)
            self.prices = prices._replace(again=memory["again"])
            hands = hands_of(*joust.FRESH, self.prices)
            self.solution = Solution((hands, hands), (memory["mix"], memory["mix"]))


def courses(seed: int) -> Sequence[Any]:
    hands = Hands(seed)
    return hands, Lines(hands)


def store(courses: Sequence[Any], folder: Path) -> None:
    hands, lines = courses
    if lines.solution is None:  # the time was over before
        lines.practise(0.0)
    blueprint.save(hands.shares, hands.prices, folder / blueprint.STORE.name)
    joust.save(lines.solution, lines.prices, folder / joust.STORE.name)


def wins_against_reference(shares: Shares, games: int, seed: int = 2) -> int:
    """How many games a blueprint wins in the melee against the reference policy."""
    game = hastilude.load(NAME, best_of=1)
    load_bots(game)
    scratch = new_scratch()
    scratch.states[0] = np.frombuffer(game.new(seed=0).state, STATE)[0]
    return count_wins(games, shares, scratch, generator(seed))


@kernel
def count_wins(games: int, shares: Shares, scratch: Any, rng: Rng) -> int:
    """Lines of jousts are random; everybody is mounted as often after them."""
    s, won = scratch.states[1], 0
    for number in range(games):
        seat = number % SEATS
        begin_game(s, scratch, rng)
        while s["fallen"] < 0:
            player = turn(s)
            if not in_melee(s):
                card = pick(rng, legal(s, player))
            elif player == seat:
                card = by_strategy(s, player, shares, rng)
            else:
                card = reference(s, player, rng, scratch.work)
            apply(s, player, card)
            if s["fallen"] < 0 and chance_due(s):
                deal_due(s, rng, scratch.work)
        won += int(s["fallen"] != seat)
    return won
