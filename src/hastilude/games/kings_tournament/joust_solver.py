"""Solves the committed joust (K5 to K7) as a game with one simultaneous choice per player.

Each player knows a hand and chooses a line, an ordered triple of its cards. The decks are
independent, so all that matters about the other player is how often each line is met: 12 x 12 x 12
frequencies. Against these, the worth of every own line is computed beat by beat, without comparing
lines in pairs.

The method is predictive CFR+: regret matching in every hand, with the last regret counted twice.
The averages over all rounds, in which later rounds count more, approach an equilibrium.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.kernel import kernel
from hastilude.games.kings_tournament.cards import KINDS, MARGIN
from hastilude.games.kings_tournament.rules import HAND, LINE, UNHORSING

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Lines: TypeAlias = npt.NDArray[np.int16]  # lines as numbers, see `line_number`

LINES = KINDS**LINE
SCRATCH = (2, KINDS, KINDS, KINDS)  # cells that `find_worths` may use

WON = (MARGIN >= UNHORSING).astype(np.float64)  # K7, by own card and the card it faces
LOST = WON.T.copy()
OPEN = 1.0 - WON - LOST  # whether a pair decides nothing


def line_number(line: tuple[int, ...]) -> int:
    """A line as one number, in which the third card counts most, as in the joust."""
    first, second, third = line
    return (third * KINDS + second) * KINDS + first


def line_cards(number: int) -> tuple[int, int, int]:
    rest, first = divmod(number, KINDS)
    third, second = divmod(rest, KINDS)
    return first, second, third


class Hands(NamedTuple):
    """The hands that can be drawn, with the lines that each can play."""

    chance: Floats  # of each hand
    start: Whole  # hand i plays line[start[i]] to line[start[i + 1] - 1]
    line: Lines
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


def hands_of(deck: tuple[int, ...], kept: tuple[int, ...]) -> Hands:
    """The hands of a player who holds the `kept` cards and draws the rest from the deck; both are
    given as the number of cards of each kind."""
    hands, counts, lines, new = _every_hand()
    drawn = counts - np.array(kept)
    ways = np.array([[comb(cards, k) for k in range(HAND + 1)] for cards in deck], np.float64)
    chance = ways[np.arange(KINDS), np.maximum(drawn, 0)].prod(axis=1)
    chance[(drawn < 0).any(axis=1)] = 0
    possible = np.flatnonzero(chance)
    start = np.concatenate(([0], new[possible].sum(axis=1).cumsum()))
    return Hands(
        chance=chance[possible] / chance.sum(),
        start=start,
        line=lines[possible][new[possible]],
        place={hands[i]: place for place, i in enumerate(possible.tolist())},
    )


def prizes(win: float, lose: float) -> Floats:
    """The worth of a pair to the player of a card, by the card it faces and the card."""
    return win * WON.T + lose * LOST.T


@kernel
def find_worths(met: Floats, prize: Floats, worth: Floats, scratch: Floats) -> None:
    """The worth of each line against a player whose lines are met with these frequencies; a
    repeated joust is worth nothing.

    From the first beat to the third, the other player's card is replaced by the own card: the
    result is the worth of the beat or, if it decides nothing, that of the beats before it.
    """
    by_first, by_second = scratch[0], scratch[1]
    lines = met.reshape(KINDS, KINDS, KINDS)
    worths = worth.reshape(KINDS, KINDS, KINDS)
    by_first[:] = 0.0
    by_second[:] = 0.0
    worths[:] = 0.0
    for third in range(KINDS):
        for second in range(KINDS):
            often = 0.0  # how often these two are met
            for theirs in range(KINDS):
                often += lines[third, second, theirs]
                for own in range(KINDS):
                    by_first[third, second, own] += (
                        lines[third, second, theirs] * prize[theirs, own]
                    )
            _add_beat(by_second[third], by_first[third, second], often, prize, second)
    for third in range(KINDS):
        often = 0.0
        for number in range(third * KINDS * KINDS, (third + 1) * KINDS * KINDS):
            often += met[number]
        for own in range(KINDS):
            _add_beat(worths[:, own], by_second[third, own], often, prize, third)


@kernel
def _add_beat(worth: Floats, before: Floats, often: float, prize: Floats, theirs: int) -> None:
    """Add the worth of meeting a card `often` with each own card; `before` is the worth of the
    beats before, by the first card."""
    for own in range(KINDS):
        decided = often * prize[theirs, own]
        if OPEN[own, theirs]:
            for first in range(KINDS):
                worth[own, first] += before[first]
        else:
            for first in range(KINDS):
                worth[own, first] += decided


@kernel
def learn(
    worth: Floats,
    start: Whole,
    line: Lines,
    chance: Floats,
    regret: Floats,
    mix: Floats,
    total: Floats,
    weight: float,
    met: Floats,
) -> None:
    """One round of predictive CFR+ in every hand of a player.

    `mix` has the probabilities of each hand's lines; the new ones are added to `total` with a
    weight, and `met` becomes the frequencies with which the other player meets each line.
    """
    met[:] = 0.0
    for hand in range(len(chance)):
        begin, end = start[hand], start[hand + 1]
        expected = 0.0
        for i in range(begin, end):
            expected += mix[i] * worth[line[i]]
        hope = 0.0
        for i in range(begin, end):
            gain = worth[line[i]] - expected
            regret[i] = max(0.0, regret[i] + gain)
            mix[i] = max(0.0, regret[i] + gain)  # the prediction: the last gain comes again
            hope += mix[i]
        for i in range(begin, end):
            mix[i] = mix[i] / hope if hope > 0.0 else 1.0 / (end - begin)
            total[i] += weight * mix[i]
            met[line[i]] += chance[hand] * mix[i]


@kernel
def frequencies(start: Whole, line: Lines, chance: Floats, total: Floats, met: Floats) -> None:
    """How often each line is met, if a hand plays its lines in proportion to `total`."""
    met[:] = 0.0
    for hand in range(len(chance)):
        begin, end = start[hand], start[hand + 1]
        whole = 0.0
        for i in range(begin, end):
            whole += total[i]
        for i in range(begin, end):
            met[line[i]] += chance[hand] * total[i] / whole


@kernel
def best_worth(start: Whole, line: Lines, chance: Floats, worth: Floats) -> float:
    """The expected result of a player who plays the best line of every hand."""
    value = 0.0
    for hand in range(len(chance)):
        best = -np.inf
        for i in range(start[hand], start[hand + 1]):
            best = max(best, worth[line[i]])
        value += chance[hand] * best
    return value
