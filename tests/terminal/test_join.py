"""A terminal at a table of a real server, with others at it."""

import asyncio
import os
import re
import stat
import sys
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urlsplit

import pexpect
import pytest

from hastilude.cli import BAD_INPUT, main
from hastilude.core.errors import IllegalAction, OptionError
from hastilude.prepare import prepare
from hastilude.terminal import line as line_module
from hastilude.terminal.app import JoinedApp
from hastilude.terminal.joining import Joining, read_link
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.screens.pages import Question
from hastilude.terminal.seats import Seats
from hastilude.terminal.table import clock_texts
from hastilude.terminal.voice import Voice
from tests.server.running import GENEROUS, in_thread
from tests.terminal.playing import asked, on_screen, press_and_wait, text, until
from tests.terminal.test_plain import PATIENCE, PROMPT, choice

VARIANTS = [
    ("tornei", {"players": 3}),
    ("kings_tournament", {"best_of": 1}),
    ("kings_tournament", {"best_of": 1, "joust": "stepwise"}),
    ("triatri", {"players": 2}),
]
PAGES = {"tornei": [None, "page", "page"], "kings_tournament": [None, "page"],
         "triatri": [None, "page"]}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def prepared():
    """A server that compiles while it serves would keep its clients waiting."""
    prepare(lambda: None)


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    database = tmp_path_factory.mktemp("hall") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        yield address


@pytest.fixture
def seats(tmp_path):
    return Seats(tmp_path / "config" / "seats")


async def no_name(problem):
    raise AssertionError("nobody should be asked for a name")


def joining(address, code, seats, name="Ada", token=None, **more):
    link = f"{address.url}/t/{code}" + (f"#{token}" if token else "")
    return Joining(read_link(link), name, seats=seats, **more)


async def sit(address, code, seats, name="Ada", **more):
    """An open line to a table whose match begins at once."""
    line = await joining(address, code, seats, name, **more).arrive(no_name)
    while not line.playable:
        await line.changed(line.version)
    return line


async def reach(table, condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await table.changed(table.version)


async def own_turn(table):
    await reach(table, lambda: table.over or (bool(table.own) and table.legal(table.own[0])))


async def play_on(table, moves=10**6):
    """The first action again and again."""
    (seat,) = table.own
    await own_turn(table)
    while not table.over and moves:
        moves -= 1
        await table.play(seat, table.legal(seat)[0])
        await own_turn(table)


def open_with_pages(address, name, options=None, **more):
    return address.open_table(name, options=options or {}, seats=PAGES[name], **more)["code"]


# --- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_whole_match_against_bots(hall, seats, name, options):
    code = open_with_pages(hall, name, options)

    async def scenario():
        line = await sit(hall, code, seats)
        table = RemoteTable(line)
        assert table.names("en")[table.own[0]] == "Ada"
        await play_on(table)
        assert table.winners
        # What was put together from the frames is what the match itself tells the seat.
        record = hall.get(f"/api/tables/{code}/matches/1/replay?seat={table.own[0]}")
        told = [event for step in record for event in step["events"]]
        mine = [event.to_json() for event in table.events(table.own[0])]
        assert [one["event"] for one in mine] == [one["event"] for one in told]
        voice = Voice("en", table.names("en"))
        assert all(voice.say(event.message) for event in table.events(0))
        assert list(table.view(0).scores) == record[-1]["view"]["scores"]
        await table.leave()

    asyncio.run(scenario())


def test_a_line_is_put_together_here_and_sent_at_once(hall, seats):
    """K6: nobody may know of the first card before the third is chosen."""
    code = open_with_pages(hall, "kings_tournament", {"best_of": 1})

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        before, server = table.view(0), hall.get(f"/api/tables/{code}")
        first, second = before.hand[0], before.hand[1]
        version = table._line.update.version
        await table.play(0, first)
        await table.play(0, second)
        view = table.view(0)
        assert view.choice == (first, second)
        assert sorted((*view.hand, *view.choice)) == sorted(before.hand)
        assert table._line.update.version == version
        assert hall.get(f"/api/tables/{code}") == server
        await table.play(0, table.legal(0)[0])
        assert table._line.update.version > version
        assert table.view(0).last_joust.pairs[0].cards[0] == first
        await table.leave()

    asyncio.run(scenario())


def test_reasons_hints_and_refusals_are_the_servers(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2}, practice=True)

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        legal = table.legal(0)
        with pytest.raises(IllegalAction, match=r"^A5: It is time to bid"):
            await table.play(0, "supply:R")
        with pytest.raises(IllegalAction, match="nonsense"):
            await table.play(0, "nonsense")
        assert table.legal(0) == legal
        assert (await table.why(0, "supply:R")).clause == "A5"
        assert await table.why(0, table.legal(0)[0]) is None
        hints = await table.hint(0)
        assert {one.text for one in hints} == set(table.legal(0))
        assert hints[0].win >= hints[-1].win
        await table.leave()

    asyncio.run(scenario())


def test_hints_are_refused_where_it_counts(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        with pytest.raises(IllegalAction, match="practice"):
            await table.hint(0)
        await table.leave()

    asyncio.run(scenario())


def test_clocks_run_and_are_shown(hall, seats):
    clock = {"kind": "move", "seconds": 600}
    code = open_with_pages(hall, "triatri", {"players": 2}, clock=clock)

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        before = table.clock(0)
        await asyncio.sleep(0.05)
        assert 0 < table.clock(0) < before <= 600
        assert table.clock(1) is None  # a bot has none
        assert re.match(r"Ada (10:00|9:\d\d)$", clock_texts(table, Voice("en", ("Ada", "B")))[0])
        await table.leave()

    asyncio.run(scenario())


def test_another_match_with_the_same_people(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def scenario():
        first = RemoteTable(await sit(hall, code, seats))
        await play_on(first)
        told = list(first.events(0))
        second = await first.rematch()
        await first.leave()  # as the screen of the first match does
        assert not second.over
        assert first.over
        assert first.events(0) == told
        await play_on(second, moves=1)
        assert second.events(0)[0].round == 1
        await second.leave()

    asyncio.run(scenario())


def test_phrases_and_stand_ins_are_told(hall, seats):
    code = hall.open_table("triatri", options={"players": 2}, away=5)["code"]
    token = hall.sit(code, "Ben")["token"]

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        ben = hall.client(code, token)
        ben.send("say", phrase="good_luck")
        voice = Voice("en", table.names("en"))

        def told(sentence):
            return lambda: sentence in [voice.say(one.message) for one in table.events(1)]

        await reach(table, told("Ben: Good luck!"))
        ben.close()
        await reach(table, told("A bot plays for Ben."))
        ben = hall.client(code, token)
        await reach(table, told("Ben is back."))
        ben.close()
        await table.leave()

    asyncio.run(scenario())


def test_a_spectator_sees_no_hand_and_plays_nothing(hall, seats):
    code = hall.open_table("triatri", options={"players": 2})["code"]
    ben = hall.sit(code, "Ben")["token"]

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        watching = await sit(hall, code, seats, name=None, watch=True)
        scene = RemoteTable(watching)
        assert scene.own == ()
        assert scene.view(None).hand == ()
        with pytest.raises(IllegalAction, match="Spectators only watch"):
            await scene.play(0, scene.game.texts[0])
        client = hall.client(code, ben)
        client.wait_for(lambda update: update["legal"])
        client.play(*client.first_choice())
        await reach(scene, lambda: scene.pending == (1,))
        assert table.own == (1,)
        client.close()
        await watching.close()
        await table.leave()

    asyncio.run(scenario())


# --- a line that breaks -------------------------------------------------------------------------


def test_a_restarted_server_is_found_again(tmp_path, seats, monkeypatch):
    monkeypatch.setattr(line_module, "LONGEST_WAIT", 0.5)
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))

    async def scenario():
        with ExitStack() as running:
            address = running.enter_context(in_thread(settings))
            code = open_with_pages(address, "triatri", {"players": 2})
            table = RemoteTable(await sit(address, code, seats))
            await play_on(table, moves=2)
            told = len(table.events(0))
            await asyncio.to_thread(running.close)
            await reach(table, lambda: table.trouble and table.trouble.key == "join_cut")
            with pytest.raises(IllegalAction, match="cut"):
                await table.play(0, table.legal(0)[0])
            port = urlsplit(address.url).port
            running.enter_context(in_thread(settings, port=port))
            await reach(table, lambda: table.trouble is None)
            await play_on(table)
            assert table.winners
            assert len(table.events(0)) > told
            replayed = address.get(f"/api/tables/{code}/matches/1/replay?seat=0")
            whole = [event["event"] for step in replayed for event in step["events"]]
            of_match = [one.key for one in table.events(0) if one.key.startswith("triatri")]
            assert of_match == whole
            await table.leave()

    asyncio.run(scenario())


def test_a_play_that_was_under_way_is_made_once(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        line = table._line
        send = line.send

        async def send_and_break(frame):
            await send(frame)
            if frame.type == "play":
                line.send = send
                line._socket.transport.abort()

        line.send = send_and_break
        card = table.legal(0)[0]
        await table.play(0, card)
        assert table.trouble is None
        own = [event for event in table.events(0) if event.key == "triatri_own_bid"]
        assert [event.card for event in own] == [card]
        await table.leave()

    asyncio.run(scenario())


def test_a_seat_that_was_taken_away_is_told_in_a_sentence(hall, seats):
    opened = hall.open_table("triatri", options={"players": 2})
    code = opened["code"]
    host = hall.sit(code, "Host", host=opened["host"])["token"]

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        client = hall.client(code, host)
        client.expect("update")
        client.send("kick", seat=table.own[0])
        with pytest.raises(OptionError, match="no longer yours"):
            await reach(table, lambda: False)
        client.close()
        await table.leave()

    asyncio.run(scenario())


# --- coming back --------------------------------------------------------------------------------


def test_the_same_link_comes_back_to_the_same_seat(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def scenario():
        line = await sit(hall, code, seats)
        await line.close()
        again = await sit(hall, code, seats, name=None)
        assert again.seat == line.seat
        await again.close()

    asyncio.run(scenario())
    (path,) = seats.folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(seats.folder.stat().st_mode) == 0o700


def test_a_private_link_opens_its_seat_and_is_kept(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})
    token = hall.sit(code, "Ada")["token"]

    async def scenario():
        line = await sit(hall, code, seats, name=None, token=token)
        assert line.update.seats[line.seat].name == "Ada"
        await line.close()

    asyncio.run(scenario())
    assert seats.token(f"{hall.url}/api/tables/{code}") == token


def test_two_people_of_one_machine_have_two_seats(hall, seats):
    code = hall.open_table("triatri", options={"players": 2})["code"]

    async def scenario():
        ada = await joining(hall, code, seats, "Ada").arrive(no_name)
        ben = await joining(hall, code, seats, "Ben").arrive(no_name)
        assert (ada.seat, ben.seat) == (0, 1)
        await ada.close()
        again = await joining(hall, code, seats, "Ada").arrive(no_name)
        assert again.seat == 0
        await again.close()
        await ben.close()

    asyncio.run(scenario())


def test_a_seat_given_up_is_forgotten_and_another_taken(hall, seats):
    code = hall.open_table("triatri", options={"players": 3})["code"]
    seats.keep(f"{hall.url}/api/tables/{code}", "Ada", "x" * 40)

    async def scenario():
        line = await joining(hall, code, seats).arrive(no_name)
        assert line.seat == 0
        await line.close()

    asyncio.run(scenario())
    assert seats.token(f"{hall.url}/api/tables/{code}") != "x" * 40


def test_a_name_that_is_taken_is_asked_for_again(hall, seats):
    code = hall.open_table("triatri", options={"players": 3})["code"]
    hall.sit(code, "Ada")
    asked_with = []

    async def ask_name(problem):
        asked_with.append(problem and problem.key)
        return "Ada" if len(asked_with) == 1 else "Ben"

    async def scenario():
        line = await joining(hall, code, seats, None).arrive(ask_name)
        assert line.update.seats[line.seat].name == "Ben"
        await line.close()

    asyncio.run(scenario())
    assert asked_with == [None, "name_taken"]


# --- what cannot be -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    ["", "table", "http://host", "ftp://host/t/abcd", "http://host/t/ABCD", "http://host:x/t/abcd",
     "http:///t/abcd", "http://host/t/abcd#short", "http://[/t/abcd"],
)  # fmt: skip
def test_a_wrong_link_is_answered_with_the_right_form(capsys, link):
    assert main(["join", link, "--plain"]) == BAD_INPUT
    said = capsys.readouterr().err
    assert "https://host/t/code" in said
    assert said.count("\n") == 1


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def refused(capsys, *arguments):
    assert main(["join", *arguments, "--plain"]) == BAD_INPUT
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_table_that_cannot_be_joined_is_one_sentence(hall, home, capsys):
    assert "no table abcd1234" in refused(capsys, f"{hall.url}/t/abcd1234", "--name", "Ada")
    assert "no table abcd1234" in refused(capsys, f"{hall.url}/t/abcd1234", "--watch")
    code = open_with_pages(hall, "triatri", {"players": 2}, watch="nobody")
    hall.sit(code, "Ben")
    table = f"{hall.url}/t/{code}"
    assert "No seat is free" in refused(capsys, table, "--name", "Ada")
    assert "does not open a seat" in refused(capsys, f"{table}#{'x' * 40}")
    assert "Only its players" in refused(capsys, table, "--watch")
    assert "Choose one" in refused(capsys, table, "--watch", "--name", "Ada")
    assert "visible character" in refused(capsys, table, "--name", " ")


def test_no_server_is_one_sentence(home, capsys):
    assert "No server answers" in refused(capsys, "http://127.0.0.1:9/t/abcd", "--name", "Ada")
    assert "No server answers" in refused(capsys, "http://127.0.0.1:9/t/abcd", "--watch")


# --- drawn and in sentences ---------------------------------------------------------------------


def test_the_drawn_table_of_a_server(hall, seats):
    code = hall.open_table("kings_tournament", options={"best_of": 1})["code"]

    async def main():
        line = await joining(hall, code, seats).arrive(no_name)
        app = JoinedApp(line, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "At the table: Ada. Seats still empty: 1." in text(app))
            ben = hall.client(code, hall.sit(code, "Ben")["token"])
            await asked(app, pilot)
            assert "Ben" in text(app)
            for _ in range(3):  # the line of a joust, card by card
                await press_and_wait_for_server(app, pilot)
            assert "To act: Ben" in text(app)
            ben.wait_for(lambda update: update["legal"])
            ben.play(*ben.first_choice())
            await until(pilot, lambda: app.table.view(0).last_joust is not None)
            ben.close()
            await pilot.press("q")
            await on_screen(app, pilot, Question)
        await line.close()

    asyncio.run(main())


def test_a_spectator_at_the_drawn_table(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def main():
        line = await sit(hall, code, seats, name=None, watch=True)
        app = JoinedApp(line, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "To act: Ben" in text(app))
            ben.wait_for(lambda update: update["legal"])
            ben.send("say", phrase="hello")
            await until(pilot, lambda: "Ben: Hello" in text(app))
        await line.close()

    ben = hall.client(code, hall.sit(code, "Ben")["token"])
    asyncio.run(main())
    ben.close()


async def press_and_wait_for_server(app, pilot):
    version = app.table.version
    await pilot.press("enter")
    await until(pilot, lambda: app.table.version > version)


def test_a_drawn_match_with_a_bot_and_another(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})

    async def main():
        line = await joining(hall, code, seats).arrive(no_name)
        app = JoinedApp(line, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await asked(app, pilot)
            first = app.table
            while not isinstance(app.screen, Question):
                await press_and_wait(app, pilot, "enter")
            await pilot.press("enter")  # play again
            await until(pilot, lambda: app.table is not first)
            await asked(app, pilot)
            assert not app.table.over
        await line.close()

    asyncio.run(main())


@pytest.fixture
def terminal(tmp_path):
    """A plain terminal with a home of its own."""
    begun = []

    def spawn(*arguments):
        home = {"XDG_CONFIG_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        child = pexpect.spawn(
            sys.executable, ["-m", "hastilude", "join", "--plain", *arguments],
            env=os.environ | home, encoding="utf-8", timeout=PATIENCE, echo=False,
        )  # fmt: skip
        begun.append(child)
        return child

    yield spawn
    for child in begun:
        child.close(force=True)


def test_two_terminals_and_a_browser_at_one_table(hall, terminal):
    code = hall.open_table("tornei", options={"players": 3})["code"]
    link = f"{hall.url}/t/{code}"
    ada = terminal(link)
    ada.expect_exact("What are you called")
    ada.sendline("Ada")
    ada.expect_exact("At the table: Ada. Seats still empty: 2.")
    ben = terminal(link, "--name", "Ben")
    ben.expect_exact("Seats still empty: 1.")
    browser = hall.client(code, hall.sit(code, "Chika")["token"], since=0)
    people = {0: ada, 1: ben}
    called = {0: ("thanks", "Chika: Thank you!"), 1: ("sorry", "Chika: Sorry!")}
    for child in people.values():
        child.expect_exact("This is Tornei.")
    browser.wait_for(lambda update: update["match"])
    moves = 0
    while browser.update["view"]["trick"] < 3:
        pending, version = browser.update["view"]["pending"], browser.update["version"]
        if 2 in pending:
            browser.play(*browser.first_choice())
        else:
            child = people[pending[0]]
            phrase, sentence = called[pending[0]]
            browser.send("say", phrase=phrase)
            child.expect_exact(sentence)
            child.expect_exact(PROMPT)  # asked after all that happened before
            child.sendline(choice(f"{child.before}\r"))
            version += 1
        browser.reach(version + 1)
        moves += 1
    assert moves > 10
    for child in people.values():
        child.expect("Chika")
        child.sendintr()
        child.expect_exact("Leave? The match is kept")
        child.sendline("yes")
        child.expect_exact("Your seat is kept; the same command comes back to it.")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
    again = terminal(link, "--name", "Ada")
    again.expect_exact("You are Ada.")
    browser.close()
