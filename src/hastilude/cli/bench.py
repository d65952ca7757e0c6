"""`hastilude bench`: measure the engine's speed."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hastilude.cli.base import AsJson, InLanguage, app, print_json, print_table, say, with_progress


@app.command(epilog="Example: hastilude bench --game tornei --repeat 7")
def bench(
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="Only this game; can be repeated."),
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, metavar="N", help="Repetitions; shows the median.")
    ] = 5,
    quick: Annotated[bool, typer.Option("--quick", help="One short repetition.")] = False,
    compiling: Annotated[
        bool, typer.Option("--compile", help="Also measure the first use, with an empty cache.")
    ] = False,
    limit: Annotated[
        Path | None,
        typer.Option(metavar="FILE.c", help="C program to compare with, named after a game."),
    ] = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Measure the speed of the engine on this machine."""
    from hastilude import bench as benchmark
    from hastilude.games.registry import GAMES, game_class

    names = tuple(game or GAMES)
    for name in names:
        game_class(name)
    effort = benchmark.QUICK if quick else benchmark.Effort(repeat=repeat)
    plan = benchmark.plan(names, effort, compiling, limit)
    rows = [row for measure in with_progress(plan, len(plan), "bench") for row in measure()]
    if as_json:
        for row in rows:
            print_json(row.to_json())
        return
    print_table(benchmark.table(rows))
    print(say(benchmark.note()))
