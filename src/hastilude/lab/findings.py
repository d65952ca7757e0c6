"""What the results of a study say: figures with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from typing import Any

import numpy as np

from hastilude.arena.statistics import t_quantile
from hastilude.games.registry import needed_part
from hastilude.lab.deal import table_of
from hastilude.lab.matches import Floats
from hastilude.lab.measures import EXACT, Label, Measure, Sums, added, measures_of
from hastilude.lab.measures.measure import MATCHES, SHARE
from hastilude.lab.measures.strength import matches_until_ahead
from hastilude.lab.study import Study, Variant

WRONG = 0.05  # how probable it is that any interval of a study misses


@dataclass(frozen=True)
class Figure:
    """A figure with its interval. `significant`: the interval excludes the value that it would have
    if nothing were to be found; None if nothing is claimed."""

    label: Label
    value: float
    low: float
    high: float
    significant: bool | None

    @property
    def width(self) -> float:
        return self.high - self.low

    def to_json(self) -> dict[str, Any]:
        numbers = {name: _plain(getattr(self, name)) for name in ("value", "low", "high")}
        label = {"part": self.label.part, "row": self.label.row, "unit": self.label.unit}
        return label | numbers | {"equal": self.label.equal, "significant": self.significant}


@dataclass(frozen=True)
class VariantFindings:
    """`differences` are those to the first variant, where that has the same figures."""

    variant: Variant
    deals: int
    figures: Mapping[str, Sequence[Figure]]  # by measure
    differences: Mapping[str, Sequence[Figure]]

    @property
    def width(self) -> float:
        """That of the widest interval which decides whether more deals are needed. Only shares do:
        widths in other units cannot be compared with theirs."""
        widths = [
            figure.width
            for figures in self.figures.values()
            for figure in figures
            if figure.label.main and figure.label.unit == SHARE and isfinite(figure.width)
        ]
        return max(widths, default=inf)

    def to_json(self) -> dict[str, Any]:
        return self.variant.settings() | {
            "deals": self.deals,
            "figures": {
                name: [one.to_json() for one in some] for name, some in self.figures.items()
            },
            "differences": {
                name: [one.to_json() for one in some] for name, some in self.differences.items()
            },
        }


@dataclass(frozen=True)
class Findings:
    study: Study
    variants: tuple[VariantFindings, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.study.name,
            "question": dict(self.study.question),
            "game": self.study.game,
            "seed": self.study.seed,
            "variants": [one.to_json() for one in self.variants],
        }


@dataclass(frozen=True)
class _Estimates:
    """The figures of a measure before they have intervals."""

    labels: list[Label]
    values: Floats
    errors: Floats  # standard errors; NaN if unknown
    batches: int
    deals: int


def findings(
    study: Study, batches: Sequence[Mapping[int, tuple[int, Mapping[str, Sums]]]]
) -> Findings:
    """For each variant its batches by number: how many deals, and the sums of each measure."""
    if study.measures == (EXACT,):
        return _exact(study)
    estimates = []
    for variant, own in zip(study.variants, batches, strict=True):
        table = table_of(variant)
        ordered = [own[number] for number in sorted(own)]
        deals = sum(count for count, _ in ordered)
        estimates.append(
            {
                name: _estimates(measure, [sums[name] for _, sums in ordered], deals)
                for name, measure in measures_of(study.measures, table).items()
            }
        )
    outside = WRONG / 2 / max(1, _comparisons(estimates))
    return Findings(
        study,
        tuple(
            VariantFindings(
                variant,
                sum(count for count, _ in own.values()),
                {name: _figures(one, outside) for name, one in found.items()},
                _differences(estimates[0], found, outside)
                if found is not estimates[0] and _are_alike(study.variants[0], variant)
                else {},
            )
            for variant, own, found in zip(study.variants, batches, estimates, strict=True)
        ),
    )


def _are_alike(first: Variant, other: Variant) -> bool:
    """Whether two variants differ in options only, so that their figures mean the same."""
    return (first.game.name, first.bots) == (other.game.name, other.bots)


def _exact(study: Study) -> Findings:
    """What the game itself works out: figures without intervals."""
    part = needed_part(study.game, EXACT, "lab_exact_unknown")
    figures = [Figure(label, value, value, value, None) for label, value in part.figures()]
    return Findings(study, (VariantFindings(study.variants[0], 0, {EXACT: figures}, {}),))


def _comparisons(estimates: Sequence[Mapping[str, _Estimates]]) -> int:
    """How many intervals a study has; all of them have to hold at once."""
    observed = [sum(np.isfinite(one.values).sum() for one in found.values()) for found in estimates]
    return int(2 * sum(observed) - observed[0])


def _estimates(measure: Measure, batches: Sequence[Sums], deals: int) -> _Estimates:
    """Figures and their standard errors by the jackknife: from the sums without each batch."""
    labels, count = measure.labels, len(batches)
    if not count:
        nothing = np.full(len(labels), nan)
        return _Estimates(labels, nothing, nothing, 0, 0)
    total = added(batches)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = measure.estimate(total)
        errors = np.full(len(labels), nan)
        if count > 1:
            without = np.array([
                measure.estimate({name: total[name] - one[name] for name in total})
                for one in batches
            ])  # fmt: skip
            errors = np.sqrt((count - 1) * without.var(axis=0))
    return _Estimates(labels, values, errors, count, deals)


def _figures(found: _Estimates, outside: float) -> list[Figure]:
    reach = t_quantile(found.batches - 1, outside) if found.batches > 1 else inf
    return [
        _figure(label, float(value), reach * float(error), found, outside)
        for label, value, error in zip(found.labels, found.values, found.errors, strict=True)
    ]


def _figure(label: Label, value: float, reach: float, found: _Estimates, outside: float) -> Figure:
    low, high = value - reach, value + reach
    if low == high and value != label.equal:
        low, high = _unvaried(label, value, found, outside)
    if label.unit == SHARE and label.equal is None:
        low, high = max(0.0, low), min(1.0, high)
    significant = None
    if label.equal is not None and isfinite(value):
        significant = bool(low > label.equal or high < label.equal)
    if label.unit == MATCHES:  # a lead in standard deviations until here
        value, low, high = (matches_until_ahead(lead) for lead in (value, high, low))
    return Figure(label, value, low, high, significant)


def _unvaried(label: Label, value: float, found: _Estimates, outside: float) -> tuple[float, float]:
    """The interval of a figure that was the same in every batch: unknown, except that a share of
    all or nothing is as near to it as so many deals can tell."""
    if label.unit != SHARE or value not in (0.0, 1.0):
        return nan, nan
    missed = 1 - outside ** (1 / found.deals)
    return value * (1 - missed), value + (1 - value) * missed


def _differences(
    first: Mapping[str, _Estimates], other: Mapping[str, _Estimates], outside: float
) -> dict[str, list[Figure]]:
    """The figures of another variant minus those of the first, as if they were independent. They
    share their deals; where that matters it makes the difference more certain than its interval."""
    return {name: _minus(other[name], first[name], outside) for name in other if name in first}


def _minus(one: _Estimates, other: _Estimates, outside: float) -> list[Figure]:
    freedom = min(one.batches, other.batches) - 1
    reach = t_quantile(freedom, outside) if freedom > 0 else inf
    places = {(label.part, label.row): place for place, label in enumerate(other.labels)}
    figures = []
    for place, label in enumerate(one.labels):
        same = places.get((label.part, label.row))
        if same is not None and label.unit != MATCHES:
            value = float(one.values[place] - other.values[same])
            error = reach * sqrt(one.errors[place] ** 2 + other.errors[same] ** 2)
            low, high = value - error, value + error
            if low == high and value:  # no batch differed, so nobody knows how far others would
                low, high = nan, nan
            zero = Label(label.part, label.row, label.unit, 0.0, label.main)
            figures.append(Figure(zero, value, low, high, bool(low > 0 or high < 0)))
    return figures


def _plain(number: float) -> float | None:
    return number if isfinite(number) else None
