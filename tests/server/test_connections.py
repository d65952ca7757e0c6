"""Connections that send too much, too slowly or nothing, and what others notice of them."""

from __future__ import annotations

import gc
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from websockets.exceptions import InvalidStatus

from hastilude.server.answers import HEADERS
from hastilude.server.connections import (
    MAC_FILES,
    RESERVED_FILES,
    Connections,
    client_of,
    network_of,
    raise_file_limit,
)
from hastilude.server.http_connection import AHEAD, HttpConnection
from hastilude.server.limits import Ledger
from hastilude.server.settings import Rate, Settings
from hastilude.server.sockets import Guest
from hastilude.server.table import Table
from hastilude.server.wire import Wire
from tests.server.running import (
    GENEROUS,
    PATIENCE,
    Address,
    in_thread,
    limited,
    process,
    until,
)

STRANGER = "127.0.0.2"  # limits are by address, and this is another one
SHORT = 0.3  # seconds for a request
SHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
HALVES = {
    "nothing": "",
    "half a request line": "GET /hea",
    "half a head": "GET /health HTTP/1.1\r\nHost: x\r\n",
    "half a body": "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    "half a handshake": f"GET /api/tables/abcd/socket HTTP/1.1\r\nHost: x\r\n{SHAKE}",
}


UNUSUAL = "Sec-WebSocket-Protocol: other\r\n"  # the WebSocket library answers it


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server that does not wait long for a request."""
    with limited(tmp_path_factory.mktemp("hurried"), request_seconds=SHORT) as server:
        yield server


def line_to(server: Address, source: str = STRANGER) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), PATIENCE, source_address=(source, 0))


def all_of(line: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    got = b""
    with suppress(ConnectionError):
        while piece := line.recv(65536):
            got += piece
    return got


def send_until_closed(line: socket.socket, piece: bytes, most: int) -> int:
    """How many bytes could be sent before the server hung up."""
    sent = 0
    with suppress(ConnectionError):
        while sent < most:
            line.sendall(piece)
            sent += len(piece)
    return sent


# --- too much -------------------------------------------------------------------------------------

MEGABYTES = 50_000_000  # far more than the buffers of the system hold
ENDLESS = {
    "a header": (b"GET / HTTP/1.1\r\nX: ", b"x" * 65536),
    "headers": (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 10_000),
    "an address": (b"GET /", b"x" * 65536),
    "empty lines": (b"\r\n", b"\r\n" * 30_000),
    "a body": (b"POST /api/tables HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", b" " * 65536),
    "chunks": (
        b"POST /api/tables HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1\r\n \r\n" * 10_000,
    ),
    "trailers": (
        b"POST /api/tables HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        b"X: y\r\n" * 10_000,
    ),
    "requests": (b"", b"GET /health HTTP/1.1\r\n\r\n" * 3000),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_never_ends_is_cut_off(hall: Address, what: str) -> None:
    begin, piece = ENDLESS[what]
    with line_to(hall) as line:
        line.sendall(begin)
        assert send_until_closed(line, piece, MEGABYTES) < MEGABYTES
    assert hall.get("/health")["status"] == "ok"


def test_a_head_that_is_too_long_is_refused_in_a_sentence(hall: Address) -> None:
    answer = hall.request("GET", "/health", headers={"x": "y" * 2 * GENEROUS.head_bytes})
    assert answer.status_code == 431
    assert answer.json()["reason"]["key"] == "request_http"
    longest = {"x": "y" * (GENEROUS.head_bytes - 1000)}
    assert hall.request("GET", "/health", headers=longest).status_code == 200


def test_requests_sent_ahead_are_answered_if_they_are_few(hall: Address) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    last = request.replace(b"Host", b"Connection: close\r\nHost")
    for ahead in (AHEAD, AHEAD + 1):
        with line_to(hall) as line:
            line.sendall(request * ahead + last)
            answers = all_of(line).count(b"HTTP/1.1 200")
        assert (answers == ahead + 1) == (ahead == AHEAD)


def test_another_protocol_that_is_offered_is_not_taken_up(hall: Address) -> None:
    with line_to(hall) as line:
        offer = b"Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
        line.sendall(b"GET /health HTTP/1.1\r\n" + offer + b"\r\n")
        assert b"HTTP/1.1 200" in all_of(line)


def test_a_request_has_one_answer_even_if_its_body_goes_on(hurried: Address) -> None:
    """A proxy would take a second one for the answer to the next request."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
    for piece, most in ((b" ", 10_000), (b" " * 10_000, MEGABYTES)):
        with line_to(hurried) as line:
            line.sendall(head)
            answer = line.recv(65536)
            assert answer.startswith(b"HTTP/1.1 413")
            while b"body_large" not in answer:
                answer += line.recv(65536)
            with suppress(ConnectionError):
                for _ in range(most // len(piece)):
                    line.sendall(piece)
                    time.sleep(SHORT / 10 if len(piece) == 1 else 0)
            assert b"HTTP/1.1" not in all_of(line)


def test_a_websocket_is_not_opened_while_an_answer_is_under_way(hall: Address) -> None:
    code = hall.open_table()["code"]
    opening = f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: x\r\n{SHAKE}{KEY}\r\n"
    with line_to(hall) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + opening.encode())
        assert b"HTTP/1.1 101" not in all_of(line)


# --- too slow -------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", HALVES)
def test_half_a_request_is_not_waited_for(hurried: Address, what: str) -> None:
    with line_to(hurried) as line:
        line.sendall(HALVES[what].encode())
        answer = all_of(line)
    assert answer.startswith(b"HTTP/1.1 408") or what in ("nothing", "half a body")


def test_a_request_in_drops_has_no_more_time(hurried: Address) -> None:
    with line_to(hurried) as line, suppress(ConnectionError):
        for _ in range(int(PATIENCE / 0.02)):
            line.sendall(b"x")
            time.sleep(0.02)
        pytest.fail("it was waited for")


def test_a_second_request_has_its_own_time(hurried: Address) -> None:
    with line_to(hurried) as line:
        for _ in range(4):  # together longer than one may take
            line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}"):  # head and body may come one after the other
                piece = line.recv(65536)
                assert piece
                answer += piece
            assert answer.startswith(b"HTTP/1.1 200")
            time.sleep(SHORT / 2)
        line.sendall(b"GET /hea")
        assert all_of(line).startswith(b"HTTP/1.1 408")


def test_a_websocket_is_no_request_that_takes_long(hurried: Address) -> None:
    code = hurried.open_table()["code"]
    watcher = hurried.client(code)
    watcher.expect("update")
    time.sleep(2 * SHORT)
    watcher.send("ping")
    watcher.expect("pong")


@pytest.mark.parametrize(
    "head",
    [
        f"GET /{'x' * 9000} HTTP/1.1\r\n",
        f"GET / HTTP/1.1\r\nX: {'x' * 9000}\r\n",
        "GET / HTTP/1.1\r\n" + "X: y\r\n" * 200,
        "POST / HTTP/1.1\r\nContent-Length: 1\r\n",
    ],
)
def test_a_handshake_that_cannot_be_read_is_not_kept_open(hall: Address, head: str) -> None:
    with line_to(hall) as line:
        line.sendall(f"{head}Host: x\r\n{SHAKE}{KEY}\r\n.".encode())
        assert b"HTTP/1.1 101" not in all_of(line)


@pytest.mark.parametrize("more", ["", "Origin: http://elsewhere\r\n", "X: y\r\n" * 3])
@pytest.mark.parametrize("path", ["/api/tables/abcd/socket?x=y", "/api/tables/%61bcd/socket", "/"])
def test_a_usual_handshake_is_answered_like_any_other(hall: Address, path: str, more: str) -> None:
    def head(unusual: str) -> set[bytes]:
        with line_to(hall) as line:
            shake = f"GET {path} HTTP/1.1\r\nHost: x\r\n{SHAKE}{KEY}{more}{unusual}\r\n"
            line.sendall(shake.encode())
            lines = line.recv(65536).partition(b"\r\n\r\n")[0].split(b"\r\n")
            return {line for line in lines if not line.startswith(b"date")}

    assert head("") == head(UNUSUAL)


def test_connections_and_tables_leave_memory_without_the_garbage_collector(tmp_path: Path) -> None:
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"), warm_seconds=0.1)

    def alive() -> int:
        kinds = (HttpConnection, Wire, Guest, Table)
        return sum(issubclass(type(one), kinds) for one in gc.get_objects())

    with in_thread(settings) as server:
        gc.collect()
        before = alive()
        gc.disable()
        try:
            code = server.open_table(away=None)["code"]
            tokens = [server.sit(code, name)["token"] for name in ("Anna", "Ben")]
            clients = [server.client(code, token) for token in tokens]
            for client in clients:
                client.wait_for(lambda update: update["match"] == 1)
                client.close()
            until(lambda: alive() <= before)
        finally:
            gc.enable()


def test_who_does_not_read_an_answer_is_hung_up_on(tmp_path: Path) -> None:
    asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with limited(tmp_path, ping_seconds=SHORT, send_bytes=4096) as server, line_to(server) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        whole = AHEAD * len(server.request("GET", "/api/openapi.json").content)
        assert whole > 150_000  # more than the system keeps
        line.sendall(asked * AHEAD)
        time.sleep(4 * SHORT)
        assert len(all_of(line)) < whole


@pytest.mark.parametrize(("sizes", "patient"), [([100, 50], True), ([100, 51], False)])
def test_who_reads_slowly_is_waited_for_while_half_is_gone_at_each_look(
    sizes: list[int], patient: bool
) -> None:
    transport, loop = MagicMock(), MagicMock()
    transport.get_write_buffer_size.side_effect = [*sizes, *sizes[-1:]]
    connection: Any = HttpConnection.__new__(HttpConnection)
    connection.transport, connection.loop, connection.settings = transport, loop, Settings()
    connection.flow = MagicMock()
    connection.pause_writing()
    _, look, *unsent = loop.call_later.call_args.args
    look(*unsent)
    assert transport.abort.called is not patient


# --- too many -------------------------------------------------------------------------------------


def admits(server: Address, source: str) -> bool:
    """Whether a new connection from an address is answered."""
    with line_to(server, source) as line, suppress(ConnectionError):
        line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        return line.recv(65536).startswith(b"HTTP/1.1 200")
    return False


def test_an_address_has_so_many_connections_and_others_have_theirs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with limited(tmp_path, connections_per_address=3) as server:
        code = server.open_table()["code"]
        silent = [line_to(server) for _ in range(3)]
        assert not admits(server, STRANGER)
        assert admits(server, "127.0.0.3")
        assert server.client(code).expect("update")
        silent.pop().close()
        deadline = time.monotonic() + PATIENCE
        while not admits(server, STRANGER):  # its place is free again
            assert time.monotonic() < deadline
        for line in silent:
            line.close()
        warnings = [record.getMessage() for record in caplog.records]
        assert warnings == ["an address has all its 3 connections in use"]


def test_an_address_that_connects_too_often_waits_and_others_do_not(tmp_path: Path) -> None:
    with limited(tmp_path, connection_rate=Rate(5, 0)) as server:
        assert [admits(server, STRANGER) for _ in range(7)] == [True] * 5 + [False] * 2
        assert admits(server, "127.0.0.3")


def test_a_websocket_counts_until_it_is_closed(tmp_path: Path) -> None:
    with limited(tmp_path, connections_per_address=3) as server:
        code = server.open_table()["code"]
        watchers = [server.client(code) for _ in range(3)]
        for watcher in watchers:
            watcher.expect("update")
        assert not admits(server, "127.0.0.1")
        watchers[0].close()
        deadline = time.monotonic() + PATIENCE
        while not admits(server, "127.0.0.1"):
            assert time.monotonic() < deadline


def test_the_last_files_are_kept_for_the_server_itself(caplog: pytest.LogCaptureFixture) -> None:
    connections = Connections(Settings(), RESERVED_FILES + 2, Ledger())
    transports: list[Any] = [object() for _ in range(4)]
    addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]
    added = [connections.add(*one) for one in zip(transports, addresses, strict=True)]
    assert added == [True, True, False, False]
    assert len(caplog.records) == 1
    assert "all 2 connections are in use" in caplog.text
    connections.remove(transports[3])  # was never counted
    connections.remove(transports[0])
    assert connections.add(transports[2], addresses[2])


def test_macos_gets_as_many_files_as_it_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    def set_limit(_: int, limits: tuple[int, int]) -> None:
        if limits[0] > MAC_FILES:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 2**63 - 1))
    monkeypatch.setattr(resource, "setrlimit", set_limit)
    assert raise_file_limit() == MAC_FILES


@pytest.fixture
def few_files() -> Iterator[None]:
    """For a server that is started now the usual limit, which 1,000 connections would reach."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_silent_connections_shut_nobody_out_and_delay_no_stop(
    tmp_path: Path, few_files: None
) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with process(tmp_path / "tables.db") as server:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        lines = []
        for number in range(1200):
            line = line_to(server.address, f"127.0.1.{1 + number % 6}")
            line.sendall([*HALVES.values()][number % len(HALVES)].encode())
            lines.append(line)
        code = server.address.open_table()["code"]
        watcher = server.address.client(code)
        watcher.expect("update")
        begun = time.monotonic()
        assert server.terminate() == 0
        assert time.monotonic() - begun < 5
        assert watcher.closed() == 1001
        for line in lines:
            line.close()
    assert not any("Traceback" in line for line in server.errors)


# --- who it is ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("", ""),
    ],
)
def test_limits_count_an_address_or_a_household(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (1, ["192.0.2.7"], "192.0.2.7"),
        (1, ["10.0.0.1, 192.0.2.7"], "192.0.2.7"),
        (1, ["10.0.0.1", "192.0.2.7"], "192.0.2.7"),
        (2, ["10.0.0.1, 192.0.2.7, 198.51.100.1"], "192.0.2.7"),
        (2, ["192.0.2.7"], "192.0.2.7"),
        (1, ["192.0.2.7:4711"], "192.0.2.7"),
        (1, ["[2001:db8::1]:4711"], "2001:db8::/64"),
        (1, ["2001:db8::1"], "2001:db8::/64"),
        (1, ["nonsense"], "127.0.0.1"),
        (1, [""], "127.0.0.1"),
        (1, [], "127.0.0.1"),
    ],
)
def test_what_the_proxies_added_is_believed(
    proxies: int, forwarded: list[str], client: str
) -> None:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    scope = {"type": "http", "client": ("127.0.0.1", 4711), "headers": headers}
    assert client_of(scope, Settings(behind_proxy=True, proxies=proxies)) == client
    assert client_of(scope, Settings()) == "127.0.0.1"


def test_a_client_cannot_choose_its_address(tmp_path: Path) -> None:
    with limited(tmp_path, behind_proxy=True, request_rate=Rate(5, 0)) as server:

        def status(claimed: str, real: str) -> int:
            forwarded = {"x-forwarded-for": f"{claimed}, {real}"}
            return server.request("GET", "/health", headers=forwarded).status_code

        answers = [status(f"10.0.0.{number}", "192.0.2.7") for number in range(6)]
        assert answers == [200] * 5 + [429]
        assert status("192.0.2.7", "192.0.2.8") == 200


def test_links_begin_as_the_proxys_client_sees_them(tmp_path: Path) -> None:
    with limited(tmp_path, behind_proxy=True) as server:
        headers = {"x-forwarded-proto": "https", "host": "tables.example.org"}
        table = server.post("/api/tables", {"game": "triatri"}, headers=headers)
        assert table["link"].startswith("https://tables.example.org/t/")


# --- errors ---------------------------------------------------------------------------------------

SAFE = {name.decode() for name, _ in HEADERS}


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "", "a/b;c"])
def test_a_body_that_is_not_json_is_refused(
    hall: Address, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("/api/tables", f"/api/tables/{hall.open_table()['code']}/seats"):
        answer = hall.request("POST", path, content=b'{"game": 1}', headers={"content-type": kind})
        assert answer.status_code == 422
        assert answer.json()["reason"]["key"] == "request_form"
        assert answer.headers.keys() >= SAFE
    assert not caplog.records


@pytest.mark.parametrize("host", ["x" * 4000, "a b", "ex\u00e4mple.org".encode("latin-1")])
def test_a_host_that_is_none_is_refused_before_the_seat_is_taken(
    hall: Address, host: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    code = hall.open_table()["code"]
    body = {"name": "Ada", "seed": "ab" * 16, "qr": True}
    answer = hall.request("POST", f"/api/tables/{code}/seats", json=body, headers={"host": host})
    assert answer.status_code == 400
    assert hall.get(f"/api/tables/{code}")["seats"][0]["kind"] == "empty"
    longest = {"host": "x" * 255}
    assert hall.post(f"/api/tables/{code}/seats", body, headers=longest)["qr"]
    assert not caplog.records


def test_every_error_carries_the_safe_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("hastilude.server.store.Store.open_tables", None)  # so that it fails
    with limited(tmp_path, request_rate=Rate(10, 0)) as server:
        answers = [
            server.request("GET", "/api/tables"),
            server.request("GET", "/api/nothing"),
            server.request("PUT", "/health"),
            server.request("GET", "/api/tables/nothing8"),
            server.request("POST", "/api/tables", json={}),
            server.request("POST", "/api/tables", content=b" " * 20_000),
            server.request("GET", "/health", headers={"x": "y" * 20_000}),
            server.request("GET", "/health", headers={"host": "a b"}),
        ]
        assert [one.status_code for one in answers] == [500, 404, 405, 404, 422, 413, 431, 400]
        with line_to(server) as line:
            line.sendall(b"nonsense\r\n\r\n")
            answer = all_of(line)
        assert answer.startswith(b"HTTP/1.1 400")
        assert all(name in answer for name, _ in HEADERS)
        assert answers[0].json()["reason"]["key"] == "failed"
        with pytest.raises(InvalidStatus) as refused:
            server.client("abcdefgh", origin="https://elsewhere.example.org")
        assert refused.value.response.status_code == 403
        assert {name.lower() for name, _ in refused.value.response.headers.raw_items()} >= SAFE
        with pytest.raises(InvalidStatus) as refused:
            server.client("abcdefgh", origin="http://[")
        assert refused.value.response.status_code == 403
        while (last := server.request("GET", "/health")).status_code == 200:
            pass
        assert last.status_code == 429
        for one in [*answers, last]:
            assert one.headers.keys() >= SAFE
    assert [record.getMessage() for record in caplog.records] == ["a request failed"]
