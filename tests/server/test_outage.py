"""PostgreSQL goes away and comes back, in the middle of play."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server.postgres import Postgres
from tests.server.running import GENEROUS, PATIENCE, Address, in_thread, process

TABLES = 4
OUTAGES = [3.0, pytest.param(30.0, marks=pytest.mark.soak)]


@contextmanager
def away(postgres: Postgres) -> Iterator[None]:
    postgres.stop()
    try:
        yield
    finally:
        postgres.start()


@contextmanager
def frozen(postgres: Postgres) -> Iterator[None]:
    postgres.freeze()
    try:
        yield
    finally:
        postgres.thaw()


@dataclass
class Player:
    """Plays first choices for ever, and remembers what was acknowledged."""

    url: str
    code: str
    token: str
    kept: dict[str, int] = field(default_factory=dict)  # the version of each acknowledged play
    notices: list[str] = field(default_factory=list)

    async def run(self) -> None:
        where = f"{self.url.replace('http', 'ws', 1)}/api/tables/{self.code}/socket"
        async with connect(where, compression=None, max_size=None) as socket:
            await self._send(socket, type="hello", token=self.token)
            while True:
                await self._answer(socket, json.loads(await socket.recv()))

    async def _send(self, socket: ClientConnection, **frame: Any) -> None:
        await socket.send(json.dumps(frame))

    async def _answer(self, socket: ClientConnection, frame: Any) -> None:
        match frame["type"]:
            case "notice":
                self.notices.append(frame["reason"]["key"])
            case "done":
                self.kept[frame["id"]] = frame["version"]
            case "update" if frame["phase"] == "over":
                await self._send(socket, type="rematch", seed="cd" * 16)
            case "update" if frame["legal"]:
                self.version = frame["version"]
                await self._ask(socket, frame["legal"][:1])
            case "answer" if frame["id"] != self._asked:
                pass  # to what is not of interest any more
            case "answer" if frame["whole"]:
                play = {"version": self.version, "actions": self.choice}
                await self._send(socket, type="play", id=secrets.token_hex(8), **play)
            case "answer" if frame["legal"]:
                await self._ask(socket, [*self.choice, frame["legal"][0]])

    async def _ask(self, socket: ClientConnection, choice: list[str]) -> None:
        self.choice, self._asked = choice, secrets.token_hex(8)
        await self._send(socket, type="ask", id=self._asked, actions=choice)


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("seconds", OUTAGES)
def test_play_waits_for_the_database_and_goes_on_by_itself(
    pair: tuple[Address, Address], shared: str, postgres: Postgres, seconds: float
) -> None:
    players = []
    for _ in range(TABLES):
        code = pair[0].open_table("kings_tournament")["code"]
        tokens = [server.sit(code, server.url[-5:])["token"] for server in pair]
        players += [Player(pair[n].url, code, tokens[n]) for n in (0, 1)]

    async def play() -> None:
        playing = [asyncio.create_task(player.run()) for player in players]
        await until(lambda: all(len(player.kept) > 2 for player in players))
        with away(postgres):
            await until(lambda: all(player.notices == ["store_away"] for player in players))
            before = [len(player.kept) for player in players]
            for server in pair:
                health = await asyncio.to_thread(server.request, "GET", "/health")
                assert (health.status_code, health.json()["status"]) == (503, "store_away")
            await asyncio.sleep(seconds)
            assert [len(player.kept) for player in players] == before
        await until(
            lambda: all(
                len(player.kept) > count + 2 for player, count in zip(players, before, strict=True)
            )
        )
        assert all(player.notices == ["store_away", "store_back"] for player in players)
        for one in playing:
            one.cancel()
        await asyncio.wait(playing)
        assert all(one.cancelled() for one in playing)

    asyncio.run(play())
    assert pair[0].request("GET", "/health").status_code == 200
    rows = postgres.execute(shared, "SELECT code, entry::json->>'id', version FROM log")
    kept = [(code, id, version) for code, id, version in rows if id]
    assert len({(code, id) for code, id, _ in kept}) == len(kept)
    for player in players:
        assert {(player.code, id, version) for id, version in player.kept.items()} <= {*kept}
    versions = [version for code, _, version in rows if code == players[0].code]
    assert sorted(versions) == [*range(1, len(versions) + 1)]


def test_clocks_stand_still_while_the_database_is_away(shared: str, postgres: Postgres) -> None:
    settings = replace(GENEROUS, database=shared, beat_seconds=0.2)
    with in_thread(settings) as server:
        clock = {"kind": "move", "seconds": 4}
        code = server.open_table("kings_tournament", clock=clock)["code"]
        tokens = [server.sit(code, name)["token"] for name in ("Ada", "Bruno")]
        one, other = (server.client(code, token) for token in tokens)
        choices = []
        for client in (one, other):
            client.wait_for(lambda update: update["match"] > 0)
            choices.append(client.first_choice())
        with away(postgres):
            one.expect("notice")
            one.send("play", id="waits", version=one.update["version"], actions=choices[0])
            time.sleep(4.5)  # more than the clock has
        one.expect("done", id="waits")
        assert other.play(*choices[1])["type"] == "done"
        kept = postgres.execute(shared, "SELECT entry::json->>'kind', at FROM log ORDER BY version")
        assert [kind for kind, _ in kept][-3:] == ["started", "played", "played"]
        times = [at for _, at in kept]
        assert times == sorted(times)  # time never goes back
        assert times[-1] - times[-3] < 4000


def test_who_comes_while_the_database_is_away_is_told(shared: str, postgres: Postgres) -> None:
    with in_thread(replace(GENEROUS, database=shared, beat_seconds=0.2)) as server:
        code = server.open_table("kings_tournament")["code"]
        first = server.client(code)
        first.wait_for(lambda update: True)
        with away(postgres):
            assert first.expect("notice")["reason"]["key"] == "store_away"
            second = server.client(code)
            assert second.expect("notice")["reason"]["key"] == "store_away"
        for client in (first, second):
            assert client.expect("notice")["reason"]["key"] == "store_back"


def test_a_server_stops_while_the_database_is_away(shared: str, postgres: Postgres) -> None:
    with process(shared) as running:
        code = running.address.open_table("kings_tournament")["code"]
        tokens = [running.address.sit(code, name)["token"] for name in ("Ada", "Bruno")]
        one = running.address.client(code, tokens[0])
        one.wait_for(lambda update: update["match"] > 0)
        choice = one.first_choice()
        with away(postgres):
            one.expect("notice")
            one.send("play", id="waits", version=one.update["version"], actions=choice)
            time.sleep(0.5)
            start = time.monotonic()
            assert running.terminate() in (0, -signal.SIGTERM)
            seconds = time.monotonic() - start
            assert seconds < 5  # it does not wait for its time limit
    entries = postgres.execute(shared, "SELECT entry FROM log")
    assert entries
    assert not [entry for (entry,) in entries if '"played"' in entry]
    assert not [frame for frame in one.frames if frame["type"] == "done"]


def test_a_frozen_database_is_announced(shared: str, postgres: Postgres) -> None:
    """It has not gone: its connections stay open, and nothing is answered."""
    with in_thread(replace(GENEROUS, database=shared)) as server:
        code = server.open_table("kings_tournament")["code"]
        tokens = [server.sit(code, name)["token"] for name in ("Ada", "Bruno")]
        one = server.client(code, tokens[0])
        one.wait_for(lambda update: update["match"] > 0)
        choice = one.first_choice()
        with frozen(postgres):
            one.send("play", id="waits", version=one.update["version"], actions=choice)
            assert one.expect("notice")["reason"]["key"] == "store_away"
            health = server.request("GET", "/health")
            assert (health.status_code, health.json()["status"]) == (503, "store_away")
        assert one.expect("notice")["reason"]["key"] == "store_back"
        one.expect("done", id="waits")
        assert server.request("GET", "/health").status_code == 200


@pytest.mark.parametrize("announced", [True, False])
def test_a_server_stops_while_the_database_is_frozen(
    shared: str, postgres: Postgres, announced: bool
) -> None:
    with process(shared) as running:
        code = running.address.open_table("kings_tournament")["code"]
        tokens = [running.address.sit(code, name)["token"] for name in ("Ada", "Bruno")]
        one = running.address.client(code, tokens[0])
        one.wait_for(lambda update: update["match"] > 0)
        choice = one.first_choice()
        with frozen(postgres), ThreadPoolExecutor() as others:
            one.send("play", id="waits", version=one.update["version"], actions=choice)
            # A request that hangs in the database must not keep the process alive.
            listing = others.submit(running.address.request, "GET", "/api/tables")
            if announced:
                assert one.expect("notice")["reason"]["key"] == "store_away"
            start = time.monotonic()
            assert running.terminate() == 0
            seconds = time.monotonic() - start
            assert seconds < 5
            assert listing.result().status_code == 503
    assert "Traceback" not in "".join(running.errors)
    assert not [frame for frame in one.frames if frame["type"] == "done"]


def test_a_server_stops_when_the_database_has_just_frozen(shared: str, postgres: Postgres) -> None:
    with process(shared) as running, frozen(postgres):
        time.sleep(1.5)  # a sign of life waits for the database, which still counts as available
        start = time.monotonic()
        assert running.terminate() == 0
        assert time.monotonic() - start < 8
