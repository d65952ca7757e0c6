"""Opens the database: its engine, its file, and the lock against a second server."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from hastilude.core.errors import OptionError
from hastilude.server.settings import is_postgres, sqlite_file

READERS = 4
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON")
# Lets libpq notice a lost connection (in seconds and milliseconds), and ends transactions of a
# server that hangs, so that it does not block the others.
POSTGRES_OPTIONS = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": "-c idle_in_transaction_session_timeout=10000",
    "application_name": "hastilude",
}
PRIVATE = 0o600  # the file contains everybody's cards
# Unreadable pages, or not a database at all: trying again does not help.
DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")


def open_engine(database: str) -> sa.Engine:
    """The engine. Its errors are logged, so they must not show parameters: cards and seeds."""
    if is_postgres(database):
        try:
            import psycopg  # noqa: F401, PLC0415  # an extra
        except ImportError:
            raise OptionError.of("store_needs_postgres") from None
        try:
            url = sa.make_url("postgresql+psycopg://" + database.split("://", 1)[1])
        except (ArgumentError, ValueError) as error:
            raise unusable(database, cause_of(error)) from None
        defaults = {
            name: value for name, value in POSTGRES_OPTIONS.items() if name not in url.query
        }
        return sa.create_engine(
            url,
            connect_args=defaults,
            pool_size=READERS + 1,
            hide_parameters=True,  # no seeds and cards in logged errors
        )
    path = sqlite_file(database)
    if not path.parent.is_dir():
        raise OptionError.of("store_no_folder", path=str(path.parent))
    engine = sa.create_engine(f"sqlite:///{path}", hide_parameters=True)

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


def claim(database: str) -> int:
    """Create the SQLite file if necessary, private to this user, and lock it against another
    server. The lock is a separate file beside it. It is released when the returned descriptor is
    closed, even if the process is killed."""
    path = Path(database)
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        lock = os.open(f"{path.resolve()}-lock", os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as error:
        raise unusable(database, cause_of(error)) from None
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415  # not on every platform

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise OptionError.of("store_in_use", database=database) from None
        except OSError as error:  # some network file systems have no locks
            os.close(lock)
            raise unusable(database, cause_of(error)) from None
    return lock


def unusable(database: str, cause: str) -> OptionError:
    return OptionError.of("store_unusable", database=database, problem=cause)


def cause_of(error: BaseException) -> str:
    """The first line of the database's or system's own error message."""
    original = getattr(error, "orig", None) or error
    text = getattr(original, "strerror", None) or str(original)
    return str(text).strip().splitlines()[0]


def is_damage(error: BaseException) -> bool:
    """Whether the database's own pages are broken."""
    original = getattr(error, "orig", None)
    code = getattr(original, "sqlstate", None) or getattr(original, "sqlite_errorname", None)
    return str(code).startswith(DAMAGE)
