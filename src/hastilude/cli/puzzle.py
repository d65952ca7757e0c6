"""`hastilude puzzle`: solve puzzles in the terminal."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import InLanguage, Plain, Theme, app, is_terminal, spoken

if TYPE_CHECKING:
    from hastilude.terminal.puzzling import Puzzling


@app.command(
    epilog="Example: hastilude puzzle tornei --theme void\n\n"
    "Example: hastilude puzzle triatri --daily --plain"
)
def puzzle(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; by default the easiest."),
    ] = None,
    theme: Annotated[
        str | None, typer.Option(metavar="THEME", help="Only puzzles with this theme.")
    ] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day.")] = False,
    plain: Plain = False,
    colours: Annotated[
        Theme, typer.Option("--colours", metavar="dark|light", help="Colours of the drawn table.")
    ] = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Solve puzzles: find the one choice that is clearly the best. Your rating adapts."""
    from hastilude.games.registry import GAMES
    from hastilude.terminal.puzzling import Puzzling

    puzzling = Puzzling(name or next(iter(GAMES)), theme, daily, spoken.get())
    if plain or not is_terminal():
        solve_plain(puzzling)
    else:
        solve_drawn(puzzling, colours.value)


def solve_plain(puzzling: Puzzling) -> None:
    import asyncio

    from hastilude.terminal.plain_puzzle import puzzle_dialogues

    asyncio.run(puzzle_dialogues(puzzling))


def solve_drawn(puzzling: Puzzling, theme: str) -> None:
    from hastilude.terminal.app import PuzzleApp

    problem = PuzzleApp(puzzling, theme).run()
    if problem:
        raise problem
