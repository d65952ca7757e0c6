"""Helpers for tests that play in the terminal."""

import asyncio
from io import StringIO

from rich.console import Console

import hastilude
from hastilude.terminal.app import TableApp
from hastilude.terminal.local import LocalSettings
from hastilude.terminal.saved import SavedMatches
from hastilude.terminal.screens.choices import Choices
from hastilude.terminal.screens.play import PlayScreen
from hastilude.terminal.seating import seat_players
from hastilude.terminal.startup import Startup

SIZE = (80, 24)
LONGEST = 60  # seconds that anything may take, including compilation


def startup(folder, name=None, seats=("person",), language="en", given=(), **options):
    """Start-up of a table with random bots; the match is the same every time."""
    settings = LocalSettings(SavedMatches(folder), seed=7, language=language)
    if name is None:
        return Startup(settings, level="random")
    game = hastilude.load(name, **options)
    return Startup(settings, game, seat_players(game, seats, "random", given))


def run_tables(scenario, startup):
    """Run the scenario in the application that plays at tables."""
    run(scenario, TableApp(startup))


def run(scenario, app):
    """Run the coroutine `scenario(app, pilot)` with the application."""

    async def main():
        async with app.run_test(size=SIZE) as pilot:
            await scenario(app, pilot)

    asyncio.run(main())


async def until(pilot, condition):
    for _ in range(LONGEST * 100):
        if condition():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise TimeoutError(f"never: {condition}")


def is_asked(app):
    """Whether somebody at the drawn table must choose."""
    screen = app.screen
    if not isinstance(screen, PlayScreen):
        return False
    return any(choices.legal for choices in screen.query(Choices)) and not any(
        map(screen.table.thinking, screen.table.pending)
    )


async def asked(app, pilot):
    await until(pilot, lambda: is_asked(app))


async def on_screen(app, pilot, kind):
    await until(pilot, lambda: isinstance(app.screen, kind) and app.screen.is_mounted)


async def press_and_wait(app, pilot, key):
    """Make a move, and wait until the others have moved."""
    version = app.table.version
    await pilot.press(key)
    await until(pilot, lambda: app.table.version > version)
    await until(pilot, lambda: is_asked(app) or not isinstance(app.screen, PlayScreen))


def lines(app):
    """The screen as text."""
    width, height = app.size
    console = Console(
        width=width, height=height, file=StringIO(), record=True, legacy_windows=False
    )
    console.print(app.screen._compositor.render_update(full=True))
    return [line.rstrip() for line in console.export_text().splitlines()]


def text(app):
    return "\n".join(lines(app))


def finished_record(name, **options):
    game = hastilude.load(name, **options)
    match = game.new(seed=7)
    while not match.over:
        match.play(match.turn, match.legal(match.turn)[0])
    return match.record(["Ada", "Ben", "Chika"])
