"""Draws the figures of a study with their intervals, as SVG that is readable on dark and light.

matplotlib comes with the extra `lab`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO
from math import isfinite
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.figure import Figure as Picture

from hastilude.lab.findings import Figure, Findings
from hastilude.lab.measures.measure import MATCHES, MILLISECONDS, SHARE
from hastilude.lab.report.tables import Table, tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# No date and no random ids: the same results give the same bytes. Text stays text.
SETTINGS: Any = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 9,
}
NO_DATE: Any = {"Date": None, "Creator": None}
INK = "#121314"  # stands for the colour of text, which depends on the reader's theme
STYLE = "<style>svg{color:#1d2421}@media(prefers-color-scheme:dark){svg{color:#e9ece8}}</style>"
SHEET = re.compile(r"<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)  # matplotlib's
NEEDLESS = re.compile(r"<metadata>.*?</metadata>\s*|(?<=<g) id=\"[^\"]*\"|(?<= )\n", re.DOTALL)
ROUND = ' stroke-linejoin="round" stroke-linecap="butt"'  # what it says
# Blue, olive, brick, pink, violet: as far apart as possible, for the colour-blind too, among the
# colours that stand out on white and on black. Six markers, so that 30 variants look different.
COLOURS = ("#2D96E1", "#969600", "#B43C2D", "#FF00A5", "#871EFF")
MARKERS = ("o", "s", "^", "D", "v", "P")
MOST_ROWS = 70  # in a figure; tables that come later are not drawn
LABEL = 46  # characters beside an axis
ROW, APART, PANEL = 0.19, 0.11, 0.75  # inches: a row, another variant in it, a panel's frame


def figure(found: Findings) -> str:
    """The SVG of a study: a panel for each of its first tables."""
    shown = _drawn(tables(found))
    variants = [one.variant.name for one in found.variants]
    heights = [PANEL + len(table.rows) * (ROW + APART * (len(variants) - 1)) for table in shown]
    with matplotlib.rc_context(SETTINGS | {"svg.hashsalt": found.study.name}):
        picture = Picture(figsize=(8, sum(heights) + 0.3), layout="constrained")
        axes = picture.subplots(len(shown), 1, squeeze=False, height_ratios=heights)
        for one, table in zip(axes[:, 0], shown, strict=True):
            _panel(one, table, len(variants))
        if len(variants) > 1:
            _legend(picture, variants)
        content = StringIO()
        picture.savefig(content, format="svg", metadata=NO_DATE, transparent=True)
    return _themed(content.getvalue())


def _drawn(found: Sequence[Table]) -> list[Table]:
    shown: list[Table] = []
    for table in filter(_is_drawn, found):
        if shown and sum(len(one.rows) for one in (*shown, table)) > MOST_ROWS:
            break
        shown.append(table)
    return shown


def _is_drawn(table: Table) -> bool:
    units = {figure.label.unit for _, row in table.rows for figure in row if figure}
    return not units & {MATCHES, MILLISECONDS, "tiny"}


def _panel(axes: Axes, table: Table, variants: int) -> None:
    names = [shorten(name, LABEL, placeholder="…") for name, _ in table.rows]
    unit = next(figure.label.unit for _, row in table.rows for figure in row if figure)
    for place in range(variants):
        shift = (place - (variants - 1) / 2) * APART / (ROW + APART * (variants - 1))
        _points(axes, [row[place] for _, row in table.rows], place, shift)
    equal = {figure.label.equal for _, row in table.rows for figure in row if figure}
    for value in equal:
        if value is not None:
            axes.axvline(value, color=INK, linestyle=":", linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(table.part, loc="left", color=INK, fontsize=10)
    if unit == SHARE:
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g}%")
    axes.grid(axis="x", color=INK, alpha=0.15)
    axes.tick_params(colors=INK, which="both")
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(INK)


def _points(axes: Axes, figures: Sequence[Figure | None], place: int, shift: float) -> None:
    """The figures of a variant; those that are not significant are hollow."""
    colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
    shown = [(row + shift, one) for row, one in enumerate(figures) if one is not None]
    bounded = [(row, one) for row, one in shown if isfinite(one.low) and isfinite(one.high)]
    rows, lows, highs = ([row for row, _ in bounded], [one.low for _, one in bounded],
                         [one.high for _, one in bounded])  # fmt: skip
    axes.hlines(rows, lows, highs, color=colour, linewidth=1.4)
    for hollow in (False, True):
        own = [(row, one) for row, one in shown if (one.significant is False) == hollow]
        axes.plot(
            [one.value for _, one in own], [row for row, _ in own], marker, color=colour,
            markersize=4.5, markerfacecolor="none" if hollow else colour,
        )  # fmt: skip


def _legend(picture: Picture, variants: Sequence[str]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415  # with the rest of matplotlib

    handles = [
        Line2D([], [], color=COLOURS[place % len(COLOURS)], marker=MARKERS[place % len(MARKERS)])
        for place in range(len(variants))
    ]
    picture.legend(
        handles, variants, loc="outside upper left", ncols=min(3, len(variants)),
        frameon=False, labelcolor=INK,
    )  # fmt: skip


def _themed(svg: str) -> str:
    """The SVG with the colour of its text taken from the reader's theme, and with attributes
    instead of styles, which pages may not have."""
    svg = NEEDLESS.sub("", SHEET.sub("", svg[svg.index("<svg") :]))
    svg = re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), svg)
    end = svg.index(">") + 1
    return svg[: end - 1] + ROUND + ">" + STYLE + svg[end:].replace(INK, "currentColor")


def _attributes(style: str) -> str:
    """The declarations of a style as attributes.

    >>> _attributes("font: 9px 'DejaVu Sans'; fill: none")
    ' font-size="9px" font-family="DejaVu Sans, sans-serif" fill="none"'
    """
    written = ""
    for declaration in filter(None, style.split(";")):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            size, _, family = value.partition(" ")
            family = family.replace("'", "")
            written += f' font-size="{size}" font-family="{family}, sans-serif"'
        else:
            written += f' {name}="{value}"'
    return written
