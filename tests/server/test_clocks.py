"""Clocks: none, a time for each decision, a bank with an increment; and when time is up."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from hastilude.protocol import Clock
from hastilude.server.errors import Refusal
from hastilude.server.table import GRACE
from tests.server.conftest import Timed
from tests.server.folding import Folded
from tests.server.running import GENEROUS, Address, Clockwork, in_thread

MOVE = Clock(kind="move", seconds=30)
BANK = Clock(kind="bank", seconds=100, increment=5)


def seat_of(update, number):
    return update["seats"][number]


# --- the time of a seat -------------------------------------------------------------------------


def test_without_a_clock_nobody_has_a_time():
    table = Folded()
    table.passes(10_000)
    assert [table.left(seat) for seat in (0, 1)] == [None, None]


def test_a_clock_for_each_decision_begins_anew_with_the_next():
    table = Folded(clock=MOVE)
    table.passes(10)
    assert table.left(0) == 20
    table.plays(0)
    assert table.left(0) == 30  # it waits for the other
    table.passes(10)
    assert table.left(1) == 10
    table.plays(1)
    assert [table.left(seat) for seat in (0, 1)] == [30, 30]


def test_a_choice_of_another_seat_does_not_touch_the_time_of_a_decision():
    table = Folded(clock=MOVE)
    table.passes(10)
    table.plays(0)
    assert table.left(1) == 20


def test_a_bank_pays_for_every_decision_and_gets_its_increment():
    table = Folded(clock=BANK)
    table.passes(10)
    table.plays(0)
    assert table.left(0) == 95
    table.passes(20)
    assert table.left(0) == 95  # it has decided
    table.plays(1)
    assert table.left(1) == 75
    table.passes(1)
    assert [table.left(seat) for seat in (0, 1)] == [94, 74]


def test_every_match_begins_with_a_full_bank():
    table = Folded(clock=BANK, options={"best_of": 1})
    table.passes(50)
    table.plays_out()
    for seat in (0, 1):
        table.does("want_rematch", seat, "cd" * 16)
    table.begins()
    assert [table.left(seat) for seat in (0, 1)] == [100, 100]


def test_a_bot_has_no_time():
    table = Folded(clock=BANK, seats=[None, "page"])
    assert table.left(1) is None


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_clocks_stand_still_in_a_pause(clock):
    table = Folded(clock=clock)
    table.passes(5)
    for seat in (0, 1):
        table.does("want_pause", seat)
    table.passes(86_400)
    assert table.left(0) == clock.seconds - 5
    table.does("resume", 1)
    table.passes(1)
    assert [table.left(seat) for seat in (0, 1)] == [clock.seconds - 6] * 2


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_who_comes_back_in_a_pause_finds_the_time_that_was_left(clock):
    table = Folded(clock=clock)
    table.passes(5)
    table.does("stand_in", 0)
    table.does("want_pause", 1)  # the only one who is here
    table.passes(500)
    table.does("give_back", 0)
    table.passes(500)
    table.does("resume", 0)
    assert table.left(0) == clock.seconds - 5


# --- time is up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_coming_back_does_not_buy_time_for_the_decision_that_is_late(clock):
    table = Folded(clock=clock)
    table.passes(clock.seconds)
    assert table.left(0) == 0
    table.does("stand_in", 0)
    table.does("give_back", 0)
    assert table.table.seats[0].stand_in  # the bot makes this decision …
    table.bot_plays(0)
    assert not table.table.seats[0].stand_in  # … and the next is the person's
    assert table.left(0) == (30 if clock is MOVE else GRACE / 1000)


def test_a_bank_is_charged_until_the_bot_stood_in():
    table = Folded(clock=BANK)
    table.passes(60)
    table.does("stand_in", 0)
    table.passes(500)
    table.does("give_back", 0)
    assert table.left(0) == 40


def test_who_plays_before_the_bot_does_has_the_seat_back():
    table = Folded(clock=MOVE)
    table.passes(30)
    table.does("stand_in", 0)
    table.plays(0)
    assert not table.table.seats[0].stand_in


def test_a_bot_stands_in_only_once():
    table = Folded()
    table.does("stand_in", 0)
    with pytest.raises(Refusal):
        table.table.stand_in(0)


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_when_time_is_up_a_bot_decides_and_the_person_can_return(timed: Timed, clock: Clock):
    anna, _ = two_at_a_table(timed, clock=clock.model_dump(), away=None)
    update = anna.reach(4)
    assert seat_of(update, 0)["left"] == 1000 * clock.seconds
    assert [seat["running"] for seat in update["seats"]] == [True, True]
    timed.time.passes(clock.seconds + 1)
    update = anna.wait_for(lambda u: u["seats"][0]["stand_in"] and u["seats"][1]["stand_in"])
    assert update["events"] or anna.wait_for(lambda u: u["events"])  # the bots play on
    anna.send("return")
    update = anna.wait_for(lambda u: not u["seats"][0]["stand_in"] and u["legal"])
    assert seat_of(update, 0)["running"]
    assert anna.play(*anna.first_choice())["type"] == "done"


@pytest.mark.parametrize(
    ("wanted", "seconds"),
    [
        ({}, 180),
        ({"seats": [None, "page"]}, None),  # alone with a bot: it waits for ever
        ({"practice": True}, None),
        ({"seats": [None, "page"], "away": 60}, 60),
        ({"away": None}, None),
    ],
)
def test_a_bot_takes_over_only_where_somebody_waits(timed, wanted, seconds):
    code = timed.open_table(**wanted)["code"]
    assert timed.get(f"/api/tables/{code}")["away"] == seconds


def two_at_a_table(server: Address, **wanted):
    code = server.open_table(**wanted)["code"]
    tokens = [server.sit(code, name)["token"] for name in ("Anna", "Ben")]
    return [server.client(code, token) for token in tokens]


# --- gone past the limit ------------------------------------------------------------------------


def test_a_bot_plays_for_who_is_gone_past_the_limit_until_they_return(timed: Timed):
    code = timed.open_table(away=60)["code"]
    anna_token, ben_token = (timed.sit(code, name)["token"] for name in ("Anna", "Ben"))
    anna, ben = timed.client(code, anna_token), timed.client(code, ben_token)
    anna.wait_for(lambda u: u["match"] == 1 and u["seats"][1]["here"])
    ben.close()
    gone = anna.wait_for(lambda u: not u["seats"][1]["here"])
    assert gone["seats"][1]["takeover"] == 60_000
    assert gone["seats"][0]["takeover"] is None
    timed.time.passes(59)
    anna.send("ping")
    anna.expect("pong")
    assert not anna.update["seats"][1]["stand_in"]
    timed.time.passes(2)
    anna.wait_for(lambda u: u["seats"][1]["stand_in"])
    anna.wait_for(lambda u: u["view"]["chosen"][1])  # the bot has made Ben's choice
    ben = timed.client(code, ben_token)
    assert not ben.wait_for(lambda u: u["seats"][1]["here"])["seats"][1]["stand_in"]
    jousted = anna.play(*anna.first_choice())
    if not ben.reach(jousted["version"])["legal"]:  # he was unhorsed: Anna reveals first
        anna.reach(jousted["version"])
        anna.play(*anna.first_choice())
    ben.wait_for(lambda u: u["legal"])
    assert ben.play(*ben.first_choice())["type"] == "done"


def test_who_sits_down_and_never_connects_is_stood_in_for(timed: Timed):
    code = timed.open_table(away=60)["code"]
    anna = timed.client(code, timed.sit(code, "Anna")["token"])
    anna.reach(2)
    timed.sit(code, "Ben")
    anna.reach(4)
    timed.time.passes(61)
    anna.wait_for(lambda u: u["seats"][1]["stand_in"])


def test_nobody_is_stood_in_for_at_a_table_that_waits_for_ever(timed: Timed):
    code = timed.open_table(away=None)["code"]
    anna = timed.client(code, timed.sit(code, "Anna")["token"])
    timed.sit(code, "Ben")
    anna.reach(4)
    timed.time.passes(30 * 86_400)
    assert anna.play(*anna.first_choice())["type"] == "done"
    assert not anna.reach(5)["seats"][1]["stand_in"]


# --- days, and a server that was away -----------------------------------------------------------


def test_an_overdue_clock_is_seen_to_when_somebody_looks_at_the_table(tmp_path: Path):
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    time = Clockwork()
    with in_thread(settings, time) as server:
        code = server.open_table(clock={"kind": "move", "seconds": 86_400}, away=None)["code"]
        token = server.sit(code, "Anna")["token"]
        server.sit(code, "Ben")
        assert server.client(code, token).reach(4)["seats"][0]["left"] == 86_400_000
    time.passes(3 * 86_400)
    with in_thread(settings, time) as server:  # in whose memory no table is
        anna = server.client(code, token)
        anna.wait_for(lambda u: u["seats"][0]["stand_in"] and u["seats"][1]["stand_in"])


def test_an_update_that_is_asked_for_has_the_time_as_it_is_now(timed: Timed):
    anna, _ = two_at_a_table(timed, clock={"kind": "move", "seconds": 100}, away=None)
    anna.reach(4)
    anna.wait_for(lambda update: all(seat["here"] for seat in update["seats"]))  # told on its own
    timed.time.passes(40)
    anna.update = None
    anna.send("since", version=4)
    assert anna.reach(4)["seats"][0]["left"] == 60_000


def test_an_idle_table_leaves_memory_and_comes_back_as_it_was(tmp_path: Path):
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"), warm_seconds=0.01)
    with in_thread(settings) as server:
        anna, ben = two_at_a_table(server, away=None)
        assert anna.play(*first(anna))["type"] == "done"
        seen = [client.reach(5) for client in (anna, ben)]
        while "hastilude_tables_in_memory 0.0" not in server.request("GET", "/metrics").text:
            pass  # every look at it is a moment in which the table can go
        ben.send("since", version=5)
        ben.frames.clear()
        again = ben.expect("update")
        assert again == seen[1] | {"events": again["events"], "said": again["said"]}
        assert ben.play(*first(ben))["type"] == "done"
        anna.reach(6)  # whose connection outlived the table's rest


def first(client):
    client.wait_for(lambda u: u["legal"])
    return client.first_choice()


def test_clocks_stand_still_while_the_server_is_away(tmp_path: Path):
    database = tmp_path / "tables.db"
    settings = replace(GENEROUS, database=str(database))
    with in_thread(settings) as server:
        code = server.open_table(clock={"kind": "bank", "seconds": 100}, away=None)["code"]
        token = server.sit(code, "Anna")["token"]
        server.sit(code, "Ben")
        left = seat_of(server.client(code, token).reach(4), 0)["left"]
    with sqlite3.connect(database) as store:  # as if all of it had been a day earlier
        store.execute("UPDATE log SET at = at - 86400000")
        store.execute("UPDATE service SET beat = beat - 86400000")
    store.close()
    with in_thread(settings) as server:
        again = seat_of(server.client(code, token).reach(4), 0)
        assert again["running"]
        assert left - 60_000 < again["left"] <= left + 1000  # a sign of life a second
