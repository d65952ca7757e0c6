"""The tables of a report: a row per figure, a column per variant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from shlex import join

from hastilude.lab.findings import Figure, Findings, VariantFindings
from hastilude.lab.measures import EXACT
from hastilude.lab.measures.measure import MATCHES
from hastilude.lab.report.words import UNKNOWN, answer, interval, written
from hastilude.messages import render


@dataclass(frozen=True)
class Table:
    """A part of a measure. A row has its name, and a figure or None for each variant."""

    part: str
    rows: tuple[tuple[str, tuple[Figure | None, ...]], ...]


def tables(found: Findings) -> list[Table]:
    """The tables of a study, without rows in which nothing was observed."""
    parts: dict[str, dict[str, list[Figure | None]]] = {}
    for place, variant in enumerate(found.variants):
        for figures in variant.figures.values():
            for figure in figures:
                rows = parts.setdefault(figure.label.part, {})
                row = rows.setdefault(figure.label.row, [None] * len(found.variants))
                row[place] = figure if isfinite(figure.value) else None
    return [
        Table(part, tuple((name, tuple(row)) for name, row in rows.items() if any(row)))
        for part, rows in parts.items()
        if any(any(row) for row in rows.values())
    ]


def cell(figure: Figure | None) -> str:
    """A figure with its interval, and whether it says anything."""
    if figure is None:
        return UNKNOWN
    if figure.significant is None:
        return str(interval(figure))
    return f"{interval(figure)}{' *' if figure.significant else ', n.s.'}"


def equal(row: tuple[Figure | None, ...]) -> str:
    """What the figures of a row would be if nothing were to be found."""
    shown = [
        written(one.label.equal, one.label.unit)
        for one in row
        if one is not None and one.label.equal is not None and one.label.unit != MATCHES
    ]
    return ", ".join(dict.fromkeys(shown))


def sentences(found: Findings, language: str = "en") -> list[str]:
    texts = [render(message, language) for message in answer(found)]
    return [text[:1].upper() + text[1:] for text in texts]


def setting(found: Findings) -> Iterator[str]:
    """How the study was made: each variant, its bots and its deals."""
    for one in found.variants:
        options = ", ".join(f"{name} {value}" for name, value in one.variant.game.options.items())
        if EXACT in found.study.measures:
            yield f"worked out exactly, without deals; {options}"
        else:
            bots = ", ".join(one.variant.bots)
            most = f" of at most {found.study.deals:,}" if _ended_early(found, one) else ""
            yield f"{one.variant.name}: {one.deals:,}{most} deals; bots {bots}; {options}"


def command(found: Findings) -> str:
    """What makes the same results."""
    study = found.study
    words = ["hastilude", "lab", "run", study.file or study.name]
    if not all(one.deals == study.deals or _ended_early(found, one) for one in found.variants):
        words += ["--deals", str(max(one.deals for one in found.variants))]
    return join(words)


def _ended_early(found: Findings, one: VariantFindings) -> bool:
    """Whether a variant needed fewer deals than it could have had."""
    study = found.study
    if study.width is None or one.deals == study.deals:
        return False
    return one.deals in {look * study.batch for look in study.looks} and one.width <= study.width
