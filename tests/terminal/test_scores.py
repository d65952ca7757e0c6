"""In the terminal: how scores come about, the score sheet, and the card tracker."""

import asyncio
import random

import pytest
from rich.cells import cell_len

import hastilude
from hastilude.core.errors import OptionError
from hastilude.terminal.drawing import PAGE, drawing_of, score_texts, sheet_lines, sheet_texts
from hastilude.terminal.local import new_table
from hastilude.terminal.plain import Dialogue
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.screens.pages import Question, Story
from hastilude.terminal.screens.play import PlayScreen
from hastilude.terminal.voice import Voice
from tests.playing import finish
from tests.terminal.joined import open_with_pages, own_turn, sit
from tests.terminal.playing import (
    asked,
    on_screen,
    run_tables,
    startup,
    text,
)
from tests.variants import every_variant


@every_variant
def test_parts_add_up_to_the_score_and_the_sheet_ends_with_it(name, options):
    game = hastilude.load(name, **options)
    match, choose, drawing = game.new(seed=3), random.Random(3), drawing_of(game)
    while not match.over:
        view, events = match.view(), match.events()
        for seat in range(game.seats):
            breakdown = drawing.score(view, events, seat)
            points = [part.points for part in breakdown.parts if part.points is not None]
            assert not points or sum(points) == breakdown.total.points
        match.play(match.turn, choose.choice(match.legal(match.turn)))
    for language in ("en", "ja"):
        voice = Voice(language, tuple(game.names(language)))
        sheet = drawing.sheet(match.view(), match.events(), voice)
        shown = [cell for cell in sheet.total[1:] if cell]
        assert shown == [str(score) for score in match.scores]
        assert len({len(row) for row in (sheet.head, *sheet.rows, sheet.total)}) == 1
        assert max(cell_len(line.plain) for line in sheet_lines(sheet)) <= PAGE
        assert len(sheet_texts(sheet, voice)) == len(sheet.rows) + 1
        assert score_texts(drawing.score(match.view(), match.events(), 0), 0, voice)


class Printed:
    """A console that only remembers what is printed."""

    def __init__(self):
        self.lines = []

    def print(self, *lines):
        self.lines += lines


def test_plain_scores_seen_cards_and_the_sheet(tmp_path):
    async def scenario():
        begun = startup(tmp_path, "triatri", players=2)
        table = await new_table(begun.game, begun.seating, begun.settings)
        console = Printed()
        dialogue = Dialogue(table, console, "en")
        await dialogue.answer("scores")
        assert console.lines[:3] == ["Your score", "  A14: No gems yet: 0", "  Total: 0"]
        console.lines.clear()
        await dialogue.answer("seen")
        assert len(console.lines) == 4
        assert console.lines[3].startswith("exchange. Not seen: ")
        console.lines.clear()
        await table.leave()
        finish(table.match)
        dialogue.finish()
        assert console.lines[0] == "Score sheet"
        assert console.lines[1].startswith("1.1: Gem red, ")
        assert console.lines[-1].startswith("Total: ")

    asyncio.run(scenario())


def test_drawn_scores_seen_cards_and_the_sheet(tmp_path):
    async def scenario(app, pilot):
        await asked(app, pilot)
        await pilot.press("p")
        await on_screen(app, pilot, Story)
        assert "Your score" in text(app)
        assert "T12: This round, no tricks so far" in text(app)
        await pilot.press("escape", "c")
        await on_screen(app, pilot, Story)
        assert "Cards seen this round" in text(app)
        assert "Wyvern. Not seen: " in text(app)
        await pilot.press("escape")
        await on_screen(app, pilot, PlayScreen)
        finish(app.table.match)
        await app.table._save_and_notify()
        await on_screen(app, pilot, Question)
        await pilot.press("down", "enter")
        await on_screen(app, pilot, Story)
        assert "round" in text(app)
        assert "Total" in text(app)
        await pilot.press("escape")
        await on_screen(app, pilot, Question)

    run_tables(scenario, startup(tmp_path, "tornei", players=3))


@pytest.mark.parametrize(
    ("name", "wanted", "refusal"),
    [
        ("triatri", {}, None),
        ("triatri", {"tracker": False}, "The host doesn't allow"),
        ("kings_tournament", {"tracker": True}, "has no card tracker"),
    ],
)
def test_at_a_server_the_host_decides_about_the_tracker(hall, seats, name, wanted, refusal):
    options = {"players": 2} if name == "triatri" else {}
    code = open_with_pages(hall, name, options, **wanted)

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        if refusal is None:
            held = [
                suit.suit + card
                for suit in table.tracker(0)
                for card, where in suit.cards
                if where == "hand"
            ]
            assert len(held) == 6
        else:
            with pytest.raises(OptionError, match=refusal):
                table.tracker(0)
        await table.leave()

    asyncio.run(scenario())
