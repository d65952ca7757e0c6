"""Draws ratings and win shares as a picture. matplotlib comes with the extra `lab`."""
# ruff: noqa: PLC0415  # a heavy library that only plots need

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hastilude.arena.statistics import Interval
from hastilude.core.errors import OptionError, RecordError
from hastilude.core.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hastilude.arena.standings import Standings

# No date and no random ids: the same results give the same bytes.
FORMS: dict[str, dict[str, str | None]] = {".svg": {"Date": None}, ".png": {"Software": None}}
SETTINGS: Any = {"svg.hashsalt": "hastilude", "savefig.dpi": 150, "font.family": "DejaVu Sans"}
COLOUR = "#0B5FA5"


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


def _save(figure: Figure, path: Path) -> None:
    """Write the file, whole or not at all."""
    try:
        with replacing(path) as draft:
            figure.savefig(draft, format=path.suffix[1:], metadata=FORMS[path.suffix])
    except OSError as error:
        problem = error.strerror
        raise RecordError.of("cli_unwritable", path=str(path), problem=problem) from None
