"""A study: a question about a game, the variants that answer it, and what is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hastilude.core.game import Game

DEALS = 2000  # at most, by default
BATCH = 50  # deals of bots that play thousands of matches per minute
LOOKS = (0.125, 0.25, 0.5, 1.0)  # after which parts of its deals a study may end
FEWEST = 20  # batches, before a study may end early


@dataclass(frozen=True)
class Variant:
    """A way to play that the study compares: a game with its options, and the bot of each seat."""

    name: str
    game: Game
    bots: tuple[str, ...]

    def settings(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.game.options,
            "bots": self.bots,
        }


@dataclass(frozen=True)
class Study:
    """`width`: a variant needs no more deals when all its main intervals of shares are at most this
    wide. `batch`: how many deals are played and saved together; each batch is one observation.

    The `question` is in English, and perhaps in other languages. `file`: where a user wrote it.
    """

    name: str
    question: Mapping[str, str]
    game: str
    measures: tuple[str, ...]
    variants: tuple[Variant, ...]
    deals: int = DEALS
    width: float | None = None
    seed: int = 0
    batch: int = BATCH
    file: str | None = None

    @property
    def batches(self) -> int:
        """The maximum number of batches per variant."""
        return self.deals // self.batch

    @property
    def looks(self) -> list[int]:
        """After how many batches a variant may end."""
        return [min(max(int(part * self.batches), FEWEST), self.batches) for part in LOOKS]

    def deals_of(self, batch: int) -> range:
        return range(batch * self.batch, (batch + 1) * self.batch)

    def settings(self) -> dict[str, Any]:
        """What must be equal for results to be counted together, except for the code."""
        return {
            "study": self.name,
            "variants": [variant.settings() for variant in self.variants],
            "measures": self.measures,
            "seed": self.seed,
            "batch": self.batch,
        }

    def asked(self, language: str) -> str:
        """The question in a language, or in English."""
        return self.question.get(language) or self.question["en"]

    def with_deals(self, deals: int | None) -> Study:
        """The same study with another maximum of deals; batches are always whole. One that
        needs no deals stays as it is."""
        if deals is None or not self.deals:
            return self
        return replace(self, deals=whole(deals, self.batch))


def whole(deals: int, batch: int) -> int:
    """So many deals, rounded up to whole batches."""
    return -(-deals // batch) * batch
