"""A contest: which bots meet at which tables of which game. It fully determines what is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from string import ascii_lowercase
from typing import Any, TypeAlias

from hastilude import bots
from hastilude.arena import tables
from hastilude.arena.ceiling import CEILING, ceiling_maker
from hastilude.bots import Bot
from hastilude.core.chance import SeededChance
from hastilude.core.game import Game
from hastilude.core.kernel import source_digest

Maker: TypeAlias = Callable[[Game, int], Bot]


@dataclass(frozen=True)
class Contest:
    game: Game
    names: tuple[str, ...]
    makers: tuple[Maker, ...]  # how each bot is made for a match, given its seed
    tables: tuple[str, ...]
    seed: int
    processor_time: bool = False  # whether budgets count that instead of time

    @classmethod
    def of(
        cls,
        game: Game,
        entered: Sequence[str] | Mapping[str, Maker],
        given_tables: Sequence[str] = (),
        seed: int = 0,
        processor_time: bool = False,
    ) -> Contest:
        """A contest of bots by name, or by name and maker; OptionError if it is invalid."""
        if isinstance(entered, Mapping):
            makers = tuple(entered.values())
        else:
            makers = tuple(map(_maker, entered))
        for make in makers:
            make(game, 0)
        SeededChance(seed)  # refuses an invalid seed
        chosen = tables.seatings(game.seats, len(makers), given_tables)
        return cls(game, tuple(entered), makers, chosen, seed, processor_time)

    @property
    def letters(self) -> str:
        return ascii_lowercase[: len(self.names)]

    def name(self, letter: str) -> str:
        return self.names[self.letters.index(letter)]

    def maker(self, letter: str) -> Maker:
        return self.makers[self.letters.index(letter)]

    def settings(self) -> dict[str, Any]:
        """What must be equal for results to be counted together, including the code that played."""
        return {
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.game.stated_options,
            "bots": self.names,
            "tables": self.tables,
            "seed": self.seed,
            "processor_time": self.processor_time,
            "code": source_digest(),
        }


def _maker(name: str) -> Maker:
    return ceiling_maker(name) if name.startswith(CEILING) else partial(bots.make, name)


def seed_of(*parts: int | str) -> int:
    """A seed that depends on all the parts and on nothing else."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big")
