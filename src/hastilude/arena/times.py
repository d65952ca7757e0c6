"""How long a bot's moves took, in a form that can be added up and saved in one line of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, log
from typing import Any

WIDTH = 1.01  # each class of times ends 1 % above the class before
SHORTEST = 1e-3  # milliseconds
TOLERANCE, GRACE = 1.10, 2.0  # a move may exceed its budget by 10 % and 2 ms


@dataclass
class Times:
    """Times of moves in milliseconds, counted in classes; `budget` if the bot has a time limit."""

    moves: int = 0
    total: float = 0.0
    over: int = 0
    budget: float | None = None
    classes: Counter[int] = field(default_factory=Counter)

    def add(self, taken: float, budget: float | None) -> None:
        self.moves += 1
        self.total += taken
        self.classes[ceil(log(max(taken, SHORTEST) / SHORTEST, WIDTH))] += 1
        if budget is not None:
            self.budget = budget
            self.over += taken > TOLERANCE * budget + GRACE

    @property
    def mean(self) -> float | None:
        return self.total / self.moves if self.moves else None

    @property
    def over_budget(self) -> float | None:
        """The share of moves that took longer than the budget allows; None without a budget."""
        return self.over / self.moves if self.moves and self.budget is not None else None

    def percentile(self, percent: float) -> float | None:
        """A percentile of the times, at most 1 % too high."""
        wanted = ceil(self.moves * percent / 100)
        counted = 0
        for which, count in sorted(self.classes.items()):
            counted += count
            if counted >= wanted:
                return float(SHORTEST * WIDTH**which)
        return None

    def to_json(self) -> dict[str, Any]:
        kept = {"moves": self.moves, "total": round(self.total, 3), "over": self.over}
        classes = {str(which): count for which, count in sorted(self.classes.items())}
        return kept | {"budget": self.budget, "classes": classes}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Times:
        classes = Counter({int(which): count for which, count in content["classes"].items()})
        return cls(**content | {"classes": classes})


def total(times: Iterable[Times]) -> Times:
    added = Times()
    for part in times:
        added.moves += part.moves
        added.total += part.total
        added.over += part.over
        added.classes += part.classes
        added.budget = part.budget if added.budget is None else added.budget
    return added
