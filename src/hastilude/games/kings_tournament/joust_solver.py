"""Solves the committed joust (K5 to K7) as a game with one simultaneous choice per player.

Each player knows a hand and chooses a line, an ordered triple of its cards. Both hands are spent
whatever the lines are, so what comes after depends on the outcome and on both hands. It is priced:
the chance to win the game is a sum of one term per hand (see `Hands`).

The decks are independent, so all that matters about the other player is how often each line is met,
12 x 12 x 12 frequencies, and what the hands mean that it is played from. Against these, the worth
of every own line is computed beat by beat, without comparing lines in pairs.

The method is predictive CFR+: regret matching in every hand, with the last regret counted twice.
The averages over all rounds, in which later rounds count more, approach an equilibrium.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.kernel import kernel
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, WIDTH, Pile, size
from hastilude.games.kings_tournament.prospects import drawn_next
from hastilude.games.kings_tournament.rules import HAND, LINE

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Lines: TypeAlias = npt.NDArray[np.int16]  # lines as numbers, see `line_number`
Counts: TypeAlias = tuple[int, ...]  # the number of cards of each kind

LINES = KINDS**LINE
SCRATCH = (2, KINDS, KINDS, KINDS)  # cells that `add_up` may use

# What is added up over the lines of a player.
OFTEN, WINNING, LOSING = range(3)  # how often a line is met, and that times two terms of the hand
# What is known of a line against these.
WON, LOST, BALANCE = range(3)  # how often it wins and loses, and what the other's hands add to that
SUMS = (3, LINES)


class Outcomes(NamedTuple):
    """Whether a card decides the joust against the card it faces (K7), by both cards."""

    wins: Floats
    loses: Floats


@cache
def outcomes(margin: int) -> Outcomes:
    """If so much of a margin decides."""
    wins = (margin <= MARGIN).astype(np.float64)
    return Outcomes(wins, wins.T.copy())


def line_number(line: tuple[int, ...]) -> int:
    """A line as one number, in which the third card counts most, as in the joust."""
    first, second, third = line
    return (third * KINDS + second) * KINDS + first


def line_cards(number: int) -> tuple[int, int, int]:
    rest, first = divmod(number, KINDS)
    third, second = divmod(rest, KINDS)
    return first, second, third


class Prices(NamedTuple):
    """What cards are worth that a player will draw next, on average: how much each kind adds to a
    chance to win the game."""

    base: float
    first: Floats  # added to `base` for the player who is mounted and reveals first (K11)
    other: Floats  # the other's cards: added to the same chance
    again: Floats  # if the joust is repeated (K8): for the own cards, and against the other's


class Hands(NamedTuple):
    """The hands that can be drawn, with the lines that each can play and the terms of what comes
    after.

    Compared with another joust, a decided one moves `winning` of the winner's hand plus `losing` of
    the loser's from the loser's chance to the winner's.
    """

    chance: Floats  # of each hand
    start: Whole  # hand i plays line[start[i]] to line[start[i + 1] - 1]
    line: Lines
    winning: Floats
    losing: Floats
    again: Floats  # another joust: this minus that of the other is added to 1/2
    place: dict[tuple[int, ...], int]  # the index of a hand, as sorted cards


@cache
def _every_hand() -> tuple[list[tuple[int, ...]], Whole, Lines, npt.NDArray[np.bool_]]:
    """All hands of any deck; how many cards of each kind they have; their lines; and which of these
    lines are not duplicates because of equal cards."""
    hands = list(combinations_with_replacement(range(KINDS), HAND))
    cards = np.array(hands)
    counts = (cards[:, :, None] == np.arange(KINDS)).sum(axis=1)
    places = np.array(list(permutations(range(HAND), LINE)))
    first, second, third = cards[:, places.T].transpose(1, 0, 2)
    lines = np.sort((third * KINDS + second) * KINDS + first, axis=1).astype(np.int16)
    new = np.ones(lines.shape, np.bool_)
    new[:, 1:] = lines[:, 1:] != lines[:, :-1]
    return hands, counts, lines, new


def hands_of(deck: Counts, kept: Counts, whole: Counts, prices: Prices) -> Hands:
    """The hands of a player who holds the `kept` cards and draws the rest from the deck; `whole` is
    all of the player's cards, for a reshuffle (K13)."""
    hands, counts, lines, new = _every_hand()
    drawn = counts - np.array(kept)
    ways = np.array([[comb(cards, k) for k in range(HAND + 1)] for cards in deck], np.float64)
    chance = ways[np.arange(KINDS), np.maximum(drawn, 0)].prod(axis=1)
    chance[(drawn < 0).any(axis=1)] = 0
    possible = np.flatnonzero(chance)
    start = np.concatenate(([0], new[possible].sum(axis=1).cumsum()))
    draws = np.zeros((len(possible), KINDS))
    left = np.array(deck) + np.array(kept) - counts[possible]
    find_draws(_piles(left), _piles(np.array(whole)), draws)
    again = draws @ prices.again
    return Hands(
        chance=chance[possible] / chance.sum(),
        start=start,
        line=lines[possible][new[possible]],
        winning=prices.base - 0.5 + draws @ prices.first - again,
        losing=draws @ prices.other + again,
        again=again,
        place={hands[i]: place for place, i in enumerate(possible.tolist())},
    )


def _piles(counts: Whole) -> Any:
    """Counts of each kind as piles."""
    places = WIDTH * np.arange(KINDS, dtype=np.uint64)
    return (counts.astype(np.uint64) << places).sum(axis=-1)


@kernel
def find_draws(left: Any, whole: Pile, draws: Floats) -> None:
    """How many cards of each kind the next hand has on average, from each of the decks `left`."""
    cards = size(left[0])
    for hand in range(len(left)):
        for kind in range(KINDS):
            draws[hand, kind] = drawn_next(left[hand], cards, whole, kind)


@kernel
def find_worths(sums: Floats, wins: Floats, loses: Floats, worths: Floats, scratch: Floats) -> None:
    """What to know of each line against a player with these sums."""
    worths[:] = 0.0
    add_up(sums[OFTEN], wins, 1.0, worths[WON], scratch)
    add_up(sums[OFTEN], loses, 1.0, worths[LOST], scratch)
    add_up(sums[LOSING], wins, 1.0, worths[BALANCE], scratch)
    add_up(sums[WINNING], loses, -1.0, worths[BALANCE], scratch)


@kernel
def add_up(met: Floats, decides: Floats, factor: float, sums: Floats, scratch: Floats) -> None:
    """For each line, add up `met` over the lines that it wins against, if `decides` is `wins`, or
    that it loses against, and add that times the factor.

    From the first beat to the third, the other player's card is replaced by the own card: the
    result is that of the beat or, if it decides nothing, that of the beats before it.
    """
    by_first, by_second = scratch[0], scratch[1]
    lines = met.reshape(KINDS, KINDS, KINDS)
    results = sums.reshape(KINDS, KINDS, KINDS)
    by_first[:] = 0.0
    by_second[:] = 0.0
    for third in range(KINDS):
        for second in range(KINDS):
            often = 0.0  # how often these two are met
            for theirs in range(KINDS):
                often += lines[third, second, theirs]
                for own in range(KINDS):
                    by_first[third, second, own] += (
                        factor * lines[third, second, theirs] * decides[own, theirs]
                    )
            _add_beat(by_second[third], by_first[third, second], factor * often, decides, second)
    for third in range(KINDS):
        often = 0.0
        for number in range(third * KINDS * KINDS, (third + 1) * KINDS * KINDS):
            often += met[number]
        for own in range(KINDS):
            _add_beat(results[:, own], by_second[third, own], factor * often, decides, third)


@kernel
def _add_beat(sums: Floats, before: Floats, often: float, decides: Floats, theirs: int) -> None:
    """Add the result of meeting a card `often` with each own card; `before` is the result of the
    beats before, by the first card."""
    for own in range(KINDS):
        decided = often * decides[own, theirs]
        if not (decides[own, theirs] or decides[theirs, own]):  # the pair decides nothing
            for first in range(KINDS):
                sums[own, first] += before[first]
        else:
            for first in range(KINDS):
                sums[own, first] += decided


@kernel
def learn(
    worths: Floats,
    start: Whole,
    line: Lines,
    chance: Floats,
    winning: Floats,
    losing: Floats,
    regret: Floats,
    mix: Floats,
    total: Floats,
    weight: float,
    sums: Floats,
) -> None:
    """One round of predictive CFR+ in every hand of a player.

    `mix` has the probabilities of each hand's lines; the new ones are added to `total` with a
    weight, and `sums` becomes what the other player meets.
    """
    sums[:] = 0.0
    for hand in range(len(chance)):
        begin, end = start[hand], start[hand + 1]
        expected = 0.0
        for i in range(begin, end):
            gain = worth_of(worths, line[i], winning[hand], losing[hand])
            expected += mix[i] * gain
            mix[i] = gain
        hope = 0.0
        for i in range(begin, end):
            gain = mix[i] - expected
            regret[i] = max(0.0, regret[i] + gain)
            mix[i] = max(0.0, regret[i] + gain)  # the prediction: the last gain comes again
            hope += mix[i]
        for i in range(begin, end):
            mix[i] = mix[i] / hope if hope > 0.0 else 1.0 / (end - begin)
            if mix[i] > 0.0:
                total[i] += weight * mix[i]
                add_line(sums, line[i], chance[hand] * mix[i], winning[hand], losing[hand])


@kernel
def worth_of(worths: Floats, line: int, winning: float, losing: float) -> float:
    """How much more a line is worth than another joust, with a hand of these terms."""
    return worths[BALANCE, line] + winning * worths[WON, line] - losing * worths[LOST, line]


@kernel
def add_line(sums: Floats, line: int, often: float, winning: float, losing: float) -> None:
    sums[OFTEN, line] += often
    sums[WINNING, line] += often * winning
    sums[LOSING, line] += often * losing


@kernel
def find_sums(
    start: Whole,
    line: Lines,
    chance: Floats,
    winning: Floats,
    losing: Floats,
    total: Floats,
    sums: Floats,
) -> None:
    """What is met of a player whose hands play their lines in proportion to `total`."""
    sums[:] = 0.0
    for hand in range(len(chance)):
        begin, end = start[hand], start[hand + 1]
        whole = 0.0
        for i in range(begin, end):
            whole += total[i]
        for i in range(begin, end):
            often = chance[hand] * total[i] / whole
            add_line(sums, line[i], often, winning[hand], losing[hand])


@kernel
def best_worth(
    start: Whole, line: Lines, chance: Floats, winning: Floats, losing: Floats, worths: Floats
) -> float:
    """How much more than another joust it is worth to play the best line of every hand."""
    value = 0.0
    for hand in range(len(chance)):
        best = -np.inf
        for i in range(start[hand], start[hand + 1]):
            best = max(best, worth_of(worths, line[i], winning[hand], losing[hand]))
        value += chance[hand] * best
    return value
