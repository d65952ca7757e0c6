"""Two servers on one PostgreSQL are one house; and of two moves at once one wins."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from hastilude.core.record import Record
from hastilude.games.registry import GAMES, load, replay
from hastilude.server import peers
from hastilude.server import time as server_time
from hastilude.server.app import create_app
from hastilude.server.peers import Peers
from tests.server.postgres import Postgres
from tests.server.running import (
    GENEROUS,
    PATIENCE,
    Address,
    Client,
    in_thread,
    play_out,
    process,
    until,
)

CROWD = 100
FREELY = "[1e9, 1e9]"
RATES = ("frame_rate", "seat_rate", "address_rate", "request_rate", "guess_rate", "opening_rate")


@pytest.fixture(scope="module", params=["one server", "two processes"])
def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Address]]:
    """A server; or two processes on one PostgreSQL."""
    folder = tmp_path_factory.mktemp("servers")
    with ExitStack() as running:
        if request.param == "one server":
            settings = replace(GENEROUS, database=str(folder / "tables.db"))
            yield [running.enter_context(in_thread(settings))]
            return
        database = request.getfixturevalue("postgres").new_database()
        generous = folder / "generous.toml"
        generous.write_text("".join(f"{rate} = {FREELY}\n" for rate in RATES))
        starting = [process(database, "--config", str(generous)) for _ in range(2)]
        with ThreadPoolExecutor() as together:
            yield [one.address for one in together.map(running.enter_context, starting)]


def gather(server: Address, game: str, **wanted: Any) -> tuple[str, list[str]]:
    """A table full of people: its code and their tokens."""
    code = server.open_table(game, **wanted)["code"]
    seats = range(load(game).seats)
    return code, [server.sit(code, f"Player {seat}")["token"] for seat in seats]


# --- two moves at once ----------------------------------------------------------------------------


async def answers_to(
    servers: Sequence[Address], code: str, token: str, plays: list[dict[str, Any]]
) -> list[Any]:
    """Send plays all at once, each over a connection of its own, spread over the servers."""
    sockets = [await _arrive(servers[n % len(servers)], code, token) for n in range(len(plays))]
    for socket, play in zip(sockets, plays, strict=True):
        await socket.send(json.dumps({"type": "play", **play}))
    found = await asyncio.gather(*map(_answer, sockets))
    await asyncio.gather(*(socket.close() for socket in sockets))
    return found


async def _arrive(server: Address, code: str, token: str) -> ClientConnection:
    where = f"{server.url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    socket = await connect(where, compression=None, max_size=None)
    await socket.send(json.dumps({"type": "hello", "token": token}))
    while json.loads(await socket.recv())["type"] != "update":
        pass
    return socket


async def _answer(socket: ClientConnection) -> Any:
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if frame["type"] in ("done", "refused"):
            return frame


def test_of_a_hundred_plays_at_once_one_wins(servers: list[Address]) -> None:
    code, tokens = gather(servers[0], "tornei")
    seat, mover = _first_mover(servers[0], code, tokens)
    seen, cards = mover.update["version"], mover.update["legal"]
    plays = [
        {"id": f"p{n}", "version": seen, "actions": [cards[n % len(cards)]]} for n in range(CROWD)
    ]
    answers = asyncio.run(answers_to(servers, code, tokens[seat], plays))
    done = [answer for answer in answers if answer["type"] == "done"]
    refused = [answer for answer in answers if answer["type"] == "refused"]
    assert len(done) == 1
    assert {answer["reason"]["key"] for answer in refused} == {"stale"}
    assert all(answer["version"] >= done[0]["version"] > seen for answer in refused)
    won = next(play for play in plays if play["id"] == done[0]["id"])
    assert mover.reach(done[0]["version"])["version"] == done[0]["version"]
    assert won["actions"][0] not in mover.update["view"]["hand"]
    again = asyncio.run(answers_to(servers, code, tokens[seat], [won, won]))
    assert again == [done[0], done[0]]


def test_a_play_sent_a_hundred_times_is_kept_once(servers: list[Address]) -> None:
    code, tokens = gather(servers[0], "tornei")
    seat, mover = _first_mover(servers[0], code, tokens)
    play = {"id": "same", "version": mover.update["version"], "actions": mover.update["legal"][:1]}
    answers = asyncio.run(answers_to(servers, code, tokens[seat], [play] * CROWD))
    version = mover.update["version"] + 1
    assert answers == [{"type": "done", "id": "same", "version": version}] * CROWD
    assert mover.reach(version)["version"] == version


def _first_mover(server: Address, code: str, tokens: list[str]) -> tuple[int, Client]:
    clients = [server.client(code, token) for token in tokens]
    for seat, client in enumerate(clients):
        if client.wait_for(lambda update: update["match"] > 0)["legal"]:
            return seat, client
    raise AssertionError


def test_a_table_leaves_the_server_that_opened_it_if_it_is_played_at_the_other(
    servers: list[Address],
) -> None:
    """With two processes. One server keeps it, of course. Earlier tables may leave meanwhile."""
    opener, other = servers[0], servers[-1]
    before = tables_in_memory(opener)
    code, tokens = gather(opener, "kings_tournament")
    people = [other.client(code, token) for token in tokens]
    play_out(people)
    until(lambda: tables_in_memory(opener) <= before + (opener is other))


def tables_in_memory(server: Address) -> float:
    text = server.request("GET", "/metrics").text
    found = re.search(r"^hastilude_tables_in_memory (\S+)", text, re.MULTILINE)
    assert found
    return float(found[1])


def test_seats_that_choose_together_at_two_servers_both_succeed(
    pair: tuple[Address, Address],
) -> None:
    for _ in range(5):
        code, tokens = gather(pair[0], "triatri")
        people = [pair[n % 2].client(code, token) for n, token in enumerate(tokens)]
        choices = []
        for person in people:
            person.wait_for(lambda update: update["match"] > 0)
            choices.append(person.first_choice())
        for person, choice in zip(people, choices, strict=True):
            version = person.update["version"]
            person.send("play", id="mine", version=version, actions=choice)
        versions = [person.expect("done", id="mine")["version"] for person in people]
        assert sorted(versions) == [*range(min(versions), min(versions) + 3)]
        views = [person.reach(max(versions))["version"] for person in people]
        assert len(set(views)) == 1
        for person in people:
            person.close()


# --- one house ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_match_with_a_person_at_each_and_bots(
    pair: tuple[Address, Address], shared: str, postgres: Postgres, game: str
) -> None:
    bots = [None, None, "page", "page"][: load(game).seats]
    code = pair[0].open_table(game, seats=bots)["code"]
    people = [
        server.client(code, server.sit(code, f"Person {number}")["token"])
        for number, server in enumerate(pair)
    ]
    ended = play_out(people)
    assert ended["phase"] == "over"
    assert people[1].update["winners"] == ended["winners"]
    path = f"/api/tables/{code}/matches/1/record"
    records = [server.request("GET", path).text for server in pair]
    assert records[0] == records[1]
    assert list(replay(Record.from_json(records[0])).winners) == ended["winners"]
    kept = postgres.execute(shared, "SELECT version FROM log ORDER BY version")
    assert [version for (version,) in kept] == [*range(1, ended["version"] + 1)]


def test_what_people_do_at_one_server_is_seen_at_the_other(pair: tuple[Address, Address]) -> None:
    here, there = pair
    table = here.open_table("triatri")
    code = table["code"]
    one = here.client(code, here.sit(code, "Ada", host=table["host"])["token"])
    other = there.client(code, there.sit(code, "Bruno")["token"])
    one.wait_for(lambda update: [seat["name"] for seat in update["seats"]] == ["Ada", "Bruno", ""])
    for client in (one, other):
        client.wait_for(lambda update: [seat["here"] for seat in update["seats"]][:2] == [True] * 2)
    other.send("say", phrase="hello")
    one.wait_for(lambda update: [said["phrase"] for said in update["said"]] == ["hello"])
    third = there.sit(code, "Clara")
    guest = there.client(code, third["token"])
    for client in (one, other, guest):
        client.wait_for(lambda update: update["phase"] == "playing")
    for client in (one, other, guest):
        client.send("pause", on=True)
    for client in (one, other, guest):
        client.wait_for(lambda update: update["paused"])
    other.send("pause", on=False)
    one.wait_for(lambda update: not update["paused"])
    one.send("kick", seat=2)
    assert guest.closed() == 4410
    other.wait_for(lambda update: update["seats"][2]["kind"] == "bot")
    other.send("leave")
    one.wait_for(lambda update: update["seats"][1]["kind"] == "bot")


def test_nobody_is_thought_away_who_is_connected_to_the_other_server(shared: str) -> None:
    hours = Hand()
    settings = replace(GENEROUS, database=shared, beat_seconds=1000.0, poll_seconds=0.1)
    with in_thread(settings, hours) as here, in_thread(settings, hours) as there:
        code, tokens = gather(here, "kings_tournament", away=5)
        one, other = here.client(code, tokens[0]), there.client(code, tokens[1])
        for client in (one, other):
            client.wait_for(lambda update: update["match"] > 0 and _here(update) == [True, True])
        hours.time += 60_000
        there.client(code).close()  # the alarm is set anew
        here.client(code).close()
        time.sleep(0.5)
        other.send("say", phrase="hello")
        for client in (one, other):
            client.wait_for(lambda update: update["said"])
            assert not any(seat["stand_in"] for seat in client.update["seats"])
        one.close()
        other.wait_for(lambda update: _here(update) == [False, True])
        hours.time += 60_000
        there.client(code).close()
        other.wait_for(lambda update: update["seats"][0]["stand_in"])


def test_servers_go_by_the_databases_clock(
    shared: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them has a clock of its own that is wrong by 20 seconds."""
    settings = replace(GENEROUS, database=shared, beat_seconds=0.2, poll_seconds=0.1)
    with ExitStack() as running:
        with monkeypatch.context() as ahead:
            ahead.setattr(server_time, "time", Ahead)
            here = running.enter_context(in_thread(settings))
        there = running.enter_context(in_thread(settings))
        code = there.open_table("kings_tournament", away=5)["code"]
        one = here.client(code, here.sit(code, "Ada")["token"])
        other = there.client(code, there.sit(code, "Bruno")["token"])
        for client in (one, other):
            client.wait_for(lambda update: update["match"] > 0 and _here(update) == [True, True])
        time.sleep(6)  # more than somebody who is gone has
        start = time.monotonic()
        for seat, (speaker, listener) in enumerate(((one, other), (other, one))):
            speaker.send("say", phrase="hello")
            listener.wait_for(lambda update, seat=seat: seat in _speakers(update))
            assert _here(listener.update) == [True, True]
            assert not any(seat["stand_in"] for seat in listener.update["seats"])
        took = 1000 * (time.monotonic() - start)
        kept = postgres.execute(shared, "SELECT at FROM log ORDER BY version DESC LIMIT 2")
        (second,), (first,) = kept
        assert -1000 < second - first < took + 1000


class Ahead:
    """The system's clock, 20 seconds ahead."""

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def time() -> float:
        return time.time() + 20


class Hand:
    """A clock whose hand is moved by the test."""

    def __init__(self) -> None:
        self.time = 1_000_000

    def now(self) -> int:
        return self.time


def _speakers(update: Any) -> list[int]:
    return [said["seat"] for said in update["said"]]


def _here(update: Any) -> list[bool]:
    return [seat["here"] for seat in update["seats"]]


# --- lost notices ---------------------------------------------------------------------------------


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """No notice arrives."""
    monkeypatch.setattr(Peers, "listen", lambda *_: None)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("warm", [60.0, 0.05])
def test_polling_repairs_lost_notices(shared: str, warm: float) -> None:
    """Also for guests of a table that has left memory."""
    settings = replace(GENEROUS, database=shared, poll_seconds=0.3, warm_seconds=warm)
    with in_thread(settings) as here, in_thread(settings) as there:
        code, tokens = gather(here, "kings_tournament")
        one, other = here.client(code, tokens[0]), there.client(code, tokens[1])
        for client in (one, other):
            client.wait_for(lambda update: update["match"] > 0)
        time.sleep(0.5)
        one.send("say", phrase="hello")
        other.wait_for(lambda update: update["said"])


def test_what_happens_before_a_server_hears_of_a_table_is_not_lost(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker begins to listen when it loads a table that is not its own."""
    settings = replace(GENEROUS, database=shared, poll_seconds=600)
    monkeypatch.setattr(peers, "LISTEN_SECONDS", 1.0)
    with in_thread(settings) as here:
        monkeypatch.setattr("tests.server.running.create_app", partial(create_app, buckets=()))
        with in_thread(settings) as there:
            code, tokens = gather(here, "kings_tournament")
            one, other = here.client(code, tokens[0]), there.client(code, tokens[1])
            for client in (one, other):
                client.wait_for(lambda update: update["match"] > 0)
            one.send("say", phrase="hello")
            other.wait_for(lambda update: update["said"])


@pytest.mark.usefixtures("deaf")
def test_without_notices_a_server_looks_when_a_guest_knows_more(shared: str) -> None:
    """A seat taken at the other server, a version seen there, a race lost to it."""
    settings = replace(GENEROUS, database=shared, poll_seconds=600)
    with in_thread(settings) as here, in_thread(settings) as there:
        code = here.open_table("kings_tournament")["code"]
        watcher = there.client(code)
        watcher.wait_for(lambda update: True)
        ada, bruno = (here.sit(code, name)["token"] for name in ("Ada", "Bruno"))
        ada_here, ada_there = here.client(code, ada), there.client(code, ada)
        bruno_here = here.client(code, bruno)
        for client in (ada_here, ada_there, bruno_here):
            client.wait_for(lambda update: update["match"] > 0)
        choice, answer = ada_there.first_choice(), bruno_here.first_choice()
        kept = ada_there.play(*choice)["version"]
        lost = ada_here.play(*choice)
        assert (lost["reason"]["key"], lost["version"]) == ("stale", kept)
        for client in (ada_here, bruno_here):
            client.reach(kept)
        ada_there.send("say", phrase="your_turn")
        seen = ada_there.reach(kept + 1)["version"]
        bruno_here.send("play", id="b", version=seen, actions=answer)
        assert bruno_here.expect("done", id="b")["version"] == seen + 1
