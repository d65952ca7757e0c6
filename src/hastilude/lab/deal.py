"""One deal of a variant, played as its measures need it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

from hastilude.arena.contest import seed_of
from hastilude.arena.tables import rotations
from hastilude.lab.course import course_of
from hastilude.lab.matches import NEVER, Played, Playing
from hastilude.lab.study import Variant


class Match(NamedTuple):
    seats: tuple[int, ...]  # the number of the bot in each seat
    played: Played


class Table:
    """Where the deals of a variant are played."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.bots = tuple(dict.fromkeys(variant.bots))
        self.count = variant.game.seats
        self.course = course_of(variant.game)
        self.cards = variant.game.texts[: self.course.cards]
        letters = "".join(ascii_lowercase[self.bots.index(bot)] for bot in variant.bots)
        self.rotations = tuple(
            tuple(map(ascii_lowercase.index, turned)) for turned in rotations(letters)
        )
        # The same with every turn, even if some bots are equal.
        self.turns = tuple(
            tuple(map(ascii_lowercase.index, letters[-turn:] + letters[:-turn]))
            for turn in range(self.count)
        )

    @cached_property
    def playing(self) -> Playing:
        return Playing(self.variant.game, self.bots)


@cache
def table_of(variant: Variant) -> Table:
    return Table(variant)


class Deal:
    """All chance events of a match; players and their seats may change."""

    def __init__(self, table: Table, seed: int, number: int) -> None:
        self.table = table
        self.number = number
        self._seed = seed
        self.chance = seed_of(seed, "chance", number)

    @cached_property
    def matches(self) -> list[Match]:
        """The deal with the bots rotated through the seats."""
        return [Match(seats, self.play(seats)) for seats in self.table.rotations]

    def play(
        self,
        seats: Sequence[int],
        key: object = "",
        begin: Any = None,
        forced: int = NEVER,
        chance: int | None = None,
    ) -> Played:
        """Play from the start, or from the state `begin`. What bots decide at random depends on the
        key too. `chance` is another seed for the chance events that are still to come."""
        play = self.seed("play", tuple(seats), key)
        chance = self.chance if chance is None else chance
        return self.table.playing.play(seats, chance, play, begin, forced)

    def seed(self, *key: object) -> int:
        return seed_of(self._seed, self.number, *map(str, key))
