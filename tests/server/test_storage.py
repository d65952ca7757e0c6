"""The database file as its host meets it: locked, private, read-only, full, damaged, tidied up."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import DatabaseError

from hastilude.cli import main
from hastilude.core.errors import OptionError
from hastilude.server import database as databases
from hastilude.server import house
from hastilude.server.store import Store
from tests.server.running import (
    COMMAND,
    GENEROUS,
    PATIENCE,
    Address,
    Client,
    Clockwork,
    Process,
    in_thread,
    play_out,
    process,
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database as a server has left it."""
    path = tmp_path / "tables.db"
    store = Store(str(path))
    store.migrate()
    store.close()
    return path


def serve(database: Path | str, *before: str) -> list[str]:
    return [*before, *COMMAND, "serve", "--port", "0", "--database", str(database)]


def until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def two_players(server: Address, **wanted: Any) -> tuple[str, list[Client]]:
    code = server.open_table("triatri", options={"players": 2}, **wanted)["code"]
    tokens = [server.sit(code, name)["token"] for name in ("Anna", "Ben")]
    clients = [server.client(code, token) for token in tokens]
    for client in clients:
        client.wait_for(lambda update: update["match"] == 1)
    return code, clients


def health(server: Address) -> tuple[int, str]:
    answer = server.request("GET", "/health")
    return answer.status_code, answer.json()["status"]


# --- whose file it is -----------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no such lock on this platform")
def test_a_second_server_on_the_same_file_is_refused(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(database)
    with process(database) as running:
        for name in (database, link):
            assert main(serve(name)[len(COMMAND) :]) == 2
            out, err = capsys.readouterr()
            assert not out
            assert err == (
                f"Another server is using the database {name}. "
                "Stop that server or choose another database.\n"
            )
        assert health(running.address) == (200, "ok")
        copy = tmp_path / "copy.db"
        assert main(["backup", str(copy), "--database", str(database)]) == 0
        running.kill()  # which leaves nobody behind to unlock it
        running.start()
        assert running.terminate() == 0


def test_a_file_that_cannot_be_locked_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_locks(*_: Any) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", without_locks)
    with pytest.raises(OptionError, match=r"Cannot use the database .*: Operation not supported"):
        Store(str(tmp_path / "tables.db")).migrate()


def test_new_files_are_for_the_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db"))) as server:
            server.open_table()
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    names = [f"tables.db{suffix}" for suffix in ("", "-lock", "-shm", "-wal")]
    assert modes == dict.fromkeys(names, 0o600)


def test_an_existing_file_keeps_its_mode(database: Path) -> None:
    database.chmod(0o640)
    with in_thread(replace(GENEROUS, database=str(database))):
        assert stat.S_IMODE(database.stat().st_mode) == 0o640


# --- read-only ------------------------------------------------------------------------------------

# Root may write to every file, until this capability is gone for good.
BOUND = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
if os.geteuid() == 0:
    assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def bound(tmp_path: Path) -> list[str]:
    """What to put before a command so that the modes of files bind it."""
    prefix = [sys.executable, "-c", BOUND]
    locked = tmp_path / "locked"
    locked.touch(0o400)
    touch = [sys.executable, "-c", "import sys; open(sys.argv[1], 'a')", str(locked)]
    if subprocess.run([*prefix, *touch], capture_output=True, check=False).returncode == 0:
        pytest.skip("NO READ-ONLY DATABASE IS TESTED, this user may write to every file")
    return prefix


def test_a_read_only_database_is_refused_in_one_sentence(database: Path, bound: list[str]) -> None:
    database.chmod(0o400)
    answer = subprocess.run(
        serve(database, *bound), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert answer.returncode == 2
    assert not answer.stdout
    assert answer.stderr == (
        f"Cannot use the database {database}: attempt to write a readonly database.\n"
    )


# --- stopping before it has started ---------------------------------------------------------------


def test_sigterm_ends_a_server_that_waits_for_its_database(shared: str) -> None:
    store = Store(shared)
    store.migrate()
    store.close()
    with psycopg.connect(shared) as other, closing_process(serve(shared)) as starting:
        other.execute("LOCK TABLE service IN ACCESS EXCLUSIVE MODE")
        assert starting.stderr
        assert starting.stdout
        line = starting.stderr.readline()
        assert "the database is unavailable: no answer for 3 seconds" in line
        starting.send_signal(signal.SIGTERM)
        assert starting.wait(PATIENCE) == 0
        assert "Traceback" not in starting.stderr.read()
        assert starting.stdout.read() == ""


@contextmanager
def closing_process(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        try:
            yield started
        finally:
            started.kill()


# --- a full disk ----------------------------------------------------------------------------------


def test_play_pauses_while_the_disk_is_full(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    monkeypatch.setattr(databases, "PRAGMAS", (*databases.PRAGMAS, f"max_page_count={pages + 4}"))
    with in_thread(replace(GENEROUS, database=str(database))) as server:
        _, (anna, ben) = two_players(server)
        while not any(frame["type"] == "notice" for frame in ben.frames):
            anna.send("say", phrase="hello")
            ben.receive()
        assert ben.frames[-1]["reason"]["key"] == "store_away"
        assert health(server) == (503, "store_away")
    assert "the database is unavailable: database or disk is full" in caplog.messages


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits other processes")
def test_a_server_that_cannot_write_stops_without_a_traceback(database: Path) -> None:
    """Files that may not grow are like a full disk, for one process."""
    with process(database) as running:
        _, clients = two_players(running.address)
        mover = next(client for client in clients if client.update["legal"])
        choice = mover.first_choice()
        with files_that_cannot_grow(running):
            mover.send("play", id="waits", version=mover.update["version"], actions=choice)
            assert mover.expect("notice")["reason"]["key"] == "store_away"
            assert health(running.address) == (503, "store_away")
        assert mover.expect("notice")["reason"]["key"] == "store_back"
        mover.expect("done", id="waits")
        with files_that_cannot_grow(running):
            mover.expect("notice")
            mover.send("say", phrase="hello")
            assert running.terminate() == 0
    text = "".join(running.errors)
    assert "the database is unavailable: disk I/O error" in text
    assert "the database is available again" in text
    assert "Traceback" not in text


@contextmanager
def files_that_cannot_grow(running: Process) -> Iterator[None]:
    pid, kind = running.process.pid, resource.RLIMIT_FSIZE
    before = resource.prlimit(pid, kind)
    resource.prlimit(pid, kind, (0, before[1]))
    try:
        yield
    finally:
        if running.process.poll() is None:
            resource.prlimit(pid, kind, before)


# --- corrupt pages --------------------------------------------------------------------------------


def corrupt(database: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").close()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(query, [table]).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_a_damaged_database_is_named_and_not_written_to(database: Path) -> None:
    with process(database) as running:
        code = running.address.open_table()["code"]
        running.terminate()
        corrupt(database, "log")
        running.start()
        server = running.address
        watcher = server.client(code)
        assert watcher.expect("refused")["reason"]["key"] == "store_damaged"
        assert watcher.closed() == 1011
        for method, path, body in (
            ("GET", f"/api/tables/{code}", None),
            ("POST", "/api/tables", {"game": "tornei"}),
            ("GET", f"/api/tables/{code}/matches/1/record", None),
        ):
            answer = server.request(method, path, json=body)
            assert answer.status_code == 503
            assert answer.json()["reason"]["key"] == "store_damaged"
        assert health(server) == (503, "store_damaged")
        assert running.terminate() == 0
    damaged = [line for line in running.errors if "the database is damaged" in line]
    assert len(damaged) == 1
    assert "database disk image is malformed" in damaged[0]
    assert "Traceback" not in "".join(running.errors)


def test_who_plays_while_the_database_breaks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only those whose move it was."""
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db"))) as server:
        code, (anna, ben) = two_players(server)
        watcher = server.client(code)
        watcher.reach(anna.update["version"])
        monkeypatch.setattr(Store, "_commit", _malformed)
        anna.send("say", phrase="hello")
        for client in (anna, ben, watcher):
            assert client.expect("notice")["reason"]["key"] == "store_damaged"
        ben.send("say", phrase="hello")
        assert ben.expect("refused")["reason"]["key"] == "store_damaged"
        late = server.client(code)
        assert late.expect("notice")["reason"]["key"] == "store_damaged"
        assert health(server) == (503, "store_damaged")


def _malformed(*_: Any) -> None:
    """What SQLite says of a page that it cannot read."""
    problem = sqlite3.DatabaseError("database disk image is malformed")
    problem.sqlite_errorname = "SQLITE_CORRUPT"
    raise DatabaseError("INSERT", {}, problem)


def test_a_server_does_not_start_on_a_database_without_its_time(database: Path) -> None:
    corrupt(database, "service")
    answer = subprocess.run(
        serve(database), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert answer.returncode == 2
    assert not answer.stdout
    sentence = f"Cannot use the database {database}: database disk image is malformed.\n"
    assert answer.stderr.endswith(sentence)
    assert "Traceback" not in answer.stderr


# --- tables where nobody has been for long --------------------------------------------------------


def test_tables_where_nobody_is_leave_the_list_and_are_deleted_in_the_end(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "SEEN_SECONDS", 0.05)
    time = Clockwork()
    with in_thread(replace(GENEROUS, database=str(database)), time) as server:
        here = server.open_table(watch="anyone")["code"]
        watcher = server.client(here, server.sit(here, "Anna")["token"])
        watcher.wait_for(lambda update: True)
        left = server.open_table(watch="anyone")["code"]
        server.sit(left, "Anna")
        finished, players = two_players(server, watch="anyone")
        play_out(players)
        for client in players:
            client.close()
        server.get(f"/api/tables/{finished}/matches/1/record")

        assert listed(server) == {here, left}
        time.passes(31 * 60)
        until(lambda: listed(server) == {here})
        assert found(server, left)
        time.passes(31 * 86400)
        until(lambda: not found(server, left))
        assert found(server, finished)
        time.passes(150 * 86400)
        until(lambda: not found(server, finished))
        assert found(server, here)
        watcher.send("ping")
        watcher.expect("pong")
    with closing(sqlite3.connect(database)) as connection:
        for table in ("tables", "log", "seeds", "records"):
            codes = {code for (code,) in connection.execute(f"SELECT code FROM {table}")}
            assert codes <= {here}


def test_a_table_that_is_visited_now_and_then_is_kept(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may come for a move only, and be gone when it is next noted where people are."""
    monkeypatch.setattr(house, "SEEN_SECONDS", 1.0)
    time = Clockwork()
    with in_thread(replace(GENEROUS, database=str(database)), time) as server:
        code, unvisited = server.open_table()["code"], server.open_table()["code"]
        token = server.sit(code, "Anna")["token"]
        server.sit(unvisited, "Anna")
        time.passes(29 * 86400)
        visitor = server.client(code, token)
        visitor.wait_for(lambda update: True)
        visitor.close()
        until(lambda: not server.get(f"/api/tables/{code}")["seats"][0]["here"])
        until(lambda: seen_at(database, code) > 29 * 86_400_000)
        time.passes(2 * 86400)
        until(lambda: not found(server, unvisited))
        assert found(server, code)


def seen_at(database: Path, code: str) -> int:
    with closing(sqlite3.connect(database)) as connection:
        (at,) = connection.execute("SELECT seen_at FROM tables WHERE code = ?", (code,)).fetchone()
    return int(at)


def listed(server: Address) -> set[str]:
    return {table["code"] for table in server.get("/api/tables")}


def found(server: Address, code: str) -> bool:
    return server.request("GET", f"/api/tables/{code}").status_code == 200


def test_a_database_is_usable_again_after_it_was_refused(database: Path) -> None:
    """The lock is not left behind by a start that failed."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for _ in range(2):
        with pytest.raises(OptionError, match="newer version"):
            Store(str(database)).migrate()
