"""Seats: sitting down, coming back, leaving, being sent away."""

import re

import pytest

from hastilude.server import log
from hastilude.server.errors import Refusal
from tests.server.folding import HOST, Folded
from tests.server.running import SEED, Address


def refused(problem):
    return pytest.raises(Refusal, match=problem)


# --- sitting down -------------------------------------------------------------------------------


def test_a_table_has_a_link_and_a_short_code(hall: Address):
    table = hall.open_table()
    assert re.fullmatch("[a-z0-9]{8}", table["code"])
    assert table["link"] == f"{hall.url}/t/{table['code']}"
    assert hall.request("GET", f"/t/{table['code']}").headers["content-type"].startswith("text/")


def test_a_private_link_opens_the_seat_and_is_also_a_picture(hall: Address):
    code = hall.open_table()["code"]
    sitting = hall.sit(code, "Anna", seat=1, qr=True)
    assert sitting["seat"] == 1
    link, token = sitting["link"].split("#")  # a browser sends no fragment to any server
    assert link == f"{hall.url}/t/{code}"
    assert token == sitting["token"]
    assert sitting["qr"].startswith("<svg")
    client = hall.client(code, token)
    assert client.expect("welcome")["seat"] == 1
    assert client.reach(2)["seats"][1] | {"here": True} == {
        "kind": "person", "name": "Anna", "level": None, "here": True, "host": False,
        "stand_in": False, "left": None, "running": False, "takeover": None, "offered": False,
    }  # fmt: skip


def test_the_name_of_a_guest_is_shown_and_belongs_to_one_at_the_table(hall: Address):
    code = hall.open_table("triatri")["code"]
    hall.sit(code, "  Anna\u202e  B. ")  # spaces and hidden characters do not make a new name
    body = {"name": "Anna B.", "seed": SEED}
    answer = hall.request("POST", f"/api/tables/{code}/seats", json=body)
    assert answer.status_code == 409
    assert answer.json()["reason"]["key"] == "name_taken"
    assert hall.get(f"/api/tables/{code}")["seats"][0]["name"] == "Anna B."


def test_a_seat_that_is_taken_is_refused_by_its_number():
    table = Folded(people=1)
    with refused("Seat 1 is taken"):
        table.table.sit(0, "Ben", "key", SEED, None)


def test_nobody_sits_down_during_a_match():
    table = Folded(seats=[None, "page"])
    with refused("no open seat"):
        table.table.sit(None, "Ben", "key", SEED, None)


def test_two_devices_at_one_seat_see_the_same_and_both_may_play(hall: Address):
    code = hall.open_table(seats=[None, "page"])["code"]
    token = hall.sit(code, "Anna")["token"]
    phone, desk = hall.client(code, token), hall.client(code, token)
    for device in (phone, desk):
        device.wait_for(lambda u: u["legal"])
    done = phone.play(*phone.first_choice())
    desk.reach(done["version"])
    phone.reach(done["version"])
    desk.wait_for(lambda u: u["legal"])
    later = desk.play(*desk.first_choice())
    assert phone.reach(later["version"])["version"] >= later["version"]
    desk.close()
    phone.wait_for(lambda u: u["legal"])
    assert phone.update["seats"][0]["here"]  # one device is enough


def test_who_comes_back_gets_what_was_missed(hall: Address):
    code = hall.open_table("tornei", seats=[None, "page", "page", "page"])["code"]
    token = hall.sit(code, "Anna")["token"]
    first = hall.client(code, token, since=0)
    first.wait_for(lambda u: u["legal"])
    seen = first.update["version"]
    heard = [event for frame in first.frames[1:] for event in frame["events"]]
    first.close()
    again = hall.client(code, token, since=seen)
    again.wait_for(lambda u: u["legal"])
    again.play(*again.first_choice())
    again.wait_for(lambda u: u["legal"] and u["version"] > seen)
    updates = [frame for frame in again.frames if frame["type"] == "update"]
    missed = [event for update in updates for event in update["events"]]
    everything = hall.client(code, token, since=0)
    everything.reach(again.update["version"])
    assert everything.frames[1]["events"][: len(heard + missed)] == heard + missed
    told = everything.frames[1]["events"]
    assert [event["index"] for event in told] == list(range(len(told)))


# --- leaving and being sent away ----------------------------------------------------------------


def test_who_leaves_before_the_match_frees_the_seat(hall: Address):
    code = hall.open_table()["code"]
    anna_token = hall.sit(code, "Anna")["token"]
    anna = hall.client(code, anna_token)
    anna.reach(2)
    anna.send("leave")
    assert anna.closed() == 4410
    assert [seat["kind"] for seat in hall.get(f"/api/tables/{code}")["seats"]] == ["empty"] * 2
    old = hall.client(code, anna_token)
    assert old.receive()["reason"]["key"] == "token_unknown"  # the link is dead
    assert old.closed() == 4401
    hall.sit(code, "Anna", seat=0)


def test_who_leaves_a_match_is_replaced_by_a_bot_to_its_end(hall: Address):
    code = hall.open_table(options={"best_of": 1})["code"]
    tokens = [hall.sit(code, name)["token"] for name in ("Anna", "Ben")]
    anna, ben = (hall.client(code, token) for token in tokens)
    ben.reach(4)
    ben.send("leave")
    assert ben.closed() == 4410
    anna.wait_for(lambda u: u["seats"][1]["kind"] == "bot")
    while anna.update["phase"] == "playing":
        if anna.update["legal"]:
            anna.play(*anna.first_choice())
        anna.receive()
    assert anna.update["winners"]
    record = hall.get(f"/api/tables/{code}/matches/1/record")
    assert record["names"] == ["Anna", "Ben"]


def test_the_table_of_somebody_who_left_is_closed_when_its_match_is_over():
    table = Folded(options={"best_of": 1}, seats=[None, "page"])
    table.does("leave", 0)
    assert [seat.kind for seat in table.table.seats] == ["bot", "bot"]
    while table.table.phase == "playing":
        table.bot_plays(table.table.pending()[0])
    table.keep(log.Closed())
    with refused("closed"):
        table.sits("Anna")
    assert table.table.record().winners  # what was played can still be read


def test_the_last_to_leave_does_not_leave_a_pause_behind():
    table = Folded(seats=[None, "page"])
    table.does("want_pause", 0)
    assert table.table.pending() == ()
    table.does("leave", 0)
    assert table.table.pending() == (0, 1)


def test_the_host_sends_somebody_away_whose_link_is_dead_then(hall: Address):
    table = hall.open_table("triatri")
    code = table["code"]
    anna_token = hall.sit(code, "Anna", host=table["host"])["token"]
    ben_token = hall.sit(code, "Ben")["token"]
    anna, ben = hall.client(code, anna_token), hall.client(code, ben_token)
    assert anna.reach(3)["seats"][0]["host"]
    ben.reach(3)
    ben.send("kick", seat=0)
    assert ben.expect("refused")["reason"]["key"] == "only_host"
    anna.send("kick", seat=1)
    assert ben.closed() == 4410
    assert anna.reach(4)["seats"][1]["kind"] == "empty"
    assert hall.client(code, ben_token).closed() == 4401
    anna.send("kick", seat=1)
    assert anna.expect("refused")["reason"]["values"] == {"number": 2}


def test_only_the_key_makes_a_host():
    table = Folded(people=0)
    table.sits("Anna", host="a guess")
    assert not table.table.seats[0].host
    table.sits("Ben")
    assert table.table.seats[1].host


def test_there_is_one_host_and_the_office_passes_on():
    table = Folded("triatri", people=2, options={"players": 3}, seats=[None] * 3)
    assert [seat.host for seat in table.table.seats] == [True, False, False]
    table.does("leave", 0)
    assert [seat.host for seat in table.table.seats] == [False, True, False]
    table.sits("Chika", HOST)  # the key opens the office only while nobody has it
    assert [seat.host for seat in table.table.seats] == [False, True, False]


def test_a_bot_can_be_sent_away_before_the_match_but_not_in_it():
    table = Folded("triatri", people=1, options={"players": 3}, seats=[None, "page", None])
    table.does("kick", 0, 1)
    assert table.table.seats[1].kind == "empty"
    table.does("start", 0, "knight", "commitment")
    assert [seat.level for seat in table.table.seats] == [None, "knight", "knight"]
    with refused("A bot stays until the match is over"):
        table.table.kick(0, 1)
    with refused("already started"):
        table.table.start(0, "knight", "commitment")


def test_a_person_who_is_sent_away_in_a_match_is_played_for():
    table = Folded()
    table.does("kick", 0, 1)
    assert table.table.seats[1].kind == "bot"
    assert table.table.seat_of("key 2") is None


# --- pausing by consent -------------------------------------------------------------------------


def test_a_pause_begins_when_everybody_agrees_and_anyone_ends_it(hall: Address):
    code = hall.open_table()["code"]
    tokens = [hall.sit(code, name)["token"] for name in ("Anna", "Ben")]
    anna, ben = (hall.client(code, token) for token in tokens)
    anna.reach(4)
    anna.send("pause", on=True)
    update = ben.wait_for(lambda u: u["pausing"])
    assert (update["pausing"], update["paused"]) == ([0], False)
    ben.send("pause", on=True)
    update = anna.wait_for(lambda u: u["paused"])
    assert update["legal"] == []
    anna.send("play", id="a", version=update["version"], actions=["1", "2", "3"])
    assert anna.expect("refused")["reason"]["key"] == "table_paused"
    ben.send("pause", on=False)
    assert anna.wait_for(lambda u: not u["paused"])["legal"]
    ben.send("pause", on=False)
    assert ben.expect("refused")["reason"]["key"] == "not_paused"


def test_who_wanted_a_pause_can_think_better_of_it():
    table = Folded()
    table.does("want_pause", 0)
    table.does("resume", 0)
    table.does("want_pause", 1)
    assert not table.table.paused


def test_bots_and_the_absent_are_not_asked_for_a_pause():
    table = Folded("triatri", people=2, options={"players": 3}, seats=[None, None, "page"])
    table.does("stand_in", 1)
    table.does("want_pause", 0)
    assert table.table.paused
