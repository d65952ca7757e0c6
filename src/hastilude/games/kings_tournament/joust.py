"""Lines for committed jousts (K5), from an equilibrium that is solved for the remaining cards.

`python -m hastilude.games.kings_tournament.joust` solves the joust of two fresh decks again and
stores it in `joust_fresh.npz`.

>>> solution = fresh()
>>> solution.exploitability < 1e-4
True
>>> lines = solution.strategy(0, (0, 2, 5, 9, 11))  # cards by number: 1, 3, 6, 10, B
>>> max(lines, key=lines.get)  # first 6, second 10, third B
(5, 9, 11)
"""

import io
import time
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hastilude.core.random import Rng, draw
from hastilude.games.kings_tournament.cards import EMPTY, KINDS, Pile, copies, spread
from hastilude.games.kings_tournament.game import KingsTournament
from hastilude.games.kings_tournament.joust_solver import (
    LINES,
    SCRATCH,
    Floats,
    Hands,
    best_worth,
    find_worths,
    frequencies,
    hands_of,
    learn,
    line_cards,
    line_number,
    prizes,
)
from hastilude.games.kings_tournament.rules import BLOCKS, HAND, STRIKES

Line = tuple[int, int, int]  # first, second, third card

STORE = Path(__file__).with_name("joust_fresh.npz")
STORED_TOLERANCE = 1e-5
STORED_UNIT = 65535  # stored probabilities are multiples of 1 / this
# Lines less likely than this are left out. They are noise from the first rounds: without them a
# solution after few rounds is less exploitable, and one after thousands takes less space.
RARE = 0.05
RARE_STORED = 0.005
CHECK_EVERY = 25  # rounds between two checks of the time and the exploitability
ROUNDS = 200  # for a joust that is not stored, by default


class Draw(NamedTuple):
    """The cards that a hand is drawn from, as the number of each kind."""

    deck: tuple[int, ...]
    kept: tuple[int, ...] = (0,) * KINDS  # in hand already, from before a reshuffle (K13)

    @classmethod
    def of_piles(cls, deck: Pile, kept: Pile = EMPTY) -> "Draw":
        return cls(_counts(deck), _counts(kept))


class Values(NamedTuple):
    """The values of the joust for seat 0; seat 1 has the opposite."""

    win: float = 1.0
    lose: float = -1.0
    repeat: float = 0.0


EVEN = Values()


class Solution:
    """The strategy of each seat for each hand, and how far it is from an equilibrium.

    `value` is the expected result of seat 0. `exploitability` is how much a seat could gain with
    the best answer to the other's strategy, as the mean of both seats; it is exact.
    """

    def __init__(
        self, hands: tuple[Hands, Hands], mixes: tuple[Floats, Floats], values: Values
    ) -> None:
        self.hands = hands
        self.mixes = mixes
        self.values = values
        self._worths = np.zeros((2, LINES))
        best = 0.0
        for seat in range(2):
            other = 1 - seat
            met = _met(hands[other], mixes[other])
            find_worths(met, _prizes(values, seat), self._worths[seat], np.zeros(SCRATCH))
            best += best_worth(*_structure(hands[seat]), self._worths[seat])
        own = _met(hands[0], mixes[0])
        self.value = values.repeat + float(own @ self._worths[0])
        self.exploitability = best / 2

    def strategy(self, seat: int, hand: Sequence[int]) -> dict[Line, float]:
        """The probability of each line that the seat may play from these five cards."""
        hands = self.hands[seat]
        place = hands.place[tuple(sorted(hand))]
        chosen = slice(hands.start[place], hands.start[place + 1])
        mix = self.mixes[seat][chosen]
        lines = hands.line[chosen].tolist()
        return dict(zip(map(line_cards, lines), (mix / mix.sum()).tolist(), strict=True))

    def worth(self, seat: int, line: Line) -> float:
        """The expected result of a seat's line against the other's strategy."""
        repeat = self.values.repeat if seat == 0 else -self.values.repeat
        return repeat + float(self._worths[seat, line_number(line)])

    def without(self, rare: float) -> "Solution":
        """The same solution without lines less likely than `rare`."""
        mixes = tuple(_without(*pair, rare) for pair in zip(self.hands, self.mixes, strict=True))
        return Solution(self.hands, mixes, self.values)  # type: ignore[arg-type]  # it is a pair


def solve(
    deck_a: Draw,
    deck_b: Draw,
    values: Values = EVEN,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    tolerance: float = 0.0,
) -> Solution:
    """Solve a joust until a limit is reached; by default, to an exploitability of 1e-4.

    With `iterations` as the only limit, the result is reproducible.
    """
    if seconds is None and iterations is None:
        tolerance = tolerance or 1e-4
    began = time.perf_counter()
    hands = hands_of(*deck_a), hands_of(*deck_b)
    for done, totals in enumerate(_rounds(hands, values), start=1):
        if iterations is not None and done >= iterations:
            break
        if done % CHECK_EVERY == 0:
            if seconds is not None and time.perf_counter() - began >= seconds:
                break
            if tolerance and Solution(hands, totals, values).exploitability <= tolerance:
                break
    return Solution(hands, totals, values)


def _rounds(hands: tuple[Hands, Hands], values: Values) -> Iterator[tuple[Floats, Floats]]:
    """Rounds of CFR+, in which the seats learn in turn; yields the weighted sums of their
    strategies."""
    mixes = _even(hands[0]), _even(hands[1])
    regrets = np.zeros_like(mixes[0]), np.zeros_like(mixes[1])
    totals = np.zeros_like(mixes[0]), np.zeros_like(mixes[1])
    met = _met(hands[0], mixes[0]), _met(hands[1], mixes[1])
    worth, scratch = np.zeros(LINES), np.zeros(SCRATCH)
    paid = _prizes(values, 0), _prizes(values, 1)
    done = 0
    while True:
        done += 1
        for seat in range(2):
            find_worths(met[1 - seat], paid[seat], worth, scratch)
            learn(
                worth, *_structure(hands[seat]),
                regrets[seat], mixes[seat], totals[seat], float(done**2), met[seat],
            )  # fmt: skip
        yield totals


def _even(hands: Hands) -> Floats:
    """Every line of a hand equally likely."""
    lines = np.diff(hands.start)
    return np.repeat(1.0 / lines, lines)


def _without(hands: Hands, mix: Floats, rare: float) -> Floats:
    begins, lines = hands.start[:-1], np.diff(hands.start)
    shares = mix / np.repeat(np.add.reduceat(mix, begins), lines)
    likeliest = np.repeat(np.maximum.reduceat(shares, begins), lines)
    return np.where(shares < np.minimum(rare, likeliest), 0.0, shares)


def _structure(hands: Hands) -> tuple[Any, Any, Floats]:
    return hands.start, hands.line, hands.chance


def _met(hands: Hands, mix: Floats) -> Floats:
    met = np.zeros(LINES)
    frequencies(*_structure(hands), mix, met)
    return met


def _prizes(values: Values, seat: int) -> Floats:
    """How much more a decided pair is worth than a repeated joust."""
    win, lose = values.win - values.repeat, values.lose - values.repeat
    return prizes(win, lose) if seat == 0 else prizes(-lose, -win)


def _counts(pile: Pile) -> tuple[int, ...]:
    return tuple(copies(pile, card) for card in range(KINDS))


# --- fresh decks --------------------------------------------------------------------------------

_usual = next(option for option in KingsTournament.known_options if option.name == "values")
FRESH = Draw((*_usual.default, STRIKES, BLOCKS))  # the usual deck, whole


@cache
def fresh() -> Solution:
    """The stored solution of the joust between two whole decks."""
    hands = hands_of(*FRESH)
    with np.load(STORE) as stored:
        mix = stored["mix"].astype(np.float64)
    return Solution((hands, hands), (mix, mix), EVEN)


def store(tolerance: float = STORED_TOLERANCE) -> Solution:
    """Solve the joust of fresh decks and store seat 0's strategy, which works for both seats."""
    solution = solve(FRESH, FRESH, tolerance=tolerance).without(RARE_STORED)
    mix = np.rint(solution.mixes[0] * STORED_UNIT).astype(np.uint16)
    content = io.BytesIO()
    np.savez_compressed(content, mix=mix)
    STORE.write_bytes(content.getvalue())
    fresh.cache_clear()
    return fresh()


# --- choosing -----------------------------------------------------------------------------------


def choose_line(
    redacted: Any, seat: int, rng: Rng, budget: int = ROUNDS, values: Values = EVEN
) -> Line:
    """A line for a seat that must choose one; `redacted` is the result of `Match.redacted(seat)`.

    Cards that it has already chosen stay. Jousts of fresh decks are looked up; others are solved in
    `budget` rounds.
    """
    solution = _solution_at(redacted, values, budget)
    lines = _lines_at(redacted, seat, solution)
    return _pick(lines, rng) or max(lines, key=lambda line: solution.worth(seat, line))


def line_shares(redacted: Any, seat: int, budget: int = ROUNDS) -> dict[Line, float]:
    """How often good play chooses each line that begins with the cards already chosen, without rare
    ones; empty if it would not have chosen these cards."""
    lines = _lines_at(redacted, seat, _solution_at(redacted, EVEN, budget))
    total = sum(lines.values())
    return {line: likely / total for line, likely in lines.items() if likely > RARE * total}


def _solution_at(redacted: Any, values: Values, budget: int) -> Solution:
    r = redacted[0]
    draws = [Draw.of_piles(r["total"] - r["seen"][p] - r["kept"][p], r["kept"][p]) for p in (0, 1)]
    return _solution(draws[0], draws[1], values, budget)


def _lines_at(redacted: Any, seat: int, solution: Solution) -> dict[Line, float]:
    """The probabilities of the lines that begin with the cards already chosen."""
    r = redacted[0]
    begun = tuple(r["choice"][seat, : r["chosen"][seat]].tolist())
    cards = np.zeros(HAND, np.int8)
    left = spread(r["hand"][seat], cards)
    hand = (*begun, *cards[:left].tolist())
    return {
        line: likely
        for line, likely in solution.strategy(seat, hand).items()
        if line[: len(begun)] == begun
    }


def _solution(a: Draw, b: Draw, values: Values, budget: int) -> Solution:
    if a == b == FRESH and values.win - values.repeat == values.repeat - values.lose:
        return fresh()
    return _solved(a, b, values, budget)


@lru_cache(maxsize=8)  # about 4 MB each
def _solved(a: Draw, b: Draw, values: Values, budget: int) -> Solution:
    return solve(a, b, values, iterations=budget).without(RARE)


def _pick(lines: dict[Line, float], rng: Rng) -> Line | None:
    """A random line by its probability; None if all are 0."""
    at = sum(lines.values()) * (int(draw(rng)) / 2**64)
    for line, likely in lines.items():
        at -= likely
        if at < 0:
            return line
    return None


def main() -> None:
    began = time.perf_counter()
    solution = store()
    seconds = time.perf_counter() - began
    size = STORE.stat().st_size
    print(
        f"{STORE.name}: exploitability {solution.exploitability:.2e}, {seconds:.1f} s, {size} bytes"
    )


if __name__ == "__main__":
    main()
