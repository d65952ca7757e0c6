"""Runs a study: plays its deals in batches until it knows enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hastilude.arena.lines import Lines
from hastilude.lab.code import code_digest
from hastilude.lab.deal import Deal, table_of
from hastilude.lab.findings import Findings, findings
from hastilude.lab.measures import Measure, Sums, added, measures_of
from hastilude.lab.study import Study
from hastilude.workers import Local, Workers

FORMAT = 1


class Batch(NamedTuple):
    """The deals of a variant that are saved together: how many, and the sums of each measure."""

    variant: int
    number: int
    deals: int
    sums: Mapping[str, Sums]


@dataclass(frozen=True)
class Batches:
    """The batches of a study as a job for workers. They are numbered so that all variants have
    their first batches first."""

    study: Study

    def prepare(self) -> None:
        """Load or compile everything, by playing a match of each variant."""
        for variant in self.study.variants:
            Deal(table_of(variant), 0, 0).matches  # noqa: B018  # they are played when they are asked for

    def do(self, task: int) -> Batch:
        number, place = divmod(task, len(self.study.variants))
        table = table_of(self.study.variants[place])
        measures = measures_of(self.study.measures, table)
        deals = self.study.deals_of(number)
        sums = [_gather(measures, Deal(table, self.study.seed, deal)) for deal in deals]
        return Batch(
            place, number, len(deals), {name: added(one[name] for one in sums) for name in measures}
        )


def _gather(measures: Mapping[str, Measure], deal: Deal) -> dict[str, Sums]:
    return {name: measure.gather(deal) for name, measure in measures.items()}


class Results(Lines[Batch]):
    """One line per batch."""

    name = "lab"

    def __init__(self, study: Study, path: str | Path | None = None) -> None:
        settings = study.settings() | {"code": code_digest()}
        super().__init__(FORMAT, settings, path, {"question": dict(study.question)})

    def key(self, result: Batch) -> tuple[int, int]:
        return result.variant, result.number

    def to_json(self, result: Batch) -> dict[str, Any]:
        sums = {
            measure: {name: value.tolist() for name, value in some.items()}
            for measure, some in result.sums.items()
        }
        return result._asdict() | {"sums": sums}

    def from_json(self, content: dict[str, Any]) -> Batch:
        sums = {
            measure: {name: np.array(value, np.float64) for name, value in some.items()}
            for measure, some in content["sums"].items()
        }
        return Batch(**content | {"sums": sums})

    def findings(self, study: Study, upto: float = inf) -> Findings:
        """What all batches say, or the first of each variant."""
        batches: list[dict[int, tuple[int, Mapping[str, Sums]]]] = [{} for _ in study.variants]
        for batch in self.finished.values():
            if batch.number < upto:
                batches[batch.variant][batch.number] = batch.deals, batch.sums
        return findings(study, batches)


class Running:
    """A study that is run, from where its results file stopped."""

    def __init__(self, study: Study, results: str | Path | None = None) -> None:
        self.study = study
        self._kept = Results(study, results)

    def __enter__(self) -> Running:
        self._kept.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._kept.__exit__(*error)

    def steps(self, workers: int | Workers | None = None) -> Iterator[float]:
        """Play; yields, after every batch, which part of the study is done.

        Whether a variant knows enough is decided after the same numbers of deals, however many
        workers there are.
        """
        team = Local(workers) if workers is None or isinstance(workers, int) else workers
        unfinished = set(range(len(self.study.variants))) if self.study.batches else set()
        for upto in self.study.looks:
            tasks = [
                number * len(self.study.variants) + place
                for number in range(upto)
                for place in sorted(unfinished)
                if (place, number) not in self._kept.finished
            ]
            for done, (_, batch) in enumerate(team.share_out(Batches(self.study), tasks), 1):
                self._kept.add(batch)
                left = len(tasks) - done
                yield max(0.0, 1 - (left + self._later(upto, unfinished)) / self._whole)
            unfinished -= self._known(unfinished, upto)
        yield 1.0

    def findings(self) -> Findings:
        """What the deals of the study say. A file may have more, of a run with a larger maximum."""
        return self._kept.findings(self.study, self.study.batches)

    @property
    def _whole(self) -> int:
        return self.study.batches * len(self.study.variants)

    def _later(self, upto: int, unfinished: set[int]) -> int:
        """How many batches may come after this look."""
        return (self.study.batches - upto) * len(unfinished)

    def _known(self, unfinished: set[int], upto: int) -> set[int]:
        """The variants that need no more deals than the first batches."""
        width = self.study.width
        if width is None or not unfinished:
            return set()
        found = self._kept.findings(self.study, upto).variants
        return {place for place in unfinished if found[place].width <= width}


def run(
    study: Study, results: str | Path | None = None, workers: int | Workers | None = None
) -> Findings:
    """Run a study to its end; with a file, from where it stopped there."""
    with Running(study, results) as running:
        for _ in running.steps(workers):
            pass
        return running.findings()
