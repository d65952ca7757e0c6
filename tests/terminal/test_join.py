"""A terminal at a table of a real server, with others at it."""

import asyncio
import re
import stat
from contextlib import ExitStack
from dataclasses import replace

import orjson
import pytest

import hastilude
from hastilude.cli import BAD_INPUT, main
from hastilude.core.errors import IllegalAction, OptionError
from hastilude.terminal import connection as connection_module
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.table import clock_texts
from hastilude.terminal.voice import Voice
from tests.server.running import GENEROUS, SEED, in_thread, lasting_port, limited
from tests.terminal.joined import joining, no_name, open_with_pages, own_turn, play_on, reach, sit

VARIANTS = [
    ("tornei", {"players": 3}),
    ("kings_tournament", {"best_of": 1}),
    ("kings_tournament", {"best_of": 1, "joust": "stepwise"}),
    ("triatri", {"players": 2}),
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_whole_match_against_bots(hall, seats, name, options):
    code = open_with_pages(hall, name, options)

    async def scenario():
        connection = await sit(hall, code, seats)
        table = RemoteTable(connection)
        assert table.names("en")[table.own[0]] == "Ada"
        await play_on(table)
        assert table.winners
        # What was put together from the frames is what the match itself tells the seat.
        record = hall.get(f"/api/tables/{code}/matches/1/replay?seat={table.own[0]}")
        told = [event for step in record for event in step["events"]]
        mine = orjson.loads(orjson.dumps([event.to_json() for event in table.events(0)]))
        assert mine == [{key: one[key] for key in ("event", "clause", "values")} for one in told]
        assert orjson.loads(orjson.dumps(table.view(0))) == record[-1]["view"]
        await table.leave()

    asyncio.run(scenario())


def test_a_line_is_put_together_here_and_sent_at_once(hall, seats):
    """K6: nobody may know of the first card before the third is chosen."""
    code = open_with_pages(hall, "kings_tournament", {"best_of": 1})

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await reach(table, lambda: table.pending == (0,))  # the bot has chosen
        before, server = table.view(0), hall.get(f"/api/tables/{code}")
        first, second = before.hand[0], before.hand[1]
        version = table._connection.update.version
        await table.play(0, first)
        await table.play(0, second)
        view = table.view(0)
        assert view.choice == (first, second)
        assert sorted((*view.hand, *view.choice)) == sorted(before.hand)
        assert table._connection.update.version == version
        assert hall.get(f"/api/tables/{code}") == server
        await table.play(0, table.legal(0)[0])
        assert table._connection.update.version > version
        assert table.view(0).last_joust.pairs[0].cards[0] == first
        await table.leave()

    asyncio.run(scenario())


def test_a_choice_of_one_card_is_played_without_asking(hall, seats, monkeypatch):
    code = open_with_pages(hall, "tornei", {"players": 3})

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        sent, send = [], table._connection.send

        async def record(frame):
            sent.append(frame.type)
            await send(frame)

        monkeypatch.setattr(table._connection, "send", record)
        await play_on(table, moves=6)
        assert sent == ["play"] * 6
        with pytest.raises(IllegalAction):
            await table.play(0, next(c for c in table.game.texts if c not in table.view(0).hand))
        assert sent[6:] == ["ask"]
        await table.leave()

    asyncio.run(scenario())


def test_reasons_hints_and_refusals_are_the_servers(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2}, practice=True)

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        await own_turn(table)
        legal = table.legal(0)
        with pytest.raises(IllegalAction, match=r"^A5: You have to bid"):
            await table.play(0, "supply:R")
        with pytest.raises(IllegalAction, match="nonsense"):
            await table.play(0, "nonsense")
        assert table.legal(0) == legal
        assert (await table.why(0, "supply:R")).clause == "A5"
        assert await table.why(0, table.legal(0)[0]) is None
        hints = await table.hint(0)
        assert {choice[0] for choice in hints.groups[0].choices} <= set(table.legal(0))
        assert hints.reason.key == "triatri_hint_bid"
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


@pytest.mark.parametrize("scripted", [True, False])
def test_it_is_said_that_deals_were_written_in_advance(hall, seats, scripted):
    """First of all, and at a rematch again."""
    deal = hastilude.load("triatri", players=2).new(seed=1).record().events
    script = {"script": {"chance": deal}} if scripted else {}
    code = open_with_pages(hall, "triatri", {"players": 2}, **script)

    def said(table):
        events = [event.key for event in table.events(0)]
        assert "terminal_scripted" not in events[1:]
        return events[0] == "terminal_scripted"

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        assert said(table) == scripted
        await play_on(table)
        table = await table.rematch()
        await own_turn(table)
        assert said(table) == scripted
        await table.leave()

    asyncio.run(scenario())


def test_phrases_and_absences_are_told(prepared, tmp_path, seats):
    with limited(tmp_path, offline_seconds=0.05) as hall:
        phrases_and_absences(hall, seats)


def phrases_and_absences(hall, seats):
    opened = hall.open_table("triatri", options={"players": 2})
    code = opened["code"]
    token = hall.sit(code, "Ben", host=opened["host"])["token"]

    async def scenario():
        table = RemoteTable(await sit(hall, code, seats))
        ben = hall.client(code, token)
        await reach(table, lambda: not any(table.marks("en")))
        assert table.absences() == table.decisions() == []
        ben.send("say", phrase="good_luck")
        voice = Voice("en", table.names("en"))

        def told(sentence):
            return lambda: sentence in [voice.say(one.message) for one in table.events(1)]

        await reach(table, told("Ben: Good luck!"))
        ben.close()
        await reach(table, lambda: table.marks("en") == ("offline", ""))
        await reach(table, told("Ben went offline."))
        said = [voice.say(message) for message in table.absences()]
        assert said[0] == "Ben is offline."
        assert re.fullmatch(r"A bot takes over in [23]:\d\d\.", said[1])
        await reach(table, table.decisions)  # while the host is offline, the next person decides
        ben = hall.client(code, token)
        await reach(table, told("Ben is back."))
        await reach(table, lambda: table.decisions() == [])
        ben.send("leave")
        await reach(table, told("Ben left the table."))
        assert table.marks("en") == ("left", "")
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
        with pytest.raises(IllegalAction, match="Spectators can only watch"):
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


# --- a connection that breaks -------------------------------------------------------------------


def test_a_restarted_server_is_found_again(prepared, tmp_path, seats, monkeypatch):
    monkeypatch.setattr(connection_module, "LONGEST_WAIT", 0.5)
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    port = lasting_port()

    async def scenario():
        with ExitStack() as running:
            address = running.enter_context(in_thread(settings, port=port))
            code = open_with_pages(address, "triatri", {"players": 2})
            table = RemoteTable(await sit(address, code, seats))
            await play_on(table, moves=2)
            told = len(table.events(0))
            await asyncio.to_thread(running.close)
            await reach(table, lambda: table.trouble and table.trouble.key == "join_cut")
            with pytest.raises(IllegalAction, match="Connection lost"):
                await table.play(0, table.legal(0)[0])
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
        connection = table._connection
        send = connection.send

        async def send_and_break(frame):
            await send(frame)
            if frame.type == "play":
                connection.send = send
                connection._socket.transport.abort()

        connection.send = send_and_break
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
        connection = await sit(hall, code, seats)
        await connection.close()
        again = await sit(hall, code, seats, name=None)
        assert again.seat == connection.seat
        await again.close()

    asyncio.run(scenario())
    (path,) = seats.folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(seats.folder.stat().st_mode) == 0o700


def test_a_private_link_opens_its_seat_and_is_kept(hall, seats):
    code = open_with_pages(hall, "triatri", {"players": 2})
    token = hall.sit(code, "Ada")["token"]

    async def scenario():
        connection = await sit(hall, code, seats, name=None, token=token)
        assert connection.update.seats[connection.seat].name == "Ada"
        await connection.close()

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
        connection = await joining(hall, code, seats).arrive(no_name)
        assert connection.seat == 0
        await connection.close()

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
        connection = await joining(hall, code, seats, None).arrive(ask_name)
        assert connection.update.seats[connection.seat].name == "Ben"
        await connection.close()

    asyncio.run(scenario())
    assert asked_with == [None, "name_taken"]


# --- the queue ----------------------------------------------------------------------------------


def full_table(hall, **more):
    """A match of Anna, who is the host, and Ben: the code and both."""
    table = hall.open_table("triatri", options={"players": 2}, **more)
    code, host = table["code"], {"host": table["host"]}
    people = [hall.sit(code, name, **(host if name == "Anna" else {})) for name in ("Anna", "Ben")]
    return code, *(hall.client(code, one["token"]) for one in people)


def test_who_waits_watches_and_plays_in_the_next_match(hall, seats):
    code, anna, ben = full_table(hall)

    async def scenario():
        connection = await joining(hall, code, seats, wait=True).arrive(no_name)
        table = RemoteTable(connection)
        assert table.own == ()
        assert Voice("en").say(table.trouble).startswith("You are number 1 in the queue.")
        ben.send("leave")
        await asyncio.to_thread(anna.wait_for, lambda u: u["seats"][1]["kind"] == "bot")
        anna.send("offer", seat=1, on=True)
        anna.send("end")
        await reach(table, lambda: table.own == (1,))
        assert table.trouble is None
        anna.send("rematch", seed=SEED)
        again = await table.rematch()
        assert again.names("en") == ("Anna", "Ada")
        await reach(again, lambda: again.legal(1))
        await again.play(1, again.legal(1)[0])
        await again.leave()
        back = await joining(hall, code, seats, wait=True).arrive(no_name)  # the seat was saved
        assert back.seat == 1
        await back.close()

    asyncio.run(scenario())
    anna.close()


def trouble_of(table):
    """The key of what the table says about the connection; it may say nothing in between."""
    return table.trouble and table.trouble.key


def test_a_place_in_the_queue_is_asked_for_again_after_a_lost_connection(
    prepared, tmp_path, seats, monkeypatch
):
    monkeypatch.setattr(connection_module, "LONGEST_WAIT", 0.5)
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    port = lasting_port()
    with ExitStack() as first:
        hall = first.enter_context(in_thread(settings, port=port))
        code, *_ = full_table(hall)

        async def scenario():
            connection = await joining(hall, code, seats, wait=True).arrive(no_name)
            table = RemoteTable(connection)
            await asyncio.to_thread(first.close)
            await reach(table, lambda: trouble_of(table) == "join_cut")
            with in_thread(settings, port=port):
                await reach(table, lambda: trouble_of(table) == "web_queue_place")
                await table.leave()

        asyncio.run(scenario())


def test_another_name_is_asked_for_if_somebody_in_the_queue_has_it(hall, seats):
    code, anna, ben = full_table(hall)
    asked_with = []

    async def ask_name(problem):
        asked_with.append(problem and problem.key)
        return "Ben" if len(asked_with) == 1 else "Ada"

    async def scenario():
        connection = await joining(hall, code, seats, None, wait=True).arrive(ask_name)
        assert connection.update.queue == ["Ada"]
        await connection.close()

    asyncio.run(scenario())
    assert asked_with == [None, "name_taken"]
    for client in (anna, ben):
        client.close()


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
    assert "no open seat" in refused(capsys, table, "--name", "Ada")
    assert "no longer valid" in refused(capsys, f"{table}#{'x' * 40}")
    assert "Only the players" in refused(capsys, table, "--watch")
    assert "Choose one" in refused(capsys, table, "--watch", "--name", "Ada")
    assert "Choose one" in refused(capsys, table, "--watch", "--wait")
    assert "Only the players" in refused(capsys, table, "--wait", "--name", "Ada")
    assert "visible character" in refused(capsys, table, "--name", " ")


def test_no_server_is_one_sentence(home, capsys):
    assert "No server answers" in refused(capsys, "http://127.0.0.1:9/t/abcd", "--name", "Ada")
    assert "No server answers" in refused(capsys, "http://127.0.0.1:9/t/abcd", "--watch")
