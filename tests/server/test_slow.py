"""Slow and vanished clients hurt nobody, and miss nothing when they come back."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from hastilude.server.metrics import REGISTRY
from tests.server.running import GENEROUS, Address, Client, in_thread, play_out

SEND_BYTES = 16 * 1024  # far less than the updates of a long match
LONG = {"best_of": 7, "joust": "stepwise"}


def not_reading(server: Address, code: str, token: str | None = None) -> Client:
    """A client that does not read, on a narrow line, until the test does."""
    where = urlsplit(server.url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect((where.hostname, where.port))
    return server.client(code, token, 0, sock=line, max_queue=1, close_timeout=0.1)


def two_players(server: Address, **wanted: Any) -> tuple[str, list[str], list[Client]]:
    code = server.open_table("kings_tournament", **wanted)["code"]
    tokens = [server.sit(code, name)["token"] for name in ("Ada", "Ben")]
    return code, tokens, [server.client(code, token) for token in tokens]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Address, str, Any, Client]]:
    """A long match, played out beside a watcher who did not read: the server, the table's code, how
    it ended, and that watcher."""
    database = tmp_path_factory.mktemp("slow") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database), send_bytes=SEND_BYTES)) as server:
        code, _, clients = two_players(server, options=LONG)
        slow = not_reading(server, code)
        ended = play_out(clients)
        yield server, code, ended, slow


def all_events(server: Address, code: str, token: str | None = None) -> list[Any]:
    return list(server.client(code, token, 0).expect("update")["events"])


def test_a_client_that_stops_reading_gets_everything_once_when_it_reads_again(
    played: tuple[Address, str, Any, Client],
) -> None:
    server, code, ended, slow = played  # the players came to their end all the same
    last = slow.reach(ended["version"])
    updates = [frame for frame in slow.frames if frame["type"] == "update"]
    events = [event for update in updates for event in update["events"]]
    assert events == all_events(server, code)
    versions = [update["version"] for update in updates]
    assert versions == sorted(versions)
    assert len(versions) < ended["version"] / 2  # most of them were never made
    waiting = sum(len(text) for text in slow.texts[:-1])
    assert waiting < 6 * SEND_BYTES  # the system's and the server's own share
    mine = {name: last[name] for name in ("view", "scores", "winners", "phase")}
    assert mine.items() <= server.client(code, since=ended["version"]).expect("update").items()


@pytest.mark.parametrize("again", ["since", "reconnect"])
def test_after_a_gap_exactly_what_follows_is_sent(
    played: tuple[Address, str, Any, Client], again: str
) -> None:
    server, code, ended, _ = played
    everything = all_events(server, code)
    newest = ended["version"]
    rests = []
    for version in (0, 5, newest // 2, newest - 1, newest, newest + 7):
        if again == "since":
            client = server.client(code)
            assert client.expect("update")["events"] == []
            client.send("since", version=version)
        else:
            client = server.client(code, since=version)
        rests.append(client.expect("update")["events"])
    assert rests[0] == everything
    assert rests[-3] != []
    assert rests[-2:] == [[], []]
    for rest in rests:
        assert everything[len(everything) - len(rest) :] == rest
    assert sorted(map(len, rests), reverse=True) == [len(rest) for rest in rests]


def test_a_seat_whose_connections_follow_each_other_misses_nothing(server: Address) -> None:
    """Each connection is lost after a few frames; the next one goes on from its version."""
    code, tokens, clients = two_players(server, options={"best_of": 1})
    events, version = [], 0
    for client in clients:
        client.wait_for(lambda update: update["match"] == 1)
    while clients[0].update["phase"] == "playing":
        for _ in range(7):
            mover = next((one for one in clients if one.update["legal"]), None)
            if mover is None:
                break
            done = mover.play(*mover.first_choice())
            for client in clients:
                client.reach(done["version"])
        lost = server.client(code, tokens[0], version)
        update = lost.expect("update")
        events += update["events"]
        version = update["version"]
        lost.close()
    assert events == all_events(server, code, tokens[0])


def closed_as_too_slow() -> float:
    return REGISTRY.get_sample_value("hastilude_closed_total", {"key": "too_slow"}) or 0


def test_a_client_that_asks_and_does_not_read_is_closed(tmp_path: Path) -> None:
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), send_bytes=SEND_BYTES)
    before = closed_as_too_slow()
    with in_thread(settings) as server:
        code, tokens, (ada, ben) = two_players(server)
        ada.wait_for(lambda update: update["seats"][1]["here"])  # the match may begin before
        ben.close()
        ada.wait_for(lambda update: not update["seats"][1]["here"])
        asker = not_reading(server, code, tokens[1])
        ada.wait_for(lambda update: update["seats"][1]["here"])
        with suppress(OSError, ConnectionClosed):
            for _ in range(3000):
                asker.send("ask", id="a", actions=[])
        ada.wait_for(lambda update: not update["seats"][1]["here"])
        assert closed_as_too_slow() == before + 1
        asker.socket.socket.close()


@pytest.mark.parametrize("full", [False, True])
def test_a_vanished_client_is_dropped(tmp_path: Path, full: bool) -> None:
    """It answers no ping; also if so much waits for it that nothing more can be written."""
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), ping_seconds=1.5)
    with in_thread(settings) as server:
        code = server.open_table("kings_tournament")["code"]
        ada = server.client(code, server.sit(code, "Ada")["token"])
        token = server.sit(code, "Ben")["token"]
        gone = not_reading(server, code, token)
        ada.wait_for(lambda update: update["seats"][1]["here"])
        for _ in range(120 if full else 0):
            ada.send("say", phrase="hello")
            ada.expect("update")
        ada.wait_for(lambda update: not update["seats"][1]["here"])
        back = server.client(code, token)
        ada.wait_for(lambda update: update["seats"][1]["here"])
        back.close()
        gone.socket.socket.close()
