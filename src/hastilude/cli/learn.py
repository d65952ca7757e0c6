"""`hastilude learn`: learn a game in the terminal, step by step."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import InLanguage, InTheme, Plain, Theme, app, is_terminal, spoken
from hastilude.cli.play import PACE, run_drawn

if TYPE_CHECKING:
    from hastilude.terminal.local import LocalSettings


@app.command(
    epilog="Example: hastilude learn tornei\n\nIn sentences: hastilude learn triatri --plain"
)
def learn(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; by default the easiest."),
    ] = None,
    plain: Plain = False,
    theme: InTheme = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Learn a game in about 3 minutes, in a first match that explains itself."""
    from hastilude.games.lessons import lesson
    from hastilude.games.registry import GAMES
    from hastilude.terminal.local import LocalSettings

    name = name or next(iter(GAMES))
    lesson(name)  # a game without one is refused before anything is prepared
    if plain or not is_terminal():
        learn_plain(name, LocalSettings(language=spoken.get()))
    else:
        learn_drawn(name, LocalSettings(language=spoken.get(), pace=PACE), theme.value)


def learn_plain(name: str, settings: LocalSettings) -> None:
    import asyncio

    from hastilude.terminal.plain_lesson import lesson_dialogue

    asyncio.run(lesson_dialogue(name, settings))


def learn_drawn(name: str, settings: LocalSettings, theme: str) -> None:
    from hastilude.games.registry import load
    from hastilude.terminal.app import LessonApp
    from hastilude.terminal.lesson import EASY
    from hastilude.terminal.startup import Startup

    run_drawn(LessonApp(Startup(settings, load(name), level=EASY), theme))
