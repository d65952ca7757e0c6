"""Chance one card at a time: drawing from a pool, or dealing hidden cards to their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial

ORDER = -1  # instead of a pile's number: drawn for the order of the chance event that is due

Outcomes = list[tuple[int, float]]


@dataclass(frozen=True)
class Draw:
    """`wanted` cards, drawn one by one from a pool: a face-down pile, or the cards of an ORDER."""

    pile: int
    pool: tuple[int, ...]
    wanted: int
    drawn: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.drawn) == self.wanted

    def outcomes(self) -> Outcomes:
        copies = Counter(self.pool)
        return [(card, copies[card] / len(self.pool)) for card in sorted(copies)]

    def take(self, card: int) -> Draw:
        return replace(
            self, pool=without(self.pool, self.pool.index(card)), drawn=(*self.drawn, card)
        )

    @property
    def order(self) -> list[int]:
        """The drawn cards, then the rest, which nobody sees."""
        return [*self.drawn, *self.pool]


@dataclass(frozen=True)
class Redeal:
    """Hidden cards dealt to the places where they may be, all possible deals equally likely."""

    cards: tuple[int, ...]  # still to be dealt
    suits: tuple[int, ...]  # of each of these cards
    allowed: tuple[int, ...]  # for each place the set of suits that it may hold
    wanted: int  # places that somebody sees; the places after them are face down
    drawn: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.drawn) == self.wanted

    def outcomes(self) -> Outcomes:
        """The possible next cards, in proportion to the number of ways to deal the rest."""
        ways: Counter[int] = Counter()
        for k in self._fitting():
            ways[self.cards[k]] += deals(
                tuple(sorted(without(self.suits, k))), self.allowed[len(self.drawn) + 1 :]
            )
        return [(card, ways[card] / ways.total()) for card in sorted(ways) if ways[card]]

    def take(self, card: int) -> Redeal:
        k = next(k for k in self._fitting() if self.cards[k] == card)
        return replace(
            self,
            cards=without(self.cards, k),
            suits=without(self.suits, k),
            drawn=(*self.drawn, card),
        )

    def finished(self) -> tuple[int, ...]:
        """The card of every place. Face-down places get any cards that fit."""
        rest = self
        while rest.cards:
            rest = rest.take(rest.cards[next(rest._fitting())])
        return rest.drawn

    def _fitting(self) -> Iterator[int]:
        """The indices of the cards that may be in the next place."""
        here = self.allowed[len(self.drawn)]
        return (k for k, suit in enumerate(self.suits) if here >> suit & 1)


def without(cards: tuple[int, ...], place: int) -> tuple[int, ...]:
    return cards[:place] + cards[place + 1 :]


@lru_cache(maxsize=1 << 16)
def deals(suits: tuple[int, ...], allowed: tuple[int, ...]) -> int:
    """The number of ways to deal cards of these suits to places that allow only some suits.

    >>> deals((0, 0, 1), (0b11, 0b01, 0b11))
    4
    """
    present = sum(1 << suit for suit in set(suits))
    if all(present & ~place == 0 for place in allowed):
        return factorial(len(suits))
    return sum(
        suits.count(suit) * deals(without(suits, suits.index(suit)), allowed[1:])
        for suit in set(suits)
        if allowed[0] >> suit & 1
    )
