"""Your seat is yours: tokens, roles, guesses, origins."""

import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from hastilude.server.settings import Rate
from tests.server.running import GENEROUS, PATIENCE, SEED, Address, Client, in_thread


def two_at_table(server: Address) -> tuple[str, list[Any], list[Client]]:
    """A host and another person at a table of King's Tournament, connected."""
    table = server.open_table("kings_tournament")
    code = table["code"]
    sittings = [
        server.sit(code, "Host", host=table["host"]),
        server.sit(code, "Guest"),
    ]
    clients = [server.client(code, sitting["token"]) for sitting in sittings]
    for client in clients:
        client.wait_for(lambda update: update["match"] == 1)
    return code, sittings, clients


def refusal(server: Address, code: str, token: str) -> tuple[str, int]:
    client = server.client(code, token)
    key = client.expect("refused")["reason"]["key"]
    return key, client.closed()


def test_tokens_are_long_and_only_their_hashes_are_kept(server: Address, tmp_path: Path) -> None:
    code, sittings, _ = two_at_table(server)
    table = server.open_table()
    tokens = [sitting["token"] for sitting in sittings] + [table["host"]]
    assert len(set(tokens)) == 3
    for token in tokens:
        assert len(token) * 6 >= 128  # letters of base 64
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.db*"))
    assert code.encode() in kept  # the newest entries lie in the write-ahead log
    assert not any(token.encode() in kept for token in tokens)


def test_a_token_in_a_query_opens_nothing(server: Address) -> None:
    table = server.open_table("kings_tournament", watch="nobody")
    code = table["code"]
    token = server.sit(code, "Ada")["token"]
    path = f"/api/tables/{code}/matches/1/record"
    assert server.request("GET", f"{path}?token={token}&authorization={token}").status_code == 403
    answer = server.request("GET", path, headers=bearer(token))
    assert answer.status_code == 404  # let in; there is no match yet
    where = f"{server.url.replace('http', 'ws', 1)}/api/tables/{code}/socket?token={token}"
    with connect(where) as socket:
        socket.send('{"type": "hello"}')
        assert "watch_refused" in str(socket.recv(PATIENCE))


def test_the_server_decides_who_is_who(server: Address) -> None:
    code, sittings, (_, guest) = two_at_table(server)
    watcher = server.client(code)
    assert watcher.expect("welcome")["seat"] is None
    for frame in (
        {"type": "play", "id": "a", "version": 3, "actions": ["1"]},
        {"type": "kick", "seat": 0},
        {"type": "leave"},
        {"type": "say", "phrase": "hello"},
        {"type": "pause", "on": True},
    ):
        watcher.send(**frame)
        assert watcher.expect("refused")["reason"]["key"] == "spectator"
    for field in ({"seat": 0}, {"host": True}):
        watcher.send("play", id="a", version=3, actions=["1"], **field)
        assert watcher.expect("refused")["reason"]["key"] == "bad_frame"
    for type, field in (("kick", {"seat": 0}), ("start", {"level": "page"})):
        guest.send(type, **field)
        assert guest.expect("refused")["reason"]["key"] == "only_host"
    assert [seat["host"] for seat in guest.update["seats"]] == [True, False]
    other = server.open_table("kings_tournament")  # a token is good for its own table alone
    assert refusal(server, other["code"], sittings[0]["token"]) == ("token_unknown", 4401)


@pytest.mark.parametrize("kicked", [False, True])
def test_a_token_dies_with_its_seat(server: Address, kicked: bool) -> None:
    """Also that of a connection which stays open, and when somebody else sits there by then."""
    table = server.open_table("tornei")  # four seats: nobody starts
    code = table["code"]
    tokens = [server.sit(code, "Host", host=table["host"])["token"]]
    tokens.append(server.sit(code, "Old")["token"])
    host = server.client(code, tokens[0])
    old = [server.client(code, tokens[1]) for _ in range(2)]
    for client in (host, *old):
        client.wait_for(lambda update: update["seats"][1]["here"])
    before = [len(client.texts) for client in old]
    if kicked:
        host.send("kick", seat=1)
    else:
        old[0].send("leave")
    new = server.client(code, server.sit(code, "New", seat=1)["token"])
    assert new.expect("welcome")["seat"] == 1
    for client in old:
        assert client.closed() == 4410
    for client, count in zip(old, before, strict=True):
        later = [frame for frame in client.frames[count:] if frame["type"] == "update"]
        assert not any(frame["seats"][1]["name"] == "New" for frame in later)
    assert refusal(server, code, tokens[1]) == ("token_unknown", 4401)
    host.wait_for(lambda update: update["seats"][1]["name"] == "New")


def test_a_play_that_waited_behind_a_kick_is_not_played(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    settings = replace(GENEROUS, database=str(database), bot_wait_seconds=3600)
    with in_thread(settings) as server:
        _, _, (host, guest) = two_at_table(server)
        choice = guest.first_choice()
        with held(database):
            host.send("kick", seat=1)
            host.send("ping")
            time.sleep(0.2)  # the kick waits for its commit
            guest.send("play", id="late", version=guest.update["version"], actions=choice)
            time.sleep(0.2)
        assert guest.closed() == 4410
        assert not any(frame["type"] == "done" for frame in guest.frames)
        host.expect("pong")
        assert host.wait_for(lambda u: u["seats"][1]["kind"] == "bot")["version"] == 5


@contextmanager
def held(database: Path) -> Iterator[None]:
    """Keep everybody else from writing."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def test_guesses_are_limited_and_a_right_token_or_code_is_always_admitted(tmp_path: Path) -> None:
    """Somebody else may have guessed from the same address."""
    settings = replace(GENEROUS, database=str(tmp_path / "t.db"), guess_rate=Rate(4, 0.0))
    with in_thread(settings) as server:
        code = server.open_table(watch="nobody")["code"]
        token = server.sit(code, "Ada")["token"]
        wrong = secrets.token_urlsafe(24)
        assert refusal(server, code, wrong) == ("token_unknown", 4401)
        assert refusal(server, "nowhere1", token) == ("table_unknown", 4404)
        assert refusal(server, "%0anowhere", token) == ("table_unknown", 4404)
        assert server.request("GET", "/api/tables/nowhere1").status_code == 404

        record = f"/api/tables/{code}/matches/1/record"
        assert refusal(server, code, wrong) == ("too_many_guesses", 4429)
        assert refusal(server, "nowhere1", token) == ("too_many_guesses", 4429)
        assert server.request("GET", "/api/tables/nowhere1").status_code == 429
        assert server.request("GET", record, headers=bearer(wrong)).status_code == 429

        assert server.client(code, token).expect("welcome")["seat"] == 0
        assert server.get(f"/api/tables/{code}")["code"] == code
        answer = server.request("GET", record, headers=bearer(token))
        assert answer.json()["reason"]["key"] == "match_unknown"
        assert server.sit(code, "Ben")["seat"] == 1


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_origins_are_checked_before_the_upgrade(tmp_path: Path) -> None:
    settings = replace(
        GENEROUS,
        database=str(tmp_path / "t.db"),
        origins=("https://friend.example",),
        public_url="https://table.example",
    )
    with in_thread(settings) as server:
        code = server.open_table()["code"]
        foreign = ("https://evil.example", "null", "https://friend.example.evil.example", "file://")
        for origin in foreign:
            with pytest.raises(InvalidStatus) as refused:
                server.client(code, origin=origin)
            assert refused.value.response.status_code == 403
        for origin in (None, server.url, "https://table.example", "https://friend.example"):
            assert server.client(code, origin=origin).expect("welcome")["seat"] is None


def test_names_are_taken_once_and_seeds_are_needed(server: Address) -> None:
    code = server.open_table("tornei")["code"]
    server.sit(code, "Ada")
    seats = f"/api/tables/{code}/seats"
    same = server.request("POST", seats, json={"name": " A\u200bda ", "seed": SEED})
    assert (same.status_code, same.json()["reason"]["key"]) == (409, "name_taken")
    for seed in ("", "ab", "zz" * 16, "ab" * 40, None):
        answer = server.request("POST", seats, json={"name": "Ben", "seed": seed})
        assert answer.status_code == 422
