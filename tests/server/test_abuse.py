"""Abuse is bounded: sizes, schemas, names, rates, numbers of tables and sockets."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from hastilude.server.settings import Rate, Settings
from tests.server.running import GENEROUS, PATIENCE, SEED, Address, Client, in_thread, limited

FEW = Rate(10, 1)


def seated(server: Address) -> Client:
    code = server.open_table()["code"]
    client = server.client(code, server.sit(code, "Ada")["token"])
    client.expect("update")
    return client


def bare(server: Address, **more: Any) -> ClientConnection:
    """A connection to a table that has said nothing yet."""
    code = server.open_table()["code"]
    where = f"{server.url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    return connect(where, **more)


# --- sizes and schemas ----------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [1, 2, 40])
def test_a_frame_that_is_too_long_closes(shared: Address, pieces: int) -> None:
    client = seated(shared)
    piece = "x" * (GENEROUS.frame_bytes // pieces + 1)
    with suppress(ConnectionClosed):
        client.socket.send([piece] * pieces)
    assert client.closed() == 1009


def test_the_longest_frame_is_read(shared: Address) -> None:
    client = seated(shared)
    frame = json.dumps({"type": "ping"})
    client.socket.send(frame + " " * (GENEROUS.frame_bytes - len(frame)))
    client.expect("pong")


def test_nothing_is_compressed(shared: Address) -> None:
    with bare(shared, compression="deflate") as socket:
        assert socket.protocol.extensions == []


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"type": "nothing"}',
        '{"type": "ping", "more": 1}',
        '{"type": "ping", "type": "dance"}',
        '{"type": "play", "id": "a", "version": "1", "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": 1.5, "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": true, "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": -1, "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": 2147483648, "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": ' + "9" * 9000 + ', "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": 1e400, "actions": ["1"]}',
        '{"type": "play", "id": "", "version": 1, "actions": ["1"]}',
        '{"type": "play", "id": "a b", "version": 1, "actions": ["1"]}',
        '{"type": "play", "id": "a", "version": 1, "actions": []}',
        '{"type": "play", "id": "a", "version": 1, "actions": [1]}',
        '{"type": "play", "id": "a", "version": 1, "actions": ["1", "1", "1", "1", "1", "1", "1", "1", "1"]}',  # noqa: E501
        '{"type": "play", "id": "a", "version": 1, "actions": ["' + "x" * 17 + '"]}',
        '{"type": "play", "id": "a", "version": 1, "actions": ["\\ud800"]}',
        '{"type": "say", "phrase": "anything"}',
        '{"type": "kick", "seat": 99999999999999999999}',
        '{"type": "pause", "on": 1}',
        '{"type": "since", "version": NaN}',
        "[" * 8000,
        b'{"type": "ping"}',
    ],
    ids=lambda frame: repr(frame)[:60],
)
def test_frames_are_read_strictly(schemas: Client, frame: str | bytes) -> None:
    schemas.socket.send(frame)
    refused = schemas.expect("refused")
    assert refused["reason"]["key"] == "bad_frame"
    schemas.send("ping")
    schemas.expect("pong")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server for many small tests."""
    with limited(tmp_path_factory.mktemp("shared"), bad_frames=1000) as server:
        yield server


@pytest.fixture(scope="module")
def schemas(shared: Address) -> Client:
    return seated(shared)


def test_too_many_bad_frames_close(server: Address) -> None:
    client = seated(server)
    for _ in range(GENEROUS.bad_frames + 1):
        client.socket.send("nonsense")
    assert client.closed() == 4400


def test_bad_utf8_closes_and_is_no_error_of_ours(
    shared: Address, caplog: pytest.LogCaptureFixture
) -> None:
    client = seated(shared)
    client.socket.socket.sendall(Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True))
    assert client.closed() == 1007
    assert not caplog.records


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_long_is_refused(shared: Address, chunked: bool) -> None:
    content = b" " * (GENEROUS.frame_bytes + 1)
    body = (content[start : start + 1000] for start in range(0, len(content), 1000))
    answer = shared.request("POST", "/api/tables", content=body if chunked else content)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ada", "Ada"),
        ("  Ada \t Lovelace ", "Ada Lovelace"),
        ("Ame\u0301lie", "Am\u00e9lie"),
        ("\u202eadA\u2066x\u2069", "adAx"),
        ("A\u200bd\u200da\ufeff", "Ada"),
        ("Ada\x00\x1b[31m\x7f", "Ada[31m"),
        ("\u6b66\u8535", "\u6b66\u8535"),
        ("x" * 24, "x" * 24),
        ("x" * 25, None),
        ("", None),
        ("   ", None),
        ("\u200b\u202e", None),
        ("\u3164", None),
        ("\u2800", None),
        ("\u0301", None),
        ("A\ufe0f\u034fda", "Ada"),
        ("x" * 10_000, None),
        (5, None),
    ],
    ids=repr,
)
def test_names_are_cleaned(shared: Address, name: Any, cleaned: str | None) -> None:
    server, code = shared, shared.open_table("tornei")["code"]
    body = {"name": name, "seed": SEED}
    answer = server.request("POST", f"/api/tables/{code}/seats", json=body)
    if cleaned is None:
        assert answer.status_code in (400, 422)
    else:
        assert server.get(f"/api/tables/{code}")["seats"][0]["name"] == cleaned


# --- rates ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["frame_rate", "seat_rate", "address_rate"])
def test_who_sends_too_much_is_closed(tmp_path: Path, limit: str) -> None:
    with limited(tmp_path, **{limit: FEW}) as server:
        code = server.open_table()["code"]
        token = server.sit(code, "Ada")["token"]
        # One connection, then as many connections of a seat, of an address, as the rate is about.
        guests = {"frame_rate": [token], "seat_rate": [token] * 4, "address_rate": [None] * 4}
        clients = [server.client(code, guest) for guest in guests[limit]]
        for number in range(16):
            with suppress(ConnectionClosed):
                clients[number % len(clients)].send("ping")
        assert 4429 in [client.closed() for client in clients[-1:]]


def flood_frames(client: Client) -> None:
    client.socket.socket.sendall(Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True) * 9000)


def flood_pings(client: Client) -> None:
    client.socket.socket.sendall(Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 9000)


def flood_pongs(client: Client) -> None:
    client.socket.socket.sendall(Frame(Opcode.PONG, b"").serialize(mask=True) * 9000)


def flood_fragments(client: Client) -> None:
    first = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
    client.socket.socket.sendall(
        first + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 9000
    )


@pytest.mark.parametrize("flood", [flood_frames, flood_pings, flood_pongs, flood_fragments])
def test_a_flooder_is_closed_and_the_others_play_on(tmp_path: Path, flood: Any) -> None:
    usual = Settings()
    with limited(tmp_path, frame_rate=usual.frame_rate, seat_rate=usual.seat_rate) as server:
        client, flooder = seated(server), seated(server)
        with suppress(OSError):  # the server may be faster
            flood(flooder)
        assert flooder.closed() in (4429, 1006)  # without farewell, if it sent on after it
        client.send("ping")
        client.expect("pong")


def test_a_flooder_that_does_not_read_is_closed(tmp_path: Path) -> None:
    with limited(tmp_path, frame_rate=Settings().frame_rate, ping_seconds=0.5) as server:
        code = server.open_table()["code"]
        ada = server.client(code, server.sit(code, "Ada")["token"])
        flooder = server.client(code, server.sit(code, "Ben")["token"], max_queue=1)
        ada.wait_for(lambda update: update["seats"][1]["here"])
        with suppress(OSError):
            flood_pings(flooder)
        ada.wait_for(lambda update: not update["seats"][1]["here"])
        flooder.socket.socket.close()


PING = {"type": "ping"}
ASK = {"type": "ask", "id": "a", "actions": []}


def send_at_once(client: Client, frame: Any, count: int) -> None:
    text = Frame(Opcode.TEXT, json.dumps(frame).encode()).serialize(mask=True)
    client.socket.socket.sendall(text * count)


def playing_at_usual_rates(server: Address) -> Client:
    """Somebody in a match, who has said nothing for so long that a whole burst is allowed again."""
    code = server.open_table(seats=[None, "page"])["code"]
    client = server.client(code, server.sit(code, "Ada")["token"])
    client.wait_for(lambda update: update["legal"])
    time.sleep(2 / Settings().frame_rate.per_second)  # for the hello
    return client


@pytest.mark.parametrize(("frame", "answer"), [(PING, "pong"), (ASK, "answer")])
def test_a_burst_as_long_as_the_rate_allows_is_answered_whole(
    tmp_path: Path, frame: Any, answer: str
) -> None:
    burst = int(Settings().frame_rate.burst)
    with in_thread(Settings(database=str(tmp_path / "tables.db"))) as server:
        client = playing_at_usual_rates(server)
        send_at_once(client, frame, burst)
        for _ in range(burst):
            client.expect(answer)


@pytest.mark.parametrize("frame", [PING, ASK])
def test_a_longer_burst_is_closed_as_too_many(tmp_path: Path, frame: Any) -> None:
    burst = int(Settings().frame_rate.burst)
    with in_thread(Settings(database=str(tmp_path / "tables.db"))) as server:
        client = playing_at_usual_rates(server)
        send_at_once(client, frame, burst + 10)  # a few more: time passes while they are read
        assert client.closed() == 4429
        assert client.socket.close_reason == "too_many"


def test_requests_and_openings_have_a_rate(tmp_path: Path) -> None:
    with limited(tmp_path, request_rate=Rate(30, 0), opening_rate=Rate(2, 0)) as server:
        codes = [server.open_table()["code"] for _ in range(2)]
        third = server.request("POST", "/api/tables", json={"game": "tornei"})
        assert third.json()["reason"]["key"] == "too_many_tables"
        answers = [server.request("GET", "/health").status_code for _ in range(28)]
        assert answers == [200] * 27 + [429]
        with pytest.raises(InvalidStatus):
            server.client(codes[0])  # a socket is opened by a request too


# --- numbers --------------------------------------------------------------------------------------


def test_tables_at_which_nobody_sits_are_few_and_expire(tmp_path: Path) -> None:
    patience = {"warm_seconds": 0.05, "empty_minutes": 1 / 60}
    with limited(tmp_path, tables_per_address=2, **patience) as server:
        kept = server.open_table()["code"]
        server.sit(kept, "Ada")
        empty = [server.open_table()["code"] for _ in range(2)]
        refused = server.request("POST", "/api/tables", json={"game": "tornei"})
        assert refused.json()["reason"]["key"] == "too_many_tables"
        server.sit(empty[0], "Ben")  # no longer empty
        empty.append(server.open_table()["code"])
        watcher = server.client(empty[2])
        assert watcher.closed() == 4410
        deadline = time.monotonic() + PATIENCE
        while server.request("GET", f"/api/tables/{empty[1]}").status_code != 404:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert server.get(f"/api/tables/{kept}")["seats"][0]["name"] == "Ada"
        server.open_table()
        with sqlite3.connect(tmp_path / "tables.db") as database:
            for table in ("tables", "log", "seeds"):
                left = {code for (code,) in database.execute(f"SELECT code FROM {table}")}
                assert {kept, empty[0]} <= left
                assert not left & {*empty[1:]}


def test_sockets_are_limited_by_address_and_watchers_by_table(tmp_path: Path) -> None:
    with limited(tmp_path, sockets_per_address=3, watchers=1) as server:
        code = server.open_table()["code"]
        token = server.sit(code, "Ada")["token"]
        watcher = server.client(code)
        watcher.expect("update")
        assert server.client(code).closed() == 4429
        ada = [server.client(code, token) for _ in range(2)]
        for client in ada:
            client.expect("update")
        with pytest.raises(InvalidStatus):
            server.client(code, token)
        ada[0].close()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:  # its place is free again
            with suppress(InvalidStatus):
                server.client(code, token).expect("update")
                break


def test_who_does_not_say_hello_is_closed(tmp_path: Path) -> None:
    with limited(tmp_path, hello_seconds=0.2) as server:
        with bare(server) as silent, pytest.raises(ConnectionClosed) as closed:
            silent.recv(PATIENCE)
        assert closed.value.rcvd.code == 4408
        with bare(server) as rude:
            rude.send('{"type": "ping"}')
            with pytest.raises(ConnectionClosed) as closed:
                rude.recv(PATIENCE)
        assert closed.value.rcvd.code == 4400
