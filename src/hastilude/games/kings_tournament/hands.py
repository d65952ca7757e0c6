"""The hands of a melee by number: those with fewer cards first, then in colexicographic order.

Where the same hands come up again and again, reading what is left of one after a card is faster
than working it out. The number of a single card is the card itself.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from hastilude.core.kernel import kernel
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, Pile, copies, lowest_card, single
from hastilude.games.kings_tournament.rules import HAND

_WAYS = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(KINDS + HAND)])
FIRST = np.cumsum([0, 0, *(comb(KINDS + size - 1, size) for size in range(1, HAND + 1))])
HANDS = int(FIRST[-1])

NUMBERED = np.dtype(
    [
        ("pile", np.uint64),
        ("left", np.int16, KINDS),  # the hand that is left after each card
        ("card", np.int8, HAND),  # the different cards, in the order of the actions
        ("cards", np.int8),  # how many these are
    ]
)


@kernel
def hand_number(hand: Pile) -> int:
    number, place = 0, 0
    while hand != NO_CARDS:
        card = lowest_card(hand)
        hand -= single(card)
        number += _WAYS[card + place, place + 1]
        place += 1
    return int(FIRST[place] + number)


@cache
def numbered_hands() -> Any:
    """All hands that are not empty, as NUMBERED."""
    found = np.zeros(HANDS, NUMBERED)
    for held in range(1, HAND + 1):
        for cards in combinations_with_replacement(range(KINDS), held):
            number_hand(np.uint64(sum(int(single(card)) for card in cards)), found)
    return found


@kernel
def number_hand(pile: Pile, found: Any) -> None:
    hand = found[hand_number(pile)]
    hand["pile"] = pile
    cards = 0
    for card in range(KINDS):
        if copies(pile, card):
            hand["card"][cards] = card
            cards += 1
            hand["left"][card] = hand_number(pile - single(card))
    hand["cards"] = cards
