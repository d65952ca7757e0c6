"""What every measure does: add up numbers per deal, and make figures of the sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hastilude.lab.deal import Deal, Table
from hastilude.lab.matches import Floats, Played

Sums: TypeAlias = dict[str, Floats]

# The unit of a figure says how it is written.
SHARE, POINTS, COUNT, MILLISECONDS, MATCHES = "share", "points", "count", "ms", "matches"


@dataclass(frozen=True)
class Label:
    """What a figure is about. A claim is that it differs from `equal`: the value that it would have
    if nothing were to be found. `main` figures decide when a study may end early."""

    part: str  # of the measure; each is a table of its own
    row: str
    unit: str
    equal: float | None = None
    main: bool = True


class Measure(ABC):
    """A measure of one variant. What it gathers is added up over deals, and its figures follow from
    the sums alone."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.count = table.count

    @property
    @abstractmethod
    def labels(self) -> list[Label]:
        """One for each figure."""

    @abstractmethod
    def gather(self, deal: Deal) -> Sums: ...

    @abstractmethod
    def estimate(self, sums: Sums) -> Floats:
        """The figures; NaN where nothing was observed."""

    @property
    def seats(self) -> list[str]:
        return [f"seat {seat + 1}" for seat in range(self.count)]


def added(several: Iterable[Sums]) -> Sums:
    total: Sums = {}
    for sums in several:
        for name, value in sums.items():
            total[name] = total[name] + value if name in total else value
    return total


def ratio(above: Floats, below: Floats | float) -> Floats:
    """Division with NaN where nothing was counted."""
    below = np.broadcast_to(np.asarray(below, np.float64), np.shape(above))
    result = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=result, where=below > 0)
    return result


def lead(scores: Floats) -> Floats:
    """Each seat's score minus the mean of the others'."""
    others = len(scores) - 1
    result: Floats = scores - (scores.sum() - scores) / others
    return result


def gain(table: Table, played: Played, section: int) -> Floats:
    """What each seat's lead gains from the beginning of a section to the next deal of all cards, or
    to the end."""
    after = len(played.scored) - 1
    for later in range(section + 1, len(played.reached)):
        if played.reached[later] and is_round_start(table, later):
            after = later
            break
    return lead((played.scored[after] - played.scored[section]).astype(np.float64))


def is_round_start(table: Table, section: int) -> bool:
    stages = table.course.stages
    return section < len(stages) and stages[section] == stages[0]


def sections(table: Table, played: Played) -> Iterator[int]:
    """The sections that a match reached."""
    for section in np.flatnonzero(played.reached).tolist():
        if section < len(table.course.sections):
            yield section
