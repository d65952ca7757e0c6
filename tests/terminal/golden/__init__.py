"""The main screens in both languages, as text of 80 by 24 cells, in the files of this folder.

`python -m tests.terminal.golden` writes them again; read the diff before you commit it.
"""

import tempfile
from pathlib import Path

from textual.widgets import Collapsible, Select

from hastilude.messages import LANGUAGES
from hastilude.terminal.app import LessonApp, ReplayApp, TableApp
from hastilude.terminal.screens.pages import Curtain, History, Question, Rules, Story
from hastilude.terminal.screens.start import StartScreen
from tests.terminal.playing import (
    asked,
    finished_record,
    is_asked,
    lines,
    on_screen,
    run,
    startup,
    until,
)

FOLDER = Path(__file__).parent
SCREENS = {}


def screen(name, **table):
    """Register how to reach a screen: a coroutine that takes the application and its pilot."""

    def declare(scenario):
        SCREENS[scenario.__name__] = (scenario, {"name": name, **table})
        return scenario

    return declare


async def move(app, pilot, times):
    """The people make their first legal moves."""
    for _ in range(times):
        await asked(app, pilot)
        seat, version = app.screen.seat, app.table.version
        await app.table.play(seat, app.table.legal(seat)[0])
        await until(pilot, lambda before=version: app.table.version > before)
        await until(pilot, lambda: is_asked(app) or app.table.over)


@screen(None)
async def start(app, pilot):
    await on_screen(app, pilot, StartScreen)


@screen(None)
async def variants(app, pilot):
    await on_screen(app, pilot, StartScreen)
    app.screen.query_one(Collapsible).collapsed = False
    await until(pilot, lambda: "opening_exchange" in [one.name for one in selects(app)])


def selects(app):
    return [select for select in app.screen.query(Select) if select.region.height]


@screen("tornei")
async def tornei_prediction(app, pilot):
    await move(app, pilot, 12)


@screen("tornei")
async def tornei_trick_over(app, pilot):
    await move(app, pilot, 1)
    while app.table.view(0).phase != "lead":
        await move(app, pilot, 1)


@screen("tornei", players=3)
async def tornei_with_dummy(app, pilot):
    await move(app, pilot, 7)


@screen("kings_tournament")
async def kings_tournament_line(app, pilot):
    await move(app, pilot, 2)


@screen("kings_tournament")
async def kings_tournament_melee(app, pilot):
    while app.table.view(0).phase != "answer" or len(app.table.view(0).turns) < 2:
        await move(app, pilot, 1)


@screen("triatri", players=4)
async def triatri_bid(app, pilot):
    await asked(app, pilot)


@screen("triatri")
async def triatri_gem(app, pilot):
    while app.table.view(0).phase != "name" or app.table.view(0).trick < 2:
        await move(app, pilot, 1)


@screen("triatri", players=4)
async def triatri_trick(app, pilot):
    def is_doubled(view):
        return view.table and any(lying and lying.factor > 1 for lying in view.table.lies)

    while not is_doubled(app.table.view(0)):
        await move(app, pilot, 1)


@screen("triatri", seats=("person", "person"), given=("Ada", "Ben"), players=2)
async def curtain(app, pilot):
    await on_screen(app, pilot, Curtain)


@screen("tornei")
async def history(app, pilot):
    await move(app, pilot, 4)
    await pilot.press("e")
    await on_screen(app, pilot, History)


@screen("tornei")
async def rules(app, pilot):
    await asked(app, pilot)
    await pilot.press("r", "down")
    await on_screen(app, pilot, Rules)


@screen("triatri")
async def keys(app, pilot):
    await asked(app, pilot)
    await pilot.press("question_mark")
    await on_screen(app, pilot, Story)


@screen("triatri", players=2)
async def result(app, pilot):
    await move(app, pilot, 1)
    while not app.table.over:
        await move(app, pilot, 1)
    await on_screen(app, pilot, Question)


@screen("triatri", app=LessonApp)
async def lesson_picture(app, pilot):
    await follow_lesson(app, pilot, 5)


@screen("kings_tournament", app=LessonApp)
async def lesson_play(app, pilot):
    await follow_lesson(app, pilot, 3)


async def follow_lesson(app, pilot, steps):
    """Do what a lesson says, so many steps."""
    for reached in range(steps + 1):
        await until(pilot, lambda wanted=reached: app.table.reached == wanted and app.table.ready)
        if reached < steps:
            await do_step(app.table)


async def do_step(table):
    for action in table.step.play or (None,):
        await (table.play(0, action) if action else table.go_on())


async def replayed(app, pilot):
    await pilot.press("s", *["right"] * 9)


def snapshot(name, language):
    """The lines of a screen."""
    seen = []

    async def look(app, pilot):
        if name == "replay":
            await replayed(app, pilot)
        else:
            scenario, table = SCREENS[name]
            await until(pilot, lambda: app.table or not table["name"])
            await scenario(app, pilot)
        await pilot.pause(0.1)
        seen.extend(lines(app))

    if name == "replay":
        run(look, ReplayApp([finished_record("triatri")], None, language))
    else:
        table = dict(SCREENS[name][1])
        kind = table.pop("app", TableApp)
        with tempfile.TemporaryDirectory() as folder:
            run(look, kind(startup(Path(folder), language=language, **table)))
    return seen


SNAPSHOTS = [(name, language) for name in (*SCREENS, "replay") for language in LANGUAGES]


def path(name, language):
    return FOLDER / f"{name}.{language}.txt"


def main():
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, language in SNAPSHOTS:
        path(name, language).write_text("\n".join(snapshot(name, language)) + "\n", "utf-8")
