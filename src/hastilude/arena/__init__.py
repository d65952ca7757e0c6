"""Measures bots against each other.

Every deal is played with the bots rotated through the seats. A deal with all its rotations is one
observation, and confidence intervals are over deals.

>>> from hastilude import arena, load
>>> found = arena.compare(load("triatri", players=2), ["random", "random"], deals=4, workers=1)
>>> found.matches, [standing.seats for standing in found.bots]
(8, [8, 8])
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hastilude.arena.contest import Contest, Maker
from hastilude.arena.deals import DealResult, Deals
from hastilude.arena.results import Results
from hastilude.arena.standings import Standing, Standings, standings
from hastilude.arena.statistics import Interval
from hastilude.core.game import Game
from hastilude.workers import Local, Workers

__all__ = [
    "Contest",
    "DealResult",
    "Interval",
    "Maker",
    "Standing",
    "Standings",
    "compare",
    "run",
    "standings",
]


def compare(
    game: Game,
    bots: Sequence[str] | Mapping[str, Maker],
    deals: int,
    seed: int = 0,
    *,
    tables: Sequence[str] = (),
    results: str | Path | None = None,
    workers: int | Workers | None = None,
    processor_time: bool = False,
) -> Standings:
    """Let bots play a number of deals; returns their standings with confidence intervals.

    A bot is a name that `bots.make` knows, or a name and a function `maker(game, seed)` that makes
    your own bot (with several workers it must be a function or class of a module). `tables` has
    letters by seat, as in `tables.seatings`. With a `results` file, repeating an interrupted call
    continues it. With `processor_time`, budgets and times of moves count that instead of time.
    """
    contest = Contest.of(game, bots, tables, seed, processor_time)
    return standings(contest, run(contest, deals, results, workers))


def run(
    contest: Contest,
    deals: int,
    results: str | Path | None = None,
    workers: int | Workers | None = None,
) -> Iterator[DealResult]:
    """Yield the results of deals as they finish, those already in the file first."""
    with Results(contest, results) as kept:
        wanted = range(deals)
        yield from [kept.finished[deal] for deal in wanted if deal in kept.finished]
        missing = [deal for deal in wanted if deal not in kept.finished]
        team = Local(workers) if workers is None or isinstance(workers, int) else workers
        for _, result in team.share_out(Deals(contest), missing):
            kept.add(result)
            yield result
