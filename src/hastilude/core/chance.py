"""Chance drivers, which decide the chance events of a match."""

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np

from hastilude.core.errors import ChanceError, OptionError
from hastilude.core.random import generator, shuffle
from hastilude.core.rules import Cards

SEEDS = 2**64


class Chance(Protocol):
    """A chance driver: it puts the cards of a chance event in order, in place."""

    def order(self, due: int, cards: Cards) -> None: ...


class SeededChance:
    """Uses the fast generator: the same seed gives the same match. Not for play with strangers."""

    def __init__(self, seed: int) -> None:
        if type(seed) is not int or not 0 <= seed < SEEDS:
            raise OptionError.of("seed_range", value=seed)
        self.rng = generator(seed)

    def order(self, due: int, cards: Cards) -> None:
        shuffle(self.rng, cards, len(cards))


class ExplicitChance:
    """Chance events as listed in a record, in their order; ChanceError when there are no more."""

    def __init__(self, game: Any, events: Iterable[Any]) -> None:
        self._game = game
        self._events = iter(events)

    def order(self, due: int, cards: Cards) -> None:
        event = next(self._events, None)
        if event is None:
            raise ChanceError.of("chance_exhausted", wanted=self._game.chance_kind(due))
        arrange(self._game, due, cards, event)


class ScriptedChance:
    """Chance events as listed; those of another driver once the list ends or does not fit."""

    def __init__(self, game: Any, events: Iterable[Any], then: Chance) -> None:
        self._written = ExplicitChance(game, events)
        self._then = then

    def order(self, due: int, cards: Cards) -> None:
        try:
            self._written.order(due, cards)
        except ChanceError:
            self._then.order(due, cards)


def arrange(game: Any, due: int, cards: Cards, event: Any) -> None:
    """Put `cards` in the order that a record's chance event gives."""
    wanted = game.chance_kind(due)
    is_event = isinstance(event, (list, tuple)) and len(event) == 2  # noqa: PLR2004  # kind, values
    if not is_event or event[0] != wanted or not isinstance(event[1], dict):
        raise ChanceError.of("chance_kind", wanted=wanted)
    order = game.chance_order(due, event[1])
    if sorted(order) != sorted(cards.tolist()):
        raise ChanceError.of("chance_cards", wanted=wanted, count=len(cards))
    cards[:] = np.array(order, dtype=np.int8)
