"""Several workers behind one port are one server: for players, for whoever floods it, and for its
host."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import hastilude
from hastilude.server.doors import slot_of
from hastilude.server.supervisor import STEADY_SECONDS
from tests.server import running
from tests.server.crowd import (
    FREE,
    Player,
    all_come,
    all_leave,
    all_stay,
    check_log,
    check_views,
    gather_players,
    rows,
)
from tests.server.postgres import Postgres, children
from tests.server.running import (
    COMMAND,
    PATIENCE,
    SEED,
    Address,
    Client,
    Process,
    play_out,
    process,
    until,
)

WORKERS = 2


@contextmanager
def working(database: str, *arguments: str) -> Iterator[Process]:
    with process(database, "--workers", str(WORKERS), *arguments) as server:
        yield server


@pytest.fixture(scope="module")
def house(postgres: Postgres) -> Iterator[Process]:
    """A server with two workers, for all tests that leave them alive."""
    with working(postgres.new_database(), "--config", FREE) as server:
        yield server


def workers(server: Process) -> list[int]:
    return sorted(children(server.process.pid))


def worker_of(server: Process, code: str) -> int:
    """The worker that has a table, as long as none was replaced."""
    return workers(server)[slot_of(code, WORKERS)]


def metrics(server: Process) -> dict[tuple[str, ...], float]:
    text = server.address.request("GET", "/metrics").text
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def tables_in_memory(server: Process) -> float:
    return metrics(server)["hastilude_tables_in_memory",]


def a_table_of_each(address: Address, **wanted: Any) -> list[Any]:
    """A table of each worker."""
    found: dict[int, Any] = {}
    while len(found) < WORKERS:
        table = address.open_table(**wanted)
        found[slot_of(table["code"], WORKERS)] = table
    return [found[slot] for slot in range(WORKERS)]


# --- one house ------------------------------------------------------------------------------------


def test_tables_are_spread_and_their_guests_meet_in_one_worker(house: Process) -> None:
    """However they come: over new connections, and over one that asks for all tables."""
    address = house.address
    before = tables_in_memory(house)
    codes = [address.open_table()["code"] for _ in range(20)]
    assert {slot_of(code, WORKERS) for code in codes} == {*range(WORKERS)}
    with httpx.Client(base_url=address.url, timeout=PATIENCE) as browser:
        for code in codes:
            seated = [address.sit(code, name)["token"] for name in ("Anna", "Ben")]
            clients = [address.client(code, token) for token in (*seated, None)]
            for client in clients:
                client.wait_for(lambda update: update["match"] == 1)
            assert browser.get(f"/api/tables/{code}").json()["phase"] == "playing"
            for client in clients:
                client.close()
    until(lambda: tables_in_memory(house) <= before + len(codes))  # earlier ones may leave


def test_however_a_tables_address_is_written_one_worker_answers(house: Process) -> None:
    host, port = house.address.url.removeprefix("http://").split(":")
    tables = a_table_of_each(house.address)
    before = tables_in_memory(house)
    for code in (table["code"] for table in tables):
        quoted = "".join(f"%{ord(letter):02x}" for letter in code)
        for where in (
            f"/api/tables/{quoted}",
            f"/%61pi/tables/{code}",
            f"HTTP://a/api/tables/{code}",
        ):
            for _ in range(8):
                with socket.create_connection((host, int(port)), PATIENCE) as connection:
                    connection.sendall(f"GET {where} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
                    assert status_of(connection) == 200
    assert tables_in_memory(house) <= before


def test_a_request_may_arrive_in_pieces(house: Process) -> None:
    """Its head, its body, and then another request over the same connection."""
    host, port = house.address.url.removeprefix("http://").split(":")
    for number, table in enumerate(a_table_of_each(house.address) * 2):
        body = json.dumps({"name": f"Guest {number}", "seed": SEED})
        head = (
            f"POST /api/tables/{table['code']}/seats HTTP/1.1\r\nHost: here\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection((host, int(port)), PATIENCE) as connection:
            for piece in (head[:1], head[1:60], head[60:], body[:5], body[5:]):
                connection.sendall(piece.encode())
                time.sleep(0.05)
            assert status_of(connection) == 201
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
            assert status_of(connection) == 200


def status_of(connection: socket.socket) -> int:
    """Read a whole answer."""
    answer = HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


def test_requests_sent_ahead_are_answered_in_their_order(house: Process) -> None:
    host, port = house.address.url.removeprefix("http://").split(":")
    codes = [table["code"] for table in a_table_of_each(house.address)] * 2
    asked = "".join(f"GET /api/tables/{code} HTTP/1.1\r\nHost: here\r\n\r\n" for code in codes)
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        connection.sendall(asked.encode())
        received = b""
        while received.count(b'"phase"') < len(codes):
            received += connection.recv(65536)
    assert re.findall(r'"code":"(\w+)"', received.decode()) == codes


def test_an_answer_that_is_not_read_yet_is_not_lost(house: Process) -> None:
    """Its rest is in the worker that answered, while the next request is for another's table."""
    host, port = house.address.url.removeprefix("http://").split(":")
    for table in a_table_of_each(house.address):
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(PATIENCE)
            connection.connect((host, int(port)))
            for path in ("/api/openapi.json", f"/api/tables/{table['code']}"):
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
                time.sleep(0.3)
            received = b""
            while table["code"].encode() not in received[-1000:]:
                part = connection.recv(65536)
                assert part
                received += part
        head, _, rest = received.partition(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head)
        assert size
        assert json.loads(rest[: int(size[1])])["openapi"]


def test_entries_of_all_workers_are_told_apart(house: Process) -> None:
    """A worker recognises its own entry after an interrupted commit by a number that no other
    worker uses, although all began as copies of one process."""
    for number, table in enumerate(a_table_of_each(house.address) * 2):
        house.address.sit(table["code"], f"Guest {number}")
    database = house.command[house.command.index("--database") + 1]
    nonces = [nonce for (nonce,) in rows(database, "SELECT nonce FROM log")]
    assert len({*nonces}) == len(nonces)


# --- limits ---------------------------------------------------------------------------------------


@contextmanager
def limited(postgres: Postgres, folder: Path, **limits: Any) -> Iterator[Process]:
    """Two workers with these limits, and no others."""
    free = Path(FREE).read_text("utf-8").splitlines()
    kept = [line for line in free if line.partition(" = ")[0] not in limits]
    settings = folder / "limits.toml"
    settings.write_text("\n".join(kept + [f"{name} = {limits[name]}" for name in limits]))
    with working(postgres.new_database(), "--config", str(settings)) as server:
        yield server


def test_an_address_has_its_limits_once_not_for_each_worker(
    postgres: Postgres, tmp_path: Path
) -> None:
    limits = {"sockets_per_address": 6, "opening_rate": [8, 1e-9], "request_rate": [100, 1e-9]}
    with limited(postgres, tmp_path, **limits) as server:
        address = server.address
        answers = [
            address.request("POST", "/api/tables", json={"game": "triatri"}) for _ in range(12)
        ]
        opened = [answer.json()["code"] for answer in answers if answer.is_success]
        assert len(opened) == 8
        assert {slot_of(code, WORKERS) for code in opened} == {*range(WORKERS)}
        clients = [address.client(code) for code in opened[:6]]
        for client in clients:
            client.expect("update")
        assert not any(comes_in(address, code) for code in opened)
        clients[0].close()
        until(lambda: comes_in(address, opened[0]))
        while address.request("GET", "/api/games").is_success:
            pass
        refused = [address.request("GET", f"/api/tables/{code}").status_code for code in opened]
        assert {*refused} == {429}


def test_a_seat_has_its_limits_once_not_for_each_worker(postgres: Postgres, tmp_path: Path) -> None:
    with limited(postgres, tmp_path, seat_rate=[5, 1e-9]) as server:
        code = server.address.open_table()["code"]
        token = server.address.sit(code, "Anna")["token"]
        client = server.address.client(code, token)
        for _ in range(6):
            client.send("say", phrase="hello")
        assert client.closed() == 4429
        lose(server, worker_of(server, code))
        client = server.address.client(code, token)
        client.send("say", phrase="hello")
        assert client.closed() == 4429


def comes_in(address: Address, code: str) -> bool:
    client = let_in(address, code)
    if client is not None:
        client.close()
    return client is not None


def let_in(address: Address, code: str) -> Client | None:
    """A client, if the server has room for its connection."""
    try:
        client = address.client(code)
        client.expect("update")
    except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
        return None
    return client


def test_what_a_dead_worker_counted_is_forgotten(postgres: Postgres, tmp_path: Path) -> None:
    with limited(postgres, tmp_path, connections_per_address=12) as server:
        code = server.address.open_table()["code"]
        worker = worker_of(server, code)
        for _ in range(2):
            clients: list[Client] = []

            def all_in(clients: list[Client] = clients) -> bool:
                """The worker may still count connections that have just ended."""
                if client := let_in(server.address, code):
                    clients.append(client)
                return len(clients) == 12

            until(all_in)
            assert not comes_in(server.address, code)
            worker = lose(server, worker)
            assert [client.closed() for client in clients] == [1006] * 12


def lose(server: Process, worker: int) -> int:
    """Kill a worker, and wait until another has taken its place."""
    before = {*workers(server)}
    os.kill(worker, signal.SIGKILL)
    until(lambda: worker not in workers(server) and len(workers(server)) == WORKERS)
    until(lambda: is_whole(server))
    (new,) = {*workers(server)} - before
    return new


def is_whole(server: Process) -> bool:
    try:
        health = server.address.get("/health")
    except httpx.TransportError:  # no connection is free
        return False
    assert health["workers"] == WORKERS
    return bool(health["workers_up"] == WORKERS)


# --- workers that die -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "kills"), [(1, 3), pytest.param(25, WORKERS, marks=pytest.mark.soak)]
)
def test_killed_workers_lose_and_double_nothing(shared: str, rounds: int, kills: int) -> None:
    """The players of the others play on; those of the killed one come back. Between rounds the
    workers live until they are replaced at once again."""
    with working(shared, "--config", FREE) as server:
        played = 0
        for number in range(rounds):
            time.sleep(STEADY_SECONDS if number else 0)
            players = gather_players(server.address, tables=20)
            asyncio.run(play_through_kills(server, players, kills))
            check_log(players, shared)
            assert all(player.acknowledged for player in players)
            played += sum(len(player.plays) for player in players)
        assert metrics(server)["hastilude_plays_total", "kings_tournament"] <= played
        lines = [line for line in server.errors if "ended with code -9" in line]
        assert len(lines) == rounds * kills


async def play_through_kills(server: Process, players: list[Player], kills: int) -> None:
    await all_come(players, server.address)
    over = asyncio.Event()
    playing = asyncio.gather(*(play_on(player, server.address, over) for player in players))
    victims = workers(server)  # each in its turn
    for _ in range(kills):
        killed = victims.pop(random.randrange(len(victims)))
        await asyncio.sleep(random.uniform(0.2, 0.6))
        os.kill(killed, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while len(workers(server)) < WORKERS or killed in workers(server):
                await asyncio.sleep(0.02)
        victims = victims or workers(server)
        await everybody_goes_on(players)
    over.set()
    await all_leave(players)
    await playing


async def everybody_goes_on(players: list[Player]) -> None:
    before = [len(player.acknowledged) for player in players]
    async with asyncio.timeout(PATIENCE):
        while any(
            len(player.acknowledged) <= number
            for player, number in zip(players, before, strict=True)
        ):
            await asyncio.sleep(0.05)


async def play_on(player: Player, address: Address, over: asyncio.Event) -> None:
    """Play, and come back whenever the connection ends, until it is over."""
    await player.stay()
    while not over.is_set():
        if await comes_back(player, address):
            await player.stay()


async def comes_back(player: Player, address: Address) -> bool:
    known = player.update
    try:
        await player.come(address)
    except (ConnectionClosed, InvalidHandshake, OSError, EOFError):  # a worker died with it
        player.update = known
        return False
    return True


def test_tables_of_a_worker_that_keeps_dying_are_played_at_another(
    postgres: Postgres, tmp_path: Path
) -> None:
    """It is replaced later and later, so that its fault does not keep the machine busy. When it is
    back, guests of one table are at both workers, and hear of each other."""
    with limited(postgres, tmp_path, poll_seconds=600) as server:
        table, _ = a_table_of_each(server.address)
        code = table["code"]
        tokens = [server.address.sit(code, name)["token"] for name in ("Anna", "Ben")]
        until(lambda: server.address.get(f"/api/tables/{code}")["phase"] == "playing")
        victim, other = workers(server)
        for seconds in (0, 0.5, 1, 2, 4, 8):  # that its successor waits
            os.kill(victim, signal.SIGKILL)
            until(lambda gone=victim: gone not in workers(server))
            if seconds < 8:
                until(lambda: len(workers(server)) == WORKERS)
                (victim,) = {*workers(server)} - {other}
        for _ in range(5):  # nobody waits for the successor
            assert server.address.get(f"/api/tables/{code}")["phase"] == "playing"
        anna = server.address.client(code, tokens[0])
        anna.wait_for(lambda update: update["legal"])
        assert anna.play(*anna.first_choice())["type"] == "done"
        assert server.address.get("/health")["workers_up"] == WORKERS - 1
        until(lambda: is_whole(server))
        ben = server.address.client(code, tokens[1])
        ben.wait_for(lambda update: update["legal"])
        done = ben.play(*ben.first_choice())
        anna.reach(done["version"])
        anna.send("say", phrase="hello")
        ben.wait_for(lambda update: update["said"])


def test_a_server_that_cannot_start_a_process_tries_again(
    shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full"
    monkeypatch.setattr(running, "COMMAND", [sys.executable, "-c", WITHOUT_FORK, str(full)])
    with working(shared) as server:
        full.touch()
        victim, other = workers(server)
        os.kill(victim, signal.SIGKILL)
        until(lambda: sum("cannot be started" in line for line in server.errors) > 1)
        assert workers(server) == [other]
        server.process.send_signal(signal.SIGHUP)
        full.unlink()
        until(lambda: other not in workers(server) and is_whole(server))
        assert server.terminate() == 0


WITHOUT_FORK = """
import os, sys
from hastilude.cli import main
full, fork = sys.argv.pop(1), os.fork
def fork_unless_full():
    if os.path.exists(full):
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return fork()
os.fork = fork_unless_full
sys.exit(main())
"""


def test_workers_end_with_their_supervisor(shared: str) -> None:
    with working(shared) as server:
        orphans = workers(server)
        server.kill()
        until(lambda: not any(runs(worker) for worker in orphans))


def runs(worker: int) -> bool:
    """Whether a process runs; one that has ended may stay in the list."""
    try:
        status = Path(f"/proc/{worker}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# --- restarting and stopping ----------------------------------------------------------------------


def test_sighup_restarts_the_workers_and_nobody_is_refused(shared: str, tmp_path: Path) -> None:
    """They read the settings again. Players come back once, and lose nothing."""
    settings = tmp_path / "settings.toml"
    settings.write_text(Path(FREE).read_text("utf-8"))
    with working(shared, "--config", str(settings)) as server:
        players = gather_players(server.address, tables=10)
        settings.write_text(settings.read_text() + "frame_bytes = 2000\n")
        asyncio.run(play_through_restart(server, players))
        check_log(players, shared)
        assert (
            "body_large" in server.address.request("POST", "/api/tables", content=b"x" * 3000).text
        )
        settings.write_text("nonsense = 1\n")
        before = workers(server)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: any("no restart" in line for line in server.errors))
        assert workers(server) == before


def test_a_restart_goes_on_though_workers_die(shared: str) -> None:
    """First one that is already succeeded but does not stop, together with its successor; then one
    whose successor is still starting."""
    with working(shared, "--config", FREE) as server:
        before = workers(server)
        os.kill(before[0], signal.SIGSTOP)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: is_asked_to_stop(before[0]))
        (successor,) = {*workers(server)} - {*before}
        os.kill(successor, signal.SIGKILL)
        until(lambda: before[0] not in workers(server))
        until(lambda: len(workers(server)) > WORKERS)
        os.kill(before[1], signal.SIGKILL)
        until(lambda: not {*before} & {*workers(server)} and is_whole(server))
        restarted = workers(server)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: not {*restarted} & {*workers(server)} and is_whole(server))


def test_settings_that_no_worker_can_use_are_not_kept(shared: str, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(Path(FREE).read_text("utf-8"))
    with working(shared, "--config", str(settings)) as server:
        before = workers(server)
        settings.write_text(settings.read_text() + f"web = '{tmp_path / 'nothing'}'\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: any("the restart ends here" in line for line in server.errors))
        assert workers(server) == before
        for worker in before:
            lose(server, worker)


def is_asked_to_stop(worker: int) -> bool:
    """Whether SIGTERM waits for a suspended process."""
    status = Path(f"/proc/{worker}/status").read_text()
    pending = re.search(r"ShdPnd:\s*(\w+)", status)
    assert pending
    return bool(int(pending[1], 16) & 1 << signal.SIGTERM - 1)


async def play_through_restart(server: Process, players: list[Player]) -> None:
    await all_come(players, server.address)
    before = {*workers(server)}
    asking = asyncio.create_task(ask_all_the_time(server.address))
    over = asyncio.Event()
    playing = asyncio.gather(*(play_on(player, server.address, over) for player in players))
    server.process.send_signal(signal.SIGHUP)
    async with asyncio.timeout(PATIENCE):
        while len(workers(server)) != WORKERS or before & {*workers(server)}:
            await asyncio.sleep(0.02)
    await everybody_goes_on(players)
    assert {player.closed for player in players} == {(1001, "closing")}
    assert not asking.done()
    asking.cancel()
    over.set()
    await all_leave(players)
    await playing


async def ask_all_the_time(address: Address) -> None:
    """Over one connection that stays open, and over a new one each time."""
    async with httpx.AsyncClient(base_url=address.url, timeout=PATIENCE) as faithful:
        while True:
            (await faithful.get("/health")).raise_for_status()
            async with httpx.AsyncClient(base_url=address.url, timeout=PATIENCE) as new:
                (await new.get("/health")).raise_for_status()
            await asyncio.sleep(0.01)


def test_sigterm_ends_all_and_what_was_acknowledged_is_kept(shared: str) -> None:
    with working(shared, "--config", FREE) as server:
        players = gather_players(server.address, tables=10)
        ended = workers(server)
        assert asyncio.run(play_until_stopped(server, players)) == 0
        assert not any(Path(f"/proc/{worker}").exists() for worker in ended)
        assert {player.closed for player in players} == {(1001, "closing")}
        check_log(players, shared)
        check_views(players, shared)


def test_ctrl_c_ends_all_through_their_supervisor(shared: str) -> None:
    """A terminal sends it to every process."""
    with working(shared, "--config", FREE) as server:
        all_of_them = [*workers(server), server.process.pid]
        clients = []
        for table in a_table_of_each(server.address):
            code = table["code"]
            tokens = [server.address.sit(code, name)["token"] for name in ("Anna", "Ben")]
            clients += [server.address.client(code, token) for token in tokens]
        for _ in range(2):
            for process_id in all_of_them[:-1]:
                os.kill(process_id, signal.SIGINT)
            play_out(clients[:2])
            play_out(clients[2:])
        for process_id in all_of_them:
            os.kill(process_id, signal.SIGINT)
        assert [client.closed() for client in clients] == [1001] * len(clients)
        assert server.process.wait(PATIENCE) == 0
        assert not any("ended" in line for line in server.errors)


def test_signals_may_come_before_the_server_is_ready(shared: str, tmp_path: Path) -> None:
    """SIGHUP does not end it, and SIGTERM leaves nothing behind."""
    where = ["--port", "0", "--database", shared, "--workers", str(WORKERS)]
    beginning = subprocess.Popen(
        [*COMMAND, "serve", *where],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
    )
    try:
        until(lambda: any(tmp_path.iterdir()))
        beginning.send_signal(signal.SIGHUP)
        beginning.send_signal(signal.SIGTERM)
        assert beginning.wait(PATIENCE) == 0
    finally:
        beginning.kill()
        beginning.wait()
    assert not any(tmp_path.iterdir())


async def play_until_stopped(server: Process, players: list[Player]) -> int:
    await all_come(players, server.address)
    playing = asyncio.create_task(all_stay(players))
    while not all(player.acknowledged for player in players):
        await asyncio.sleep(0.05)
    exit_code = await asyncio.to_thread(server.terminate)
    await playing
    return exit_code


# --- what the host sees ---------------------------------------------------------------------------


def test_health_and_metrics_are_about_all_workers(house: Process) -> None:
    health = house.address.get("/health")
    assert health == {
        "status": "ok",
        "version": hastilude.__version__,
        "workers": WORKERS,
        "workers_up": WORKERS,
    }
    assert metrics(house)["hastilude_workers",] == WORKERS


def test_metrics_are_sums_and_outlive_a_worker(shared: str) -> None:
    with working(shared, "--config", FREE) as server:
        clients = []
        for table in a_table_of_each(server.address):
            code = table["code"]
            tokens = [server.address.sit(code, name)["token"] for name in ("Anna", "Ben")]
            clients += [server.address.client(code, token) for token in tokens]
        for client in clients:
            client.wait_for(lambda update: update["match"] == 1)
        for client in clients:
            if client.update["legal"]:
                client.play(*client.first_choice())
        plays = metrics(server)["hastilude_plays_total", "kings_tournament"]
        assert plays >= WORKERS
        assert metrics(server)["hastilude_sockets",] == len(clients)
        lose(server, workers(server)[0])
        assert metrics(server)["hastilude_plays_total", "kings_tournament"] == plays
        assert metrics(server)["hastilude_sockets",] == len(clients) / 2


def test_the_log_says_which_worker_wrote_a_line(house: Process) -> None:
    for slot, table in enumerate(a_table_of_each(house.address)):
        line = rf"\S+ \S+ INFO worker {slot + 1}: {table['code']} 1 opened game=\w+\n"
        until(lambda line=line: any(re.fullmatch(line, found) for found in house.errors))
