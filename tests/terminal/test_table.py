"""A table on this machine, and saved matches."""

import asyncio
import json

import pytest

import hastilude
from hastilude.core.errors import IllegalAction, OptionError, RecordError
from hastilude.core.record import Record
from hastilude.terminal.local import LocalSettings, new_table, resumed_table
from hastilude.terminal.saved import SavedMatches
from hastilude.terminal.seating import PERSON, Seating, seat_players
from hastilude.terminal.table import clock_texts, seat_to_ask
from hastilude.terminal.voice import Voice

GAME = hastilude.load("triatri", players=2)
PAIR = Seating((PERSON, "random"))


def at_table(scenario, folder, seating=PAIR, game=GAME, **settings):
    async def main():
        table = await new_table(
            game, seating, LocalSettings(SavedMatches(folder), seed=7, **settings)
        )
        try:
            await scenario(table)
        finally:
            await table.leave()

    asyncio.run(main())


async def own_turn(table):
    version = -1
    while seat_to_ask(table, None) is None or any(map(table.thinking, table.pending)):
        version = await table.changed(version)


def test_a_move_is_on_the_disk_when_it_is_told(tmp_path):
    async def scenario(table):
        await own_turn(table)
        await table.play(0, table.legal(0)[0])
        (folder,) = tmp_path.iterdir()
        assert Record.load(folder / "match.json").events == table.match.record().events
        assert oct(folder.stat().st_mode & 0o777) == "0o700"  # the others' cards are in it

    at_table(scenario, tmp_path)


def test_a_forced_card_is_not_played_before_its_player_plays_it(tmp_path):
    """The speed would tell the others that there was no choice."""

    async def scenario(table):
        forced = 0
        while not table.over:
            version = table.version
            if seat_to_ask(table, None) is None or any(map(table.thinking, table.pending)):
                await table.changed(version)
                continue
            card, *more = table.legal(0)
            if not more:
                forced += 1
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(table.changed(version), 0.01)
            await table.play(0, card)
        assert forced

    at_table(scenario, tmp_path)


def test_a_refusal_changes_nothing(tmp_path):
    async def scenario(table):
        await own_turn(table)
        version = table.version
        with pytest.raises(IllegalAction, match=r"^A5: You have to bid"):
            await table.play(0, "supply:R")
        assert table.version == version
        refusal = await table.why(0, "supply:R")
        assert refusal.clause == "A5"
        assert await table.why(0, table.legal(0)[0]) is None

    at_table(scenario, tmp_path)


def test_the_one_at_the_keyboard_is_asked_first(tmp_path):
    async def scenario(table):
        assert seat_to_ask(table, None) == 0
        assert seat_to_ask(table, 1) == 1
        await table.play(1, table.legal(1)[0])
        assert seat_to_ask(table, 1) == 0

    at_table(scenario, tmp_path, Seating((PERSON, PERSON)))


def test_a_match_open_in_a_terminal_is_not_offered_by_another(tmp_path):
    async def scenario(table):
        assert SavedMatches(tmp_path).unfinished() == []

    at_table(scenario, tmp_path)
    (saved,) = SavedMatches(tmp_path).unfinished()
    assert saved.described("en")["players"] == "Player 1, Player 2"
    assert SavedMatches(tmp_path).unfinished("tornei") == []


def test_two_terminals_cannot_resume_the_same_match(tmp_path):
    async def nothing(table):
        pass

    at_table(nothing, tmp_path)
    (first,), (second,) = SavedMatches(tmp_path).unfinished(), SavedMatches(tmp_path).unfinished()
    first.load()
    with pytest.raises(RecordError, match="open in another terminal"):
        second.load()
    first.release()


def test_people_and_names_come_back_with_the_match(tmp_path):
    seating = seat_players(GAME, [PERSON, PERSON], "random", ["Ada", "Ben"])

    async def play(table):
        await table.play(1, table.legal(1)[0])

    async def resume():
        (saved,) = SavedMatches(tmp_path).unfinished()
        table = await resumed_table(saved, LocalSettings(SavedMatches(tmp_path)))
        assert table.seating == seating
        assert table.pending == (0,)
        await table.leave()

    at_table(play, tmp_path, seating)
    asyncio.run(resume())


@pytest.mark.parametrize("damaged", ["table.json", "match.json"])
def test_a_damaged_match_is_named_and_others_are_offered(tmp_path, damaged):
    async def nothing(table):
        pass

    at_table(nothing, tmp_path)
    (saved,) = SavedMatches(tmp_path).unfinished()
    (saved.folder / damaged).write_text("{")
    at_table(nothing, tmp_path)
    assert len(SavedMatches(tmp_path).unfinished()) == 2
    with pytest.raises(RecordError):
        saved.described("en")


def test_saved_matches_in_a_file_are_trouble_but_no_obstacle(tmp_path):
    (tmp_path / "saved").write_text("")

    async def scenario(table):
        assert "Cannot save the match" in Voice().say(table.trouble)
        await table.play(0, table.legal(0)[0])
        assert table.pending == (1,)

    at_table(scenario, tmp_path / "saved", Seating((PERSON, PERSON)))


def test_a_bot_that_fails_is_heard_of(tmp_path):
    class Broken:
        def choose(self, redacted, seat):
            raise RuntimeError("out of order")

    async def scenario(table):
        await own_turn(table)
        table._bots[1] = Broken()
        version = table.version
        while 0 in table.pending:
            await table.play(0, table.legal(0)[0])
        with pytest.raises(RuntimeError, match="out of order"):
            await table.changed(version + 99)

    at_table(scenario, tmp_path)


def test_bots_are_called_after_their_level_and_people_as_they_wish():
    game = hastilude.load("tornei")
    seating = Seating((PERSON, "knight", PERSON, "random"), ("Ada", ""))
    assert seating.names(game, "en") == ("Ada", "Knight 2", "Player 3", "Player 4")
    assert seating.names(game, "ja") == ("Ada", "騎士2", "プレイヤー3", "プレイヤー4")
    duel = hastilude.load("kings_tournament")
    assert Seating((PERSON, "knight")).names(duel, "en") == ("Red", "Blue")  # the game's own names


def test_names_are_cleaned_as_on_a_server():
    def given(*names):
        return seat_players(GAME, [PERSON, PERSON], "random", names).given

    assert given("  Ada\x1b[2J\n", "") == ("Ada[2J", "")
    assert given(" ", "B\u2028en\u202e") == ("", "B en")
    with pytest.raises(OptionError, match="at least one visible character"):
        given("Ada", "\u200b")
    with pytest.raises(OptionError, match="at most 24"):
        given("x" * 25)


def test_a_table_with_clocks_shows_them(tmp_path):
    async def scenario(table):
        table.clock = lambda seat: 65.4 if seat == 0 else None
        assert clock_texts(table, Voice("en", table.names("en"))) == ["Player 1 1:05"]

    at_table(scenario, tmp_path, Seating((PERSON, PERSON)))


def test_who_sits_where_is_written_down_once(tmp_path):
    async def scenario(table):
        (folder,) = tmp_path.iterdir()
        told = json.loads((folder / "table.json").read_text())
        assert told == {"version": 1, "players": ["person", "random"], "names": []}

    at_table(scenario, tmp_path)
