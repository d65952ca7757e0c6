"""Lines for committed jousts (K5), from an equilibrium that is solved for the remaining cards.

What is at stake is the chance to win the game, in the priced game: after a decided joust it is what
`prospects` says of the decks that are left, and after another joust (K8) a linear function of them
too. The prices of that are fitted to the solved joust.

`hastilude train kings_tournament` fits them, solves the joust of two fresh decks and stores both in
`joust_fresh.npz`.

>>> solution = fresh()
>>> solution.exploitability < 1e-5
True
>>> lines = solution.strategy(0, (0, 2, 5, 9, 11))  # cards by number: 1, 3, 6, 10, B
>>> max(lines, key=lines.get)  # first 6, second 10, third B
(5, 9, 11)
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hastilude.core.files import replacing
from hastilude.core.random import Rng, draw, generator, shuffle
from hastilude.games.kings_tournament.blueprint import blueprint
from hastilude.games.kings_tournament.cards import KINDS, Pile, copies, spread
from hastilude.games.kings_tournament.joust_solver import (
    BALANCE,
    LOSING,
    LOST,
    OFTEN,
    SCRATCH,
    SUMS,
    WINNING,
    WON,
    Counts,
    Floats,
    Hands,
    Prices,
    best_worth,
    find_sums,
    find_worths,
    hands_of,
    learn,
    line_cards,
    line_number,
    outcomes,
    worth_of,
)
from hastilude.games.kings_tournament.rules import HAND, UNHORSING, USUAL_DECK

Line = tuple[int, int, int]  # first, second, third card

STORE = Path(__file__).with_name("joust_fresh.npz")
STORED_TOLERANCE = 1e-6
STORED_UNIT = 65535  # stored probabilities are multiples of 1 / this
# Lines less likely than this are left out. They are noise from the first rounds: without them a
# solution after few rounds is less exploitable, and one after thousands takes less space.
RARE = 0.05
RARE_STORED = 0.005
CHECK_EVERY = 25  # rounds between two checks of the time and the exploitability
ROUNDS = 200  # for a joust that is not stored, by default
FITS, FIT_ROUNDS, FIT_DECKS = 3, 300, 500  # for the prices of another joust


class Draw(NamedTuple):
    """The cards that a hand is drawn from, as the number of each kind."""

    deck: Counts
    kept: Counts = (0,) * KINDS  # in hand already, from before a reshuffle (K13)
    whole: Counts = USUAL_DECK  # all cards of the player

    @classmethod
    def of_piles(cls, deck: Pile, kept: Pile, whole: Pile) -> "Draw":
        return cls(*map(_counts, (deck, kept, whole)))


FRESH = Draw(USUAL_DECK)  # the usual deck, whole


class Solution:
    """The strategy of each seat for each hand, and how far it is from an equilibrium.

    The unit is the chance to win the game, from 0 to 1. `value` is that of seat 0. `exploitability`
    is how much a seat could gain with the best answer to the other's strategy, as the mean of both
    seats; in the priced game it is exact.
    """

    def __init__(
        self, hands: tuple[Hands, Hands], mixes: tuple[Floats, Floats], margin: int = UNHORSING
    ) -> None:
        self.hands = hands
        self.mixes = mixes
        self.margin = margin
        self._worths = np.zeros((2, *SUMS))
        sums = [_sums(*pair) for pair in zip(hands, mixes, strict=True)]
        best = 0.0
        for seat in range(2):
            find_worths(sums[1 - seat], *outcomes(margin), self._worths[seat], np.zeros(SCRATCH))
            best += best_worth(*_structure(hands[seat]), self._worths[seat])
        own, worths = sums[0], self._worths[0]
        played = worths[BALANCE] @ own[OFTEN]
        played += worths[WON] @ own[WINNING] - worths[LOST] @ own[LOSING]
        self._again = [float(one.chance @ one.again) for one in hands]
        self.value = 0.5 + self._again[0] - self._again[1] + float(played)
        self.exploitability = best / 2

    def strategy(self, seat: int, hand: Sequence[int]) -> dict[Line, float]:
        """The probability of each line that the seat may play from these five cards."""
        hands = self.hands[seat]
        place = hands.place[tuple(sorted(hand))]
        chosen = slice(hands.start[place], hands.start[place + 1])
        mix = self.mixes[seat][chosen]
        lines = hands.line[chosen].tolist()
        return dict(zip(map(line_cards, lines), (mix / mix.sum()).tolist(), strict=True))

    def worth(self, seat: int, hand: Sequence[int], line: Line) -> float:
        """The chance of a seat that plays a line of this hand against the other's strategy."""
        hands = self.hands[seat]
        place = hands.place[tuple(sorted(hand))]
        again = 0.5 + hands.again[place] - self._again[1 - seat]
        terms = hands.winning[place], hands.losing[place]
        return float(again + worth_of(self._worths[seat], line_number(line), *terms))

    def without(self, rare: float) -> "Solution":
        """The same solution without lines less likely than `rare`."""
        mixes = tuple(_without(*pair, rare) for pair in zip(self.hands, self.mixes, strict=True))
        return Solution(self.hands, mixes, self.margin)  # type: ignore[arg-type]  # it is a pair


def solve(
    deck_a: Draw,
    deck_b: Draw,
    prices: Prices | None = None,
    *,
    margin: int = UNHORSING,
    seconds: float | None = None,
    iterations: int | None = None,
    tolerance: float = 0.0,
) -> Solution:
    """Solve a joust until a limit is reached; by default, to an exploitability of 1e-5.

    With `iterations` as the only limit, the result is reproducible. The prices are the stored ones,
    if not given; those are fitted to the printed rules.
    """
    if seconds is None and iterations is None:
        tolerance = tolerance or 1e-5
    began = time.perf_counter()
    prices = prices or stored_prices()
    hands = hands_of(*deck_a, prices), hands_of(*deck_b, prices)
    for done, totals in enumerate(_rounds(hands, margin), start=1):
        if iterations is not None and done >= iterations:
            break
        if done % CHECK_EVERY == 0:
            if seconds is not None and time.perf_counter() - began >= seconds:
                break
            if tolerance and Solution(hands, totals, margin).exploitability <= tolerance:
                break
    return Solution(hands, totals, margin)


def _rounds(hands: tuple[Hands, Hands], margin: int) -> Iterator[tuple[Floats, Floats]]:
    """Rounds of CFR+, in which the seats learn in turn; yields the weighted sums of their
    strategies."""
    mixes = _even(hands[0]), _even(hands[1])
    regrets = np.zeros_like(mixes[0]), np.zeros_like(mixes[1])
    totals = np.zeros_like(mixes[0]), np.zeros_like(mixes[1])
    sums = _sums(hands[0], mixes[0]), _sums(hands[1], mixes[1])
    worths, scratch = np.zeros(SUMS), np.zeros(SCRATCH)
    done = 0
    while True:
        done += 1
        for seat in range(2):
            find_worths(sums[1 - seat], *outcomes(margin), worths, scratch)
            learn(
                worths, *_structure(hands[seat]),
                regrets[seat], mixes[seat], totals[seat], float(done**2), sums[seat],
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


def _structure(hands: Hands) -> tuple[Any, Any, Floats, Floats, Floats]:
    return hands.start, hands.line, hands.chance, hands.winning, hands.losing


def _sums(hands: Hands, mix: Floats) -> Floats:
    sums = np.zeros(SUMS)
    find_sums(*_structure(hands), mix, sums)
    return sums


def _counts(pile: Pile) -> tuple[int, ...]:
    return tuple(copies(pile, card) for card in range(KINDS))


# --- prices -------------------------------------------------------------------------------------


@cache
def stored_prices() -> Prices:
    with np.load(STORE) as stored:
        return melee_prices(blueprint().prices)._replace(again=stored["again"])


def melee_prices(found: Floats) -> Prices:
    """Prices from those of `prospects`. Another joust is taken to be even, whatever the decks
    are."""
    first, other, base = np.split(found[1], (KINDS, 2 * KINDS))
    return Prices(float(base[0]), first, other, (first - other) / 2)


def fit_prices(prices: Prices) -> Prices:
    """Fit the prices of another joust to what a joust is worth with random rests of a fresh deck.

    It is played by the strategy of fresh decks. In first order this makes no difference: a small
    change of the strategy changes the value of an equilibrium by nothing.
    """
    for _ in range(FITS):
        solution = solve(FRESH, FRESH, prices, iterations=FIT_ROUNDS)
        decks, rng = np.repeat(np.arange(KINDS), USUAL_DECK).astype(np.int8), generator(1)
        draws, values = [], []
        for number in range(FIT_DECKS):
            shuffle(rng, decks, len(decks))
            left = decks[HAND * (1 + number % 2) :]  # one or two jousts decided nothing
            deck = np.bincount(left, minlength=KINDS)
            draws.append(HAND * deck / len(left))
            values.append(_value_of(tuple(deck.tolist()), solution, prices) - solution.value)
        more = np.array(draws) - HAND * np.array(USUAL_DECK) / len(decks)
        prices = prices._replace(again=np.linalg.lstsq(more, np.array(values), rcond=1e-9)[0])
    return prices


def _value_of(deck: Counts, solution: Solution, prices: Prices) -> float:
    """The chance of seat 0 with a deck other than that of the solution."""
    hands, solved = hands_of(*Draw(deck), prices), solution.hands[0]
    possible = np.repeat([hand in hands.place for hand in solved.place], np.diff(solved.start))
    mixes = solution.mixes[0][possible], solution.mixes[1]
    return Solution((hands, solution.hands[1]), mixes).value


# --- fresh decks --------------------------------------------------------------------------------


@cache
def fresh() -> Solution:
    """The stored solution of the joust between two whole decks."""
    hands = hands_of(*FRESH, stored_prices())
    with np.load(STORE) as stored:
        mix = stored["mix"].astype(np.float64)
    return Solution((hands, hands), (mix, mix))


def solve_fresh(prices: Prices) -> Solution:
    """Solve the joust of fresh decks, as exactly as it is stored. The strategy of seat 0 works for
    both seats."""
    solution = solve(FRESH, FRESH, prices, tolerance=STORED_TOLERANCE).without(RARE_STORED)
    mix = np.rint(solution.mixes[0] * STORED_UNIT)
    return Solution(solution.hands, (mix, mix))


def save(solution: Solution, prices: Prices, path: Path) -> None:
    """Store the solution of fresh decks with the prices of another joust."""
    mix = solution.mixes[0].astype(np.uint16)
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, mix=mix, again=prices.again)


# --- choosing -----------------------------------------------------------------------------------


def choose_line(redacted: Any, seat: int, rng: Rng, budget: int = ROUNDS) -> Line:
    """A line for a seat that must choose one; `redacted` is the result of `Match.redacted(seat)`.

    Cards that it has already chosen stay. Jousts of fresh decks are looked up; others, and those
    with another margin (K17), are solved in `budget` rounds.
    """
    solution = _solution_at(redacted, budget)
    hand, begun = _hand_at(redacted, seat)
    lines = _lines_from(begun, solution.strategy(seat, hand))
    return _pick(lines, rng) or max(lines, key=lambda line: solution.worth(seat, hand, line))


def line_shares(redacted: Any, seat: int, budget: int = ROUNDS) -> dict[Line, float]:
    """How often good play chooses each line that begins with the cards already chosen, without rare
    ones; empty if it would not have chosen these cards."""
    hand, begun = _hand_at(redacted, seat)
    lines = _lines_from(begun, _solution_at(redacted, budget).strategy(seat, hand))
    total = sum(lines.values())
    return {line: likely / total for line, likely in lines.items() if likely > RARE * total}


def _solution_at(redacted: Any, budget: int) -> Solution:
    r = redacted[0]
    total, kept = r["total"], r["kept"]
    a, b = (Draw.of_piles(total - r["seen"][p] - kept[p], kept[p], total) for p in (0, 1))
    margin = int(r["joust_margin"])
    is_stored = a == b == FRESH and margin == UNHORSING
    return fresh() if is_stored else _solved(a, b, margin, budget)


@lru_cache(maxsize=8)  # about 4 MB each
def _solved(a: Draw, b: Draw, margin: int, budget: int) -> Solution:
    return solve(a, b, iterations=budget, margin=margin).without(RARE)


def _hand_at(redacted: Any, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A seat's five cards, and those of them that it has already chosen."""
    r = redacted[0]
    begun = tuple(r["choice"][seat, : r["chosen"][seat]].tolist())
    cards = np.zeros(HAND, np.int8)
    left = spread(r["hand"][seat], cards)
    return (*begun, *cards[:left].tolist()), begun


def _lines_from(begun: tuple[int, ...], lines: dict[Line, float]) -> dict[Line, float]:
    return {line: likely for line, likely in lines.items() if line[: len(begun)] == begun}


def _pick(lines: dict[Line, float], rng: Rng) -> Line | None:
    """A random line by its probability; None if all are 0."""
    at = sum(lines.values()) * (int(draw(rng)) / 2**64)
    for line, likely in lines.items():
        at -= likely
        if at < 0:
            return line
    return None
