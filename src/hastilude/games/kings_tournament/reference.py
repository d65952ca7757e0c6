"""The reference policy of King's Tournament: habits in the joust, one turn ahead in the melee.

It uses only its own hand and what everybody has seen, and it never changes.
"""

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import NONE, ONE, Bits, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, draw
from hastilude.core.rules import Cards, State
from hastilude.games.kings_tournament.cards import (
    KINDS,
    MARGIN,
    Pile,
    copies,
    kinds,
    lowest_card,
    single,
    size,
)
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DISCARD,
    HAND,
    JOUST,
    LINE,
)

Table = npt.NDArray[np.float64]

FIRST, SECOND, THIRD = range(LINE)

# How readily a card is put in each place of a line, on a scale where 1 more means twice as often.
# A line is chosen in proportion to the product of its three. Fitted to the equilibrium of fresh
# decks, to which it loses 0.03 per joust (win +1, loss -1). Double strikes and blocks go last, a 10
# anywhere.
READINESS: Table = 2.0 ** np.array(
    [  # 1    2    3    4    5   6  7  8  9  10   D   B
        [-32, -26, -26, -19, -12, -6, 0, 3, 7, 10, 11, 8],
        [-23, -18, -28, -20, -11, -5, 0, 6, 8, 11, 18, 16],
        [-22, -19, -28, -21, -12, -6, 0, 6, 9, 11, 20, 20],
    ]
)

# The situations of a seat before a melee turn.
LEADS_MOUNTED, FACES_MOUNTED, LEADS, ANSWERS = range(4)

# The chance to win the game before a turn: by the number of cards in hand (0: five will be drawn)
# and for each card in it. Fitted to games of this policy against itself. If both knights are on
# foot it is bad to reveal first, and worse with cards in hand that can be hit (1 to 3, 7 to 10).
BY_NUMBER: Table = 0.01 * np.array(
    [  # 0   1   2   3   4   5
        [59, 57, 56, 54, 51, 49],
        [41, 42, 44, 46, 49, 52],
        [25, 44, 46, 45, 45, 47],
        [75, 53, 49, 49, 52, 57],
    ]
)
BY_CARD: Table = 0.01 * np.array(
    [  # 1   2   3   4   5   6    7    8    9   10  D   B
        [2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 1, 2],
        [-3, -2, -3, -1, -1, -1, -3, -2, -2, -2, -2, -2],
        [-9, -7, -4, 4, 3, 2, -10, -12, -12, -13, 2, -3],
        [4, 5, 5, 3, 2, 0, -4, -2, 3, 9, 8, 10],
    ]
)
WON, LOST = 2.0, -1.0  # certainties: better and worse than any estimate


@kernel
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    hand: Pile = s["hand"][seat]
    phase = s["phase"]
    if phase == JOUST:
        return _line_card(hand, int(s["chosen"][seat]), rng)
    if phase == DISCARD:
        return _spare_card(hand, rng)
    if phase == BEAT:
        return _beat_card(s, seat, rng)
    if phase == ANSWER:
        return _answer_card(s, seat)
    return _lead_card(s, seat)


@kernel
def _without_lowest(cards: Bits) -> Bits:
    return cards & (cards - ONE)


@kernel
def _fraction(rng: Rng) -> float:
    """A random number from 0 to 1."""
    return float(draw(rng) >> np.uint64(11)) / 2.0**53


# --- the joust ----------------------------------------------------------------------------------


@kernel
def _line_card(hand: Pile, place: int, rng: Rng) -> int:
    """A random card for a place of the line, weighted by its readiness and what can follow."""
    chosen = -1
    total = 0.0
    left = kinds(hand)
    while left != NONE:
        card = lowest(left)
        left = _without_lowest(left)
        ready = READINESS[place, card] * _readiness(hand - single(card), place + 1)
        total += ready
        if _fraction(rng) * total < ready:
            chosen = card
    return chosen


@kernel
def _readiness(hand: Pile, place: int) -> float:
    """The total readiness of all ways to fill the line from this place on."""
    if place == SECOND:
        total = 0.0
        left = kinds(hand)
        while left != NONE:
            card = lowest(left)
            left = _without_lowest(left)
            total += READINESS[SECOND, card] * _readiness_for_third(hand - single(card))
        return total
    return _readiness_for_third(hand) if place == THIRD else 1.0


@kernel
def _readiness_for_third(hand: Pile) -> float:
    total = 0.0
    left = kinds(hand)
    while left != NONE:
        total += READINESS[THIRD, lowest(left)]
        left = _without_lowest(left)
    return total


@kernel
def _spare_card(hand: Pile, rng: Rng) -> int:
    """K6, stepwise: a card that is not in the chosen line."""
    for place in range(LINE):
        hand -= single(_line_card(hand, place, rng))
    return lowest_card(hand)


@kernel
def _beat_card(s: State, seat: int, rng: Rng) -> int:
    """K6, stepwise: by habit at first; then the better order of the last two cards, more often the
    more it is better."""
    hand: Pile = s["hand"][seat]
    if s["held"][seat] == LINE:
        return _line_card(hand, FIRST, rng)
    card = lowest_card(hand)
    other = lowest_card(hand - single(card))
    better = _order_worth(s, seat, card, other) - _order_worth(s, seat, other, card)
    return card if _fraction(rng) < 0.5 + better else other


@kernel
def _order_worth(s: State, seat: int, second: int, third: int) -> float:
    """The chance to win the joust minus the chance to lose it, against any two unseen cards."""
    unseen = s["total"] - s["seen"][1 - seat]
    first = float(_decision(s, s["line"][seat, FIRST], s["line"][1 - seat, FIRST]))
    return _beat_worth(s, unseen, third, _beat_worth(s, unseen, second, first))


@kernel
def _beat_worth(s: State, unseen: Pile, card: int, before: float) -> float:
    """The worth of a card, if the beat before it counts when it decides nothing (K7)."""
    worth = 0.0
    for facing in range(KINDS):
        decision = _decision(s, card, facing)
        worth += copies(unseen, facing) * (float(decision) if decision else before)
    return worth / size(unseen)


@kernel
def _decision(s: State, card: int, facing: int) -> int:
    """1 if a card wins the joust against another, -1 if it loses it, 0 if neither (K7)."""
    margin, least = MARGIN[card, facing], int(s["joust_margin"])
    return int(margin >= least) - int(margin <= -least)


# --- the melee ----------------------------------------------------------------------------------


@kernel
def _prospect(standing: int, hand: Pile) -> float:
    """The chance to win for a seat in this situation with these cards left."""
    chance = 0.0
    number = 0
    left = kinds(hand)
    while left != NONE:
        card = lowest(left)
        left = _without_lowest(left)
        number += copies(hand, card)
        chance += copies(hand, card) * BY_CARD[standing, card]
    return chance + BY_NUMBER[standing, number]


@kernel
def _answer_card(s: State, seat: int) -> int:
    """The answer with the best chance to win."""
    hand: Pile = s["hand"][seat]
    led = int(s["melee"][1 - seat, HAND - int(s["held"][seat])])
    best, chosen = -np.inf, -1
    left = kinds(hand)
    while left != NONE:
        card = lowest(left)
        left = _without_lowest(left)
        worth = _answer_worth(s, int(MARGIN[card, led]), hand - single(card))
        if worth > best:
            best, chosen = worth, card
    return chosen


@kernel
def _answer_worth(s: State, margin: int, rest: Pile) -> float:
    """The worth of an answer. Only the player who revealed first can be mounted (K11)."""
    mounted, hit = s["mounted"] != 0, int(s["melee_margin"])
    if margin <= -hit:
        return LOST
    if margin >= hit:
        return _prospect(LEADS, rest) if mounted else WON
    if mounted:
        return _prospect(FACES_MOUNTED, rest)
    return _prospect(LEADS if margin > 0 else ANSWERS, rest)


@kernel
def _lead_card(s: State, seat: int) -> int:
    """The card with the best chance to win, on average over what the other player may hold."""
    hand: Pile = s["hand"][seat]
    best, chosen = -np.inf, -1
    left = kinds(hand)
    while left != NONE:
        card = lowest(left)
        left = _without_lowest(left)
        worth = _lead_worth(s, seat, card, hand - single(card))
        if worth > best:
            best, chosen = worth, card
    return chosen


@kernel
def _lead_worth(s: State, seat: int, card: int, rest: Pile) -> float:
    """The worth of a lead. The other player is assumed to hit if possible, otherwise not to win,
    otherwise to win by little."""
    unseen = s["total"] - s["seen"][1 - seat]
    number, least = int(s["held"][1 - seat]), int(s["melee_margin"])
    hitting, beating, hit = 0, 0, 0  # unseen cards that hit this one, beat it, are hit by it
    for facing in range(KINDS):
        margin = MARGIN[card, facing]
        if margin <= -least:
            hitting += copies(unseen, facing)
        elif margin < 0:
            beating += copies(unseen, facing)
        elif margin >= least:
            hit += copies(unseen, facing)
    everything = size(unseen)
    is_safe = _chance_of_only(everything - hitting, everything, number)
    only_worse = _chance_of_only(beating + hit, everything, number)
    only_hit = _chance_of_only(hit, everything, number)
    if s["mounted"]:
        again = _prospect(LEADS_MOUNTED, rest)
        return (1 - is_safe) * _prospect(ANSWERS, rest) + (is_safe - only_hit) * again + only_hit
    passed = (only_worse - only_hit) * _prospect(ANSWERS, rest)  # K11: the other leads next
    return (is_safe - only_worse) * _prospect(LEADS, rest) + passed + only_hit


@kernel
def _chance_of_only(these: int, everything: int, number: int) -> float:
    """The chance that `number` cards drawn from all unseen ones are all among `these`."""
    chance = 1.0
    for drawn in range(number):
        chance *= max(0, these - drawn) / (everything - drawn)
    return chance
