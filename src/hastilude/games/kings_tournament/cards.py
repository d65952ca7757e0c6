"""The cards of King's Tournament, and piles of them (K1, K2).

A card is the number of its action: 0 to 9 for the values 1 to 10, then DOUBLE and BLOCK. A `Pile`
is any number of cards in no order, in one word that counts each kind in five bits: piles are added
and subtracted like numbers.
"""

from typing import TypeAlias

import numpy as np

from hastilude.core.bits import ONE, Bits, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import Cards

Pile: TypeAlias = np.uint64

VALUES = 10
DOUBLE, BLOCK = 10, 11
KINDS = 12
EMPTY = np.uint64(0)
BLANK = -1  # no card, or a hidden one

WIDTH = 5  # bits per kind
_COUNT = np.uint64((1 << WIDTH) - 1)


def is_blocked(card: int, facing: int) -> bool:
    """Whether two cards tie because of a block (K2)."""
    return BLOCK in (card, facing)


def are_doubles(card: int, facing: int) -> bool:
    """Whether two cards tie because both are double strikes (K2)."""
    return card == facing == DOUBLE


def worth(card: int, facing: int) -> int:
    """The worth of a card against the card it faces (K2); 0 if a block or double strike ties."""
    if is_blocked(card, facing) or are_doubles(card, facing):
        return 0
    if card == DOUBLE:
        return 2 * worth(facing, card)
    return card + 1


# MARGIN[card, facing]: by how much `card` beats `facing`, negative if it loses (K2).
MARGIN = np.array(
    [[worth(a, b) - worth(b, a) for b in range(KINDS)] for a in range(KINDS)], dtype=np.int64
)


@kernel
def single(card: int) -> Pile:
    """The pile that contains only this card."""
    return ONE << np.uint64(WIDTH * card)


@kernel
def copies(pile: Pile, card: int) -> int:
    return int(np.int64((pile >> np.uint64(WIDTH * card)) & _COUNT))


@kernel
def size(pile: Pile) -> int:
    cards = 0
    for card in range(KINDS):
        cards += copies(pile, card)
    return cards


@kernel
def lowest_card(pile: Pile) -> int:
    """The first kind in a non-empty pile, in the order of the actions."""
    return lowest(pile) // WIDTH


@kernel
def spread(pile: Pile, cards: Cards) -> int:
    """Write a pile card by card, in the order of the actions; returns how many."""
    end = 0
    for card in range(KINDS):
        for _ in range(copies(pile, card)):
            cards[end] = card
            end += 1
    return end


def _every(step: int, ones: int) -> np.uint64:
    """A word with `ones` bits set in every `step`, for all the kinds of a pile."""
    return np.uint64(sum(((1 << ones) - 1) << at for at in range(0, KINDS * WIDTH, step)))


_SINGLES, _PAIRS, _FOURS = _every(5, 1), _every(10, 2), _every(20, 4)
_ALL_KINDS = np.uint64((1 << KINDS) - 1)
_1, _2, _4, _8, _16, _32 = (np.uint64(1 << k) for k in range(6))


@kernel
def kinds(pile: Pile) -> Bits:
    """The set of the kinds in a pile."""
    # Reduce the five bits of each kind to one; then join these bits: by twos, by fours, all twelve.
    some = pile | (pile >> _1)
    some = (some | (some >> _2) | (pile >> _4)) & _SINGLES
    some = (some | (some >> _4)) & _PAIRS
    some = (some | (some >> _8)) & _FOURS
    return (some | (some >> _16) | (some >> _32)) & _ALL_KINDS
