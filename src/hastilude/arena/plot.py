"""Draws ratings and win shares, and the strength over a training, as a picture.

matplotlib comes with the extra `lab`.
"""
# ruff: noqa: PLC0415  # a heavy library that only plots need

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from hastilude.arena.statistics import Interval
from hastilude.bots.training import Course, Measurement
from hastilude.core.errors import OptionError
from hastilude.core.files import replacing, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hastilude.arena.standings import Standings

# No date and no random ids: the same results give the same bytes.
FORMS: dict[str, dict[str, str | None]] = {".svg": {"Date": None}, ".png": {"Software": None}}
SETTINGS: Any = {"svg.hashsalt": "hastilude", "savefig.dpi": 150, "font.family": "DejaVu Sans"}
COLOUR = "#0B5FA5"
IN_A_ROW = 3  # courses; more are shown in rows of two
LABEL = 40  # characters in a line beside an axis


def check(path: Path) -> None:
    """OptionError if no plot could be written there; called before anything is played."""
    if path.suffix not in FORMS:
        raise OptionError.of("arena_plot_form", path=str(path))
    if find_spec("matplotlib") is None:
        raise OptionError.of("arena_plot_missing")
    if not path.parent.is_dir():
        raise OptionError.of("arena_plot_folder", path=str(path))


def plot(standings: Standings, path: Path) -> None:
    """Ratings and win shares with their intervals, the strongest bot on top."""
    import matplotlib
    from matplotlib.figure import Figure

    contest = standings.contest
    order = sorted(range(len(standings.bots)), key=lambda bot: standings.ratings[bot].mean)
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(9, 1.6 + 0.45 * len(order)), layout="constrained")
        rating, share = figure.subplots(1, 2, sharey=True)
        _draw(rating, [standings.ratings[bot] for bot in order])
        _draw(share, [standings.bots[bot].win_share for bot in order])
        rating.set_yticks(range(len(order)), [_label(standings, bot) for bot in order])
        rating.set_xlabel("rating")
        share.set_xlabel("win share")
        share.axvline(1 / contest.game.seats, color="grey", linestyle="--", linewidth=1)
        share.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        figure.suptitle(f"{contest.game.title}: {len(standings.results)} deals, 95 % intervals")
        _save(figure, path)


def _label(standings: Standings, bot: int) -> str:
    return f"{standings.bots[bot].bot} ({standings.bots[bot].letter})"


def _draw(axes: Axes, values: Sequence[Interval]) -> None:
    reach = [
        [value.mean - (value.mean if value.low is None else value.low) for value in values],
        [(value.mean if value.high is None else value.high) - value.mean for value in values],
    ]
    means = [value.mean for value in values]
    axes.errorbar(means, range(len(values)), xerr=reach, fmt="o", color=COLOUR, capsize=4)
    axes.set_ylim(-0.5, len(values) - 0.5)
    axes.grid(axis="x", alpha=0.3)


def plot_training(
    title: str, courses: Sequence[Course], measurements: Sequence[Measurement], path: Path
) -> None:
    """How strong each course was after how many minutes."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(SETTINGS):
        columns = len(courses) if len(courses) <= IN_A_ROW else 2
        rows = -(-len(courses) // columns)
        figure = Figure(figsize=(1.0 + 4.0 * columns, 0.6 + 3.0 * rows), layout="constrained")
        for number, course in enumerate(courses, 1):
            own = [one for one in measurements if one.course == course.name]
            if own:
                axes = figure.add_subplot(rows, columns, number, title=course.name)
                axes.set_ylabel(fill(course.measure, LABEL))
                _draw_course(axes, own)
        figure.suptitle(f"{title}: strength over the training, 95 % intervals")
        _save(figure, path)


def _draw_course(axes: Axes, measurements: Sequence[Measurement]) -> None:
    minutes = [one.minutes for one in measurements]
    low = [one.strength - one.margin for one in measurements]
    high = [one.strength + one.margin for one in measurements]
    axes.fill_between(minutes, low, high, color=COLOUR, alpha=0.25, linewidth=0)
    axes.plot(minutes, [one.strength for one in measurements], "o-", color=COLOUR, markersize=4)
    axes.margins(x=0.03)
    axes.set_xlabel("minutes of practice")
    axes.grid(alpha=0.3)


def _save(figure: Figure, path: Path) -> None:
    """Write the file, whole or not at all."""
    with writing(path), replacing(path) as draft:
        figure.savefig(draft, format=path.suffix[1:], metadata=FORMS[path.suffix])
