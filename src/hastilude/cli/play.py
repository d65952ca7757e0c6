"""`hastilude play`: play against bots in the terminal."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    GameOptions,
    InLanguage,
    InTheme,
    Plain,
    Theme,
    app,
    chosen_game,
    is_terminal,
    sentence,
    spoken,
)
from hastilude.core.errors import OptionError

if TYPE_CHECKING:
    from hastilude.terminal.app import TableApp
    from hastilude.terminal.startup import Startup

LAST_SEED = 2**64 - 1
PACE = 0.6  # seconds between moves of bots at a drawn table


@app.command(
    epilog="Example: hastilude play tornei --level knight\n\n"
    "Two people, one bot: hastilude play triatri --seats person,person\n\n"
    "In sentences: hastilude play kings_tournament --plain --option best_of=1"
)
def play(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; prompted if omitted."),
    ] = None,
    option: GameOptions = None,
    seats: Annotated[
        str,
        typer.Option(
            metavar="A,B,…", help="A person or a bot per seat; remaining seats get bots of --level."
        ),
    ] = "person",
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help="Bot level: page, squire, knight or champion.")
    ] = "squire",
    names: Annotated[str, typer.Option(metavar="A,B,…", help="Names of the people.")] = "",
    new: Annotated[
        bool, typer.Option("--new", help="Start a new match without offering unfinished ones.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the latest unfinished match.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add the records of finished matches to this file."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=LAST_SEED, metavar="SEED", help="The same seed gives the same deals."
        ),
    ] = None,
    plain: Plain = False,
    theme: InTheme = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Play against bots, alone or with others at this keyboard. Unfinished matches are saved."""
    from hastilude.terminal.local import LocalSettings
    from hastilude.terminal.seating import seat_players
    from hastilude.terminal.startup import Startup

    if new and resume:
        raise OptionError.of("terminal_new_or_resume")
    if name is None and option:
        raise OptionError.of("terminal_game_first")
    plain = plain or not is_terminal()
    pace = 0.0 if plain else PACE
    settings = LocalSettings(record=record, seed=seed, pace=pace, language=spoken.get())
    game = seating = None
    if name is not None:
        game = chosen_game(name, option)
        seating = seat_players(game, seats.split(","), level, names.split(",") if names else ())
    startup = Startup(settings, game, seating, level, new, resume)
    if plain:
        play_plain(startup)
    else:
        play_drawn(startup, theme.value)


def play_plain(startup: Startup) -> None:
    import asyncio

    from hastilude.terminal.dialogues import dialogues

    asyncio.run(dialogues(startup))


def play_drawn(startup: Startup, theme: str) -> None:
    from hastilude.terminal.app import TableApp

    run_drawn(TableApp(startup, theme))


def run_drawn(table_app: TableApp) -> None:
    problem = table_app.run()
    if problem:
        raise problem
    if table_app.saved:
        print(sentence("terminal_kept"))
