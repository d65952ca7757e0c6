"""Lessons in the terminal: in plain sentences, and drawn."""

import asyncio

import pytest

from hastilude.cli import BAD_INPUT, main
from hastilude.games import lessons
from hastilude.games.lessons import lesson
from hastilude.games.registry import GAMES
from hastilude.messages import Message, catalogue, render
from hastilude.terminal.app import LessonApp
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.lesson import lesson_table
from hastilude.terminal.local import LocalSettings
from hastilude.terminal.plain_lesson import lesson_dialogue
from hastilude.terminal.saved import SavedMatches
from hastilude.terminal.screens.lesson import LessonChoices, LessonScreen
from hastilude.terminal.screens.pages import Question
from hastilude.terminal.screens.play import PlayScreen
from tests.terminal.playing import lines, on_screen, run, startup, text, until

FREE = {"tornei": ["C3", "S2"], "kings_tournament": ["9", "3"], "triatri": ["X", "G5"]}


@pytest.fixture
def learned(monkeypatch, tmp_path, capsys):
    """What a plain lesson says to typed lines."""

    def learn(name, typed, language="en"):
        left = iter([*typed, None])

        async def line(self, listen=True):
            if not listen:
                await asyncio.sleep(3600)
            return next(left)

        monkeypatch.setattr(Keyboard, "line", line)
        settings = LocalSettings(SavedMatches(tmp_path), language=language)
        asyncio.run(lesson_dialogue(name, settings))
        return capsys.readouterr().out

    return learn


def answers(name):
    """What somebody types who follows a lesson, and chooses something else where it is free."""
    for step in lesson(name).steps[:-1]:
        yield from step.play or (FREE[name] if step.free else [""])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_plain_lesson_from_the_first_step_to_the_last(learned, name, language, tmp_path):
    said = learned(name, answers(name), language)
    told = lesson(name)
    names = lesson_names(name, language)
    places = [
        said.index(render(Message(step.say, step.values), language, names, told.seat))
        for step in told.steps
    ]
    assert places == sorted(places)
    assert said.rstrip().endswith(f"hastilude play {name} --level page")
    assert SavedMatches(tmp_path).unfinished() == []
    for step in told.steps:
        if step.picture:
            picture = Message(f"{name}_picture_{step.picture.name}", step.picture.values)
            assert render(picture, language) in said


def lesson_names(name, language):
    async def names():
        table = await lesson_table(name, LocalSettings())
        await table.leave()
        return table.names(language)

    return asyncio.run(names())


def test_a_wrong_card_is_told_why(learned):
    said = learned("triatri", ["R3", "", "", "G5", "R3", "", "B7", "G5"])
    for expected in (
        "Read this first, then press Enter.",  # R3 before it is asked for
        "Type R3.",
        catalogue("en")["triatri_lesson_bid_why"],
        "A7: The gem is green",  # B7 is against the rules
        catalogue("en")["triatri_lesson_four_times_why"],
    ):
        assert expected in said, expected


def test_leaving_is_not_asked_to_be_saved(learned):
    said = learned("triatri", ["", "quit"])
    assert "Step 2 of 14" in said
    assert "saved" not in said


def test_without_a_game_the_first_one_is_taught(monkeypatch):
    taught = []
    monkeypatch.setattr("hastilude.cli.learn.learn_plain", lambda name, _: taught.append(name))
    assert main(["learn", "--plain"]) == 0
    assert taught == [next(iter(GAMES))]


def test_a_game_without_a_lesson_is_refused(monkeypatch, capsys):
    assert main(["learn", "chess"]) == BAD_INPUT
    assert "There is no game named chess." in capsys.readouterr().err
    monkeypatch.setattr(lessons, "game_class", lambda name: None)
    lessons.lesson.cache_clear()
    assert main(["learn", "unwritten", "--language", "en"]) == BAD_INPUT
    assert "There is no lesson for unwritten yet." in capsys.readouterr().err


# --- drawn --------------------------------------------------------------------------------------


def drawn(scenario, folder, name, language="en"):
    run(scenario, LessonApp(startup(folder, name, language=language)))


async def at_step(app, pilot, number):
    await until(
        pilot,
        lambda: (
            isinstance(app.screen, LessonScreen)
            and app.table.reached == number
            and app.table.ready
            and f"{number + 1} of {len(app.table.lesson.steps)}:" in text(app)
        ),
    )


async def choose(app, pilot, action):
    choices = app.screen.query_one(LessonChoices)
    await until(pilot, lambda: action in choices.legal)
    choices.cursor = choices.texts.index(action)
    version = app.table.version
    await pilot.press("enter")
    await until(pilot, lambda: app.table.version > version)


@pytest.mark.parametrize("name", GAMES)
def test_a_drawn_lesson_from_the_first_step_to_a_match(tmp_path, name):
    async def scenario(app, pilot):
        await until(pilot, lambda: app.table)
        for number, step in enumerate(app.table.lesson.steps):
            await at_step(app, pilot, number)
            assert len(lines(app)) <= 24
            for action in step.play or ():
                assert app.screen.query_one(LessonChoices).chosen == action  # it is raised
                await choose(app, pilot, action)
            for action in FREE[name] if step.free else ():
                await choose(app, pilot, action)
            if not step.play and not step.free:
                await pilot.press("enter")
        await on_screen(app, pilot, Question)
        assert "Play against easy bots" in text(app)
        await pilot.press("enter")
        await until(pilot, lambda: type(app.screen) is PlayScreen)
        assert app.table.game.name == name

    drawn(scenario, tmp_path, name)


def test_a_wrong_card_in_a_drawn_lesson(tmp_path):
    async def scenario(app, pilot):
        await until(pilot, lambda: app.table)
        for number in (0, 1):
            await at_step(app, pilot, number)
            await pilot.press("enter")
        await at_step(app, pilot, 2)
        await pilot.press("right", "enter")
        await until(pilot, lambda: "R3 is the card you need least." in text(app))
        assert app.table.reached == 2
        await pilot.press("q")
        await on_screen(app, pilot, Question)
        assert "Leave the lesson?" in text(app)

    drawn(scenario, tmp_path, "triatri")
