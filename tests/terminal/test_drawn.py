"""The drawn table, played at by Textual's pilot."""

import pytest
from rich.cells import cell_len
from textual.widgets import Input, Select
from textual.widgets._collapsible import CollapsibleTitle

import hastilude
from hastilude.core.record import Record
from hastilude.terminal.app import ReplayApp
from hastilude.terminal.saved import SavedMatches
from hastilude.terminal.screens.choices import Choices
from hastilude.terminal.screens.lesson import LessonScreen
from hastilude.terminal.screens.pages import Curtain, History, Question, Rules, Story
from hastilude.terminal.screens.play import PlayScreen
from hastilude.terminal.screens.start import StartScreen
from tests.terminal.playing import (
    asked,
    finished_record,
    is_asked,
    lines,
    on_screen,
    press_and_wait,
    run,
    run_tables,
    startup,
    text,
    until,
)

VARIANTS = [
    ("tornei", {}),
    ("tornei", {"players": 3}),
    ("kings_tournament", {"best_of": 1}),
    ("kings_tournament", {"best_of": 1, "joust": "stepwise"}),
    ("triatri", {"players": 2}),
    ("triatri", {"players": 4}),
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_whole_match_is_played_with_the_keyboard(tmp_path, name, options):
    async def scenario(app, pilot):
        await asked(app, pilot)
        widest = 0
        while not isinstance(app.screen, Question):
            widest = max(widest, *map(cell_len, lines(app)))
            await press_and_wait(app, pilot, "enter")
        assert widest <= 80
        assert app.table.over
        winner = app.table.names("en")[app.table.winners[0]]
        assert f"✓ {winner}" in text(app)
        assert SavedMatches(tmp_path).unfinished() == []

    run_tables(scenario, startup(tmp_path, name, **options))


def test_after_the_result_another_match_begins(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        first = app.table
        while not isinstance(app.screen, Question):
            await press_and_wait(app, pilot, "enter")
        await pilot.press("escape")  # look at the table
        await on_screen(app, pilot, PlayScreen)
        await pilot.press("q")  # the result again
        await on_screen(app, pilot, Question)
        await pilot.press("enter")
        await until(pilot, lambda: app.table is not first)
        await asked(app, pilot)
        assert not app.table.over
        assert app.table.game == first.game

    run_tables(scenario, startup(tmp_path, "triatri", players=2))


# --- choosing -----------------------------------------------------------------------------------


def test_arrows_digits_and_the_mouse_raise_a_card(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        choices = app.screen.query_one(Choices)
        await pilot.press("home")
        assert choices.cursor == 0
        await pilot.press("right", "right")
        assert choices.cursor == 2
        await pilot.press("9")
        assert choices.cursor == 8
        await pilot.press("end")
        assert choices.cursor == len(choices.texts) - 1
        choices._typed = (0, 0)
        await pilot.press("1", "2")
        assert choices.chosen == choices.texts[11]
        await pilot.click(Choices, offset=(1 + 5 * 3, 1))
        assert choices.cursor == 3
        wanted, version = choices.chosen, app.table.version
        await pilot.click(Choices, offset=(1 + 5 * 3, 1))  # a click on the raised card plays it
        await until(pilot, lambda: app.table.version > version)
        assert wanted in [event[2] for event in app.table.match.record().events if event[1] == 0]

    run_tables(scenario, startup(tmp_path, "tornei"))


def test_what_may_not_be_played_is_marked_and_refused_with_the_clause(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        choices = app.screen.query_one(Choices)
        while set(choices.legal) == set(choices.texts):
            await press_and_wait(app, pilot, "enter")
        version = app.table.version
        index = next(i for i, one in enumerate(choices.texts) if one not in choices.legal)
        choices.cursor = index
        signs = lines(app)[-2].split()
        assert {sign for sign in signs if sign.startswith("▴")} == {
            f"▴{i + 1}" for i, one in enumerate(choices.texts) if one in choices.legal
        }
        await pilot.press("enter")
        await until(pilot, lambda: "T9:" in text(app).split("joust card")[-1])
        assert app.table.version == version
        await pilot.press("r")  # the rules open at the clause of the refusal
        await on_screen(app, pilot, Rules)
        await until(pilot, lambda: "T9 Follow. If you hold" in text(app))

    run_tables(scenario, startup(tmp_path, "tornei"))


def test_why_and_hint(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        card = app.screen.query_one(Choices).chosen
        await pilot.press("w")
        await until(pilot, lambda: f"You can play {card}." in text(app))
        await pilot.press("h")
        await on_screen(app, pilot, Story)
        assert "Best moves" in text(app)
        assert "% to win: " in text(app)
        assert " → " in text(app)  # a whole line
        assert "wins the joust in" in text(app)
        await pilot.press("escape")
        await on_screen(app, pilot, PlayScreen)

    run_tables(scenario, startup(tmp_path, "kings_tournament"))


def test_the_history_tells_how_a_trick_was_decided(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        while not any(event.ends for event in app.table.events(0)):
            await press_and_wait(app, pilot, "enter")
        await pilot.press("e")
        await on_screen(app, pilot, History)
        await pilot.press("enter")
        await on_screen(app, pilot, Story)
        assert "finishes 1st." in text(app)
        await pilot.press("escape")
        await on_screen(app, pilot, History)
        await pilot.press("escape")
        await pilot.press("t")  # the last trick, without the way through the history
        await on_screen(app, pilot, Story)
        assert "finishes 1st." in text(app)

    run_tables(scenario, startup(tmp_path, "tornei"))


# --- people at one keyboard ---------------------------------------------------------------------


def test_a_curtain_falls_between_two_hands(tmp_path):
    async def scenario(app, pilot):
        sat_down = []
        while len(sat_down) < 6:
            await until(pilot, lambda: isinstance(app.screen, Curtain) or is_asked(app))
            if isinstance(app.screen, Curtain):
                sat_down.append(app.screen.seat)
                assert app.table.names("en")[app.screen.seat] in text(app)
                for card in (*app.table.view(0).hand, *app.table.view(1).hand):
                    assert card not in text(app)
                await pilot.press("enter")
                await asked(app, pilot)
            seat = app.screen.seat
            assert seat == sat_down[-1]
            assert set(app.table.legal(seat)) == app.screen.query_one(Choices).legal
            assert f"{app.table.names('en')[seat]} (you)" in text(app)
            await press_and_wait(app, pilot, "enter")
        assert sat_down == [0, 1] * 3

    seats, given = ("person", "person"), ("Ada", "Ben")
    run_tables(scenario, startup(tmp_path, "triatri", seats, given=given, players=2))


# --- leaving and coming back --------------------------------------------------------------------


def test_ctrl_c_asks_once_and_keeps_the_match(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        await press_and_wait(app, pilot, "enter")
        await pilot.press("ctrl+c")
        await on_screen(app, pilot, Question)
        await pilot.press("escape")  # stay
        await on_screen(app, pilot, PlayScreen)
        await pilot.press("ctrl+c")
        await on_screen(app, pilot, Question)
        await pilot.press("ctrl+c")

    run_tables(scenario, startup(tmp_path, "triatri"))
    (saved,) = SavedMatches(tmp_path).unfinished()
    assert any(event[:2] == ["play", 0] for event in Record.load(saved.record_path).events)


def test_an_unfinished_match_is_offered_and_goes_on(tmp_path):
    moved = []

    async def leave(app, pilot):
        await asked(app, pilot)
        await press_and_wait(app, pilot, "enter")
        moved.extend(app.table.match.record().events)

    async def come_back(app, pilot):
        await on_screen(app, pilot, StartScreen)
        await until(pilot, lambda: "Player 1, Player 2, Player 3" in text(app))
        await pilot.press("enter")
        await asked(app, pilot)
        assert app.table.match.record().events[: len(moved)] == moved

    run_tables(leave, startup(tmp_path, "triatri"))
    run_tables(come_back, startup(tmp_path))


def test_an_unfinished_match_can_be_deleted(tmp_path):
    async def leave(app, pilot):
        await asked(app, pilot)

    async def delete(app, pilot):
        await on_screen(app, pilot, StartScreen)
        await until(pilot, lambda: "Unfinished" in text(app))
        await pilot.press("delete")
        await until(pilot, lambda: "Unfinished" not in text(app))

    run_tables(leave, startup(tmp_path, "triatri"))
    run_tables(delete, startup(tmp_path))
    assert list(tmp_path.iterdir()) == []


# --- the choice of a match ----------------------------------------------------------------------


def test_game_options_and_players_are_chosen(tmp_path):
    async def scenario(app, pilot):
        await on_screen(app, pilot, StartScreen)
        app.screen.query_one("#game").value = "triatri"
        await until(pilot, lambda: "Game design OR-U" in text(app))
        app.screen.query("Select.option").first().value = 2
        await until(pilot, lambda: len(app.screen.query(".player")) == 2)
        app.screen.query(".player").last().value = "person"
        await until(pilot, lambda: app.screen.query(".name").last().display)
        app.screen.query(".name").first().value = "Ada"
        await pilot.press("f2")
        await on_screen(app, pilot, Curtain)
        assert app.table.game == hastilude.load("triatri", players=2)
        assert app.table.names("en") == ("Ada", "Player 2")

    run_tables(scenario, startup(tmp_path))


def test_variants_are_chosen_where_they_are_unfolded(tmp_path):
    async def scenario(app, pilot):
        await on_screen(app, pilot, StartScreen)
        app.screen.query_one("#game").value = "tornei"
        await until(pilot, lambda: "▶ Variants" in text(app))
        assert "Points for each place" not in text(app)
        app.screen.query_one(CollapsibleTitle).focus()
        await pilot.press("enter")
        await until(pilot, lambda: "Points for each place" in text(app))
        select = next(one for one in app.screen.query(Select) if one.name == "no_trick_points")
        select.value = 10
        await until(pilot, lambda: app.screen.game.options["no_trick_points"] == 10)
        await until(pilot, lambda: "▼ Variants" in text(app))  # still unfolded
        app.screen.query_one("Input.option", Input).value = "1,2,2,1"
        await pilot.press("f2")
        await asked(app, pilot)
        wanted = hastilude.load("tornei", no_trick_points=10, place_points=(1, 2, 2, 1))
        assert app.table.game == wanted
        await pilot.press("r")
        await on_screen(app, pilot, Rules)
        await until(pilot, lambda: "Variants at this table" in text(app))
        assert "Points for each place: 1 2 2 1" in text(app)

    run_tables(scenario, startup(tmp_path))


@pytest.mark.parametrize("way", ["key", "button"])
def test_a_newcomer_finds_the_lesson(tmp_path, way):
    async def scenario(app, pilot):
        await on_screen(app, pilot, StartScreen)
        app.screen.query_one("#game").value = "tornei"
        await until(pilot, lambda: app.screen.game.name == "tornei")
        assert "Learn it in 3 minutes" in text(app)
        if way == "key":
            await pilot.press("f3")
        else:
            app.screen.query_one("#begin").focus()
            await pilot.press("down", "enter")
        await on_screen(app, pilot, LessonScreen)
        assert app.table.game.name == "tornei"
        assert not app.saved

    run_tables(scenario, startup(tmp_path))


def test_options_that_do_not_fit_are_refused_in_a_sentence(tmp_path):
    async def scenario(app, pilot):
        await on_screen(app, pilot, StartScreen)
        app.screen.query_one("#game").value = "kings_tournament"
        await until(pilot, lambda: len(app.screen.query("Input.option")) == 1)
        app.screen.query_one("Input.option").value = "1,2,3"
        await pilot.press("f2")
        await until(pilot, lambda: "Allowed: 10 whole numbers" in text(app))

    run_tables(scenario, startup(tmp_path))


# --- the terminal around it ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [(20, 5), (60, 15), (200, 60)])
def test_a_resize_is_harmless(tmp_path, size):
    async def scenario(app, pilot):
        await asked(app, pilot)
        before = lines(app)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert max(map(cell_len, lines(app))) <= size[0]
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: lines(app) == before)
        await press_and_wait(app, pilot, "enter")

    # The reader leads, so that nobody else changes the screen.
    run_tables(scenario, startup(tmp_path, "tornei", first_dealer=3))


def test_light_and_dark(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        themes = [app.theme]
        await pilot.press("d")
        themes.append(app.theme)
        assert themes == ["textual-dark", "textual-light"]

    run_tables(scenario, startup(tmp_path, "triatri"))


# --- replay -------------------------------------------------------------------------------------


def test_a_record_is_stepped_through():
    record = finished_record("triatri")
    moves = sum(event[0] == "play" for event in record.events)

    async def scenario(app, pilot):
        assert f"Move 0 of {moves}, viewed by a spectator" in text(app)
        await pilot.press("right")
        assert f"Move 1 of {moves}" in text(app)
        await pilot.press("s")
        assert "viewed by Ada" in text(app)
        for card in app.screen.scene.view(0).hand:
            assert card in lines(app)[-3]
        await pilot.press("end")
        assert f"Move {moves} of {moves}" in text(app)
        assert "Scores: " in text(app)
        await pilot.press("home", "left")
        assert f"Move 0 of {moves}" in text(app)
        await pilot.press("n")
        await pilot.pause()
        assert "King's Tournament" in text(app)
        await pilot.press("q")

    other = finished_record("kings_tournament", best_of=1)
    run(scenario, ReplayApp([record, other], None, "en"))


def test_a_name_is_drawn_as_it_is_written_and_obeyed_by_nobody():
    record = finished_record("triatri")
    record.names = ["[b]\x1bA", "花子\u202e"]

    async def scenario(app, pilot):
        await pilot.press("right")
        for name in ("[b]\\u001bA", "花子\\u202e"):
            assert name in text(app)

    run(scenario, ReplayApp([record], None, "en"))
