"""`hastilude arena`: measure bots against each other."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    AsJson,
    GameName,
    GameOptions,
    InLanguage,
    OnRay,
    WorkerCount,
    app,
    chosen_game,
    chosen_workers,
    print_json,
    print_table,
    sentence,
    with_progress,
)
from hastilude.cli.simulate import LAST_SEED

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.arena import DealResult, Interval, Standing, Standings
    from hastilude.arena.contest import Contest


@app.command(
    epilog="Example: hastilude arena tornei --bots search:50ms,reference --deals 200 "
    "--results strength.jsonl --plot strength.svg"
)
def arena(
    name: GameName,
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B,…", help="The bots. The first is bot a, the second bot b, and so on."
        ),
    ],
    deals: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Number of deals, each played in every rotation of the seats."
        ),
    ] = 100,
    tables: Annotated[
        str | None,
        typer.Option(
            metavar="ABBB,…",
            help="Who meets whom: one letter per seat, such as aabb for two against two. The last "
            "letter is repeated for remaining seats. By default all bots sit at one table "
            "(one against three: abbb), or every selection, if there are more bots than seats.",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, max=LAST_SEED, metavar="SEED", help="The same seed gives the same deals."
        ),
    ] = 0,
    option: GameOptions = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save each finished deal to this file, one JSON line per deal. The same command "
            "resumes an interrupted run, and with more --deals adds to it.",
        ),
    ] = None,
    workers: WorkerCount = None,
    ray: OnRay = None,
    processor_time: Annotated[
        bool,
        typer.Option(
            "--processor-time",
            help="Count the time limits of bots in processor time, so that other work on this "
            "machine does not weaken them.",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg|.png", help="Draw the ladder: ratings and win shares, with intervals."
        ),
    ] = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Measure bots against each other. Reports win shares, score differences, ratings and times."""
    from hastilude.arena import Contest, run, standings
    from hastilude.arena import plot as plotting

    game = chosen_game(name, option)
    seating = tables.split(",") if tables else ()
    contest = Contest.of(game, bots.split(","), seating, seed, processor_time)
    if plot:
        plotting.check(plot)
    with chosen_workers(workers, ray) as team:
        played = with_progress(run(contest, deals, results, team), deals, game.title)
        found = standings(contest, reporting(contest, played))
    if plot:
        plotting.plot(found, plot)
    if as_json:
        print_json(found.to_json())
    else:
        print_standings(found)


def reporting(contest: Contest, played: Iterable[DealResult]) -> Iterator[DealResult]:
    """Pass on the results, and report each forfeit on stderr as it happens, one line each."""
    for result in played:
        for match in result.matches:
            if match.forfeit:
                line = sentence(
                    "arena_forfeit",
                    deal=result.deal,
                    table=match.seats,
                    bot=contest.name(match.seats[match.forfeit.seat]),
                    seat=match.forfeit.seat,
                    problem=match.forfeit.error,
                    record=json.dumps(match.forfeit.record, ensure_ascii=False),
                )
                print(line, file=sys.stderr)
        yield result


def print_standings(found: Standings) -> None:
    contest = found.contest
    if len(found.tables) > 1:
        for name, bots in found.tables.items():
            print_table(strength_table(bots, found.rounds > 1, sentence("arena_table", table=name)))
    print_table(strength_table(found.bots, found.rounds > 1))
    print_table(ladder_table(found))
    print_table(times_table(found))
    print(
        sentence(
            "arena_played",
            count=len(found.results),
            matches=found.matches,
            title=contest.game.title,
            seed=contest.seed,
        )
    )
    if found.rounds > 1:
        print(sentence("arena_rounds", rounds=f"{found.rounds:.4g}"))


def strength_table(bots: Iterable[Standing], rounds: bool, title: str | None = None) -> Table:
    """Win shares and score differences; with `rounds`, differences per round too."""
    headings = ["win share", "difference", *(["per round"] if rounds else [])]
    table = bots_table(headings, title)
    for standing in bots:
        cells = [percent(standing.win_share), number(standing.difference, "+.2f")]
        cells += [number(standing.difference_a_round, "+.2f")] if rounds else []
        table.add_row(standing.letter, standing.bot, *cells)
    return table


def ladder_table(found: Standings) -> Table:
    """Ratings and scores of all bots, the strongest first."""
    forfeits = any(standing.forfeits for standing in found.bots)
    table = bots_table(["rating", "score", *["forfeits"] * forfeits])
    rows = sorted(zip(found.bots, found.ratings, strict=True), key=lambda row: -row[1].mean)
    for standing, rating in rows:
        cells = [number(rating, ".1f"), number(standing.score, ".2f")]
        cells += [str(standing.forfeits)] * forfeits
        table.add_row(standing.letter, standing.bot, *cells)
    return table


def times_table(found: Standings) -> Table:
    from hastilude.arena.standings import SLOW

    budgets = any(times.budget is not None for times in found.times)
    headings = ["moves", "ms per move", f"{SLOW} %", *["over budget"] * budgets]
    table = bots_table(headings)
    for standing, times in zip(found.bots, found.times, strict=True):
        cells = [plain(value, ".3g") for value in (times.mean, times.percentile(SLOW))]
        cells += [plain(times.over_budget, ".1%")] * budgets
        table.add_row(standing.letter, standing.bot, str(times.moves), *cells)
    return table


def bots_table(headings: Iterable[str], title: str | None = None) -> Table:
    from rich.table import Column, Table

    numbers = [Column(heading, justify="right") for heading in headings]
    return Table("", "bot", *numbers, title=title, title_justify="left")


def percent(value: Interval) -> str:
    mean, low, high = value
    if low is None or high is None:
        return f"{mean:.1%}"
    return f"{mean:.1%} ({low:.1%}-{high:.1%})"


def number(value: Interval | None, form: str) -> str:
    """A mean and half the width of its interval."""
    if value is None:
        return "-"
    mean, low, _ = value
    return f"{mean:{form}}" if low is None else f"{mean:{form}} ± {mean - low:{form.lstrip('+')}}"


def plain(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"
