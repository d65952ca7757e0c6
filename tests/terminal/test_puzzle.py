"""Puzzles in the terminal: in plain sentences, and drawn."""

import asyncio
import json
from datetime import date

import pytest

from hastilude import puzzles
from hastilude.cli import BAD_INPUT, main
from hastilude.core.errors import RecordError
from hastilude.games.registry import GAMES
from hastilude.messages import catalogue, render
from hastilude.puzzles.progress import START
from hastilude.terminal.app import PuzzleApp
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.plain_puzzle import puzzle_dialogues
from hastilude.terminal.puzzling import FULL, ProgressFile, Puzzling
from hastilude.terminal.screens.choices import Choices
from hastilude.terminal.screens.pages import Question, Story
from tests.terminal.playing import asked, lines, on_screen, run, text

TODAY = date(2026, 11, 18)


@pytest.fixture
def kept(tmp_path):
    return ProgressFile(tmp_path / "data" / "puzzles.json")


@pytest.fixture
def solved(monkeypatch, kept, capsys):
    """What the plain dialogue says to typed lines."""

    def solve(name, typed, language="en", **which):
        left = iter([*typed, None])

        async def line(self, listen=True):
            if not listen:
                await asyncio.sleep(3600)
            return next(left)

        monkeypatch.setattr(Keyboard, "line", line)
        asyncio.run(puzzle_dialogues(Puzzling(name, language=language, kept=kept, **which)))
        return capsys.readouterr().out

    return solve


def first(name):
    """The puzzle that a beginner gets."""
    return puzzles.next(name, START)


# --- in plain sentences ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_position_is_what_the_seat_knows(solved, name, language):
    puzzle = first(name)
    said = solved(name, ["quit"], language)
    match = puzzle.match()
    for card in match.view(puzzle.seat).hand:
        assert card in said
    last = match.events(puzzle.seat)[-1]
    names = match.game.names(language)
    assert last.ends or render(last.message, language, names, puzzle.seat) in said
    assert catalogue(language)["puzzle_question"] in said
    assert "％" not in said
    assert "%" not in said  # nothing of the answer


@pytest.mark.parametrize("name", GAMES)
def test_a_right_answer(solved, kept, name):
    puzzle = first(name)
    said = solved(name, [*puzzle.answer.texts, "no"])
    assert f"Right! The best choice is {puzzle.answer.texts[0]}" in said
    assert all(f"{choice.texts[0]}: {round(100 * choice.win.value)}%" in said
               for choice in puzzle.choices)  # fmt: skip
    for reason in puzzle.choices[puzzle.tempting].reasons:
        assert render(reason, "en", puzzle.match().game.names(), puzzle.seat) in said
    assert "Right in a row: 1." in said
    assert kept.load(name).rating > START


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_wrong_answer_is_explained(solved, kept, name, language):
    puzzle = first(name)
    wrong = puzzle.choices[-1]
    said = solved(name, [*wrong.texts, "no"], language)
    assert ("Wrong." if language == "en" else "不正解です。") in said
    assert f"✓ {puzzle.answer.texts[0]}" in said
    assert f"✗ {wrong.texts[0]}" in said
    for reason in wrong.reasons:
        names = puzzle.match().game.names(language)
        assert render(reason, language, names, puzzle.seat) in said
    assert kept.load(name).rating < START
    assert kept.load(name).streak == 0


def test_what_is_not_legal_is_refused_and_asked_again(solved, kept):
    said = solved("triatri", ["Q9", "hint", "quit"])
    assert "There is no action Q9." in said
    assert said.count("Your hand:") > 1
    assert "to win" not in said
    assert kept.load("triatri").done == ()


def test_leaving_loses_nothing(solved, kept):
    said = solved("tornei", ["?", "history", "quit"])
    assert "quit: leave the puzzle" in said
    assert "saved" not in said
    assert not kept.path.exists()


def test_one_puzzle_after_another(solved, kept):
    puzzle = first("triatri")
    said = solved("triatri", [*puzzle.answer.texts, "yes", "quit"])
    assert said.count("One choice is clearly the best.") == 2
    assert kept.load("triatri").done == (puzzle.id,)
    following = puzzles.next("triatri", kept.load("triatri").rating, {puzzle.id})
    assert f"difficulty {following.rating}" in said


def test_the_puzzle_of_the_day_counts_once(solved, kept):
    daily = puzzles.daily("triatri", TODAY)
    for expected in ("Your rating:", "so your rating stays"):
        said = solved("triatri", [*daily.answer.texts, "no"], daily=True, today=TODAY)
        assert "Puzzle of the day, 2026-11-18" in said
        assert expected in said


def test_all_puzzles_of_a_theme_are_answered(solved, kept):
    of_theme = [one.id for one in puzzles.puzzles("triatri") if "exchange" in one.themes]
    progress = kept.load("triatri")
    for id in of_theme:
        progress = progress.after(id, 1200, True)
    kept.save("triatri", progress)
    assert "You have answered all these puzzles." in solved("triatri", [], theme="exchange")


def test_the_rating_is_kept_where_it_can_be_written(solved, kept):
    kept.path.parent.write_text("not a folder")
    puzzle = first("triatri")
    said = solved("triatri", [*puzzle.answer.texts, "no"])
    assert "Right!" in said
    assert "Cannot save your rating" in said


@pytest.mark.parametrize(
    "content", ["", "[]", '{"games": {"triatri": {"rating": "high"}}}', '{"games": {"triatri": 3}}']
)
def test_a_damaged_rating_is_refused_and_kept(kept, content):
    kept.path.parent.mkdir()
    kept.path.write_text(content)
    with pytest.raises(RecordError, match="Delete that file to start again"):
        Puzzling("triatri", kept=kept)
    assert kept.path.read_text() == content


def test_ratings_of_games_are_kept_apart(kept):
    kept.save("triatri", kept.load("triatri").after("a", 1200, True))
    kept.save("tornei", kept.load("tornei").after("b", 1200, False))
    assert kept.load("triatri").rating > START > kept.load("tornei").rating
    assert json.loads(kept.path.read_text())["version"] == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "There is no game named chess"),
        (["tornei", "--theme", "voids"], "Did you mean void?"),
        (["tornei", "--theme", "void", "--daily"], "leave out --daily or --theme"),
    ],
)
def test_bad_input_is_refused(arguments, reason, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["puzzle", *arguments, "--plain", "--language", "en"]) == BAD_INPUT
    assert reason in capsys.readouterr().err


# --- drawn ----------------------------------------------------------------------------------------


async def choose(app, pilot, action):
    choices = app.screen.query_one(Choices)
    choices.cursor = choices.texts.index(action)
    await pilot.press("enter")


@pytest.mark.parametrize("name", GAMES)
def test_a_drawn_puzzle(kept, name):
    puzzle = first(name)

    async def scenario(app, pilot):
        await asked(app, pilot)
        assert f"difficulty {puzzle.rating}" in text(app)
        assert FULL not in text(app)
        assert len(lines(app)) <= 24
        for action in puzzle.answer.texts:
            await choose(app, pilot, action)
        await on_screen(app, pilot, Story)
        assert "Right!" in text(app)
        assert FULL in text(app)
        await pilot.press("escape")
        await on_screen(app, pilot, Question)
        assert "The match is over." not in text(app)
        await pilot.press("enter")  # the next one
        await asked(app, pilot)
        assert app.table.puzzle.id != puzzle.id
        await pilot.press("q")
        await on_screen(app, pilot, Question)
        assert "Leave the puzzle?" in text(app)

    run(scenario, PuzzleApp(Puzzling(name, kept=kept)))
    assert kept.load(name).done == (puzzle.id,)
