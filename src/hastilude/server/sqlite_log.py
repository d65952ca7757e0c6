"""Appends entries to an SQLite file directly: SQLAlchemy would take longer than SQLite itself.

This is the short way for what happens all the time. It stores all entries of a group or none; if it
stores none, the store goes the long way and finds out why. sqlite3 releases the GIL for each
statement and has to wait for it again while the event loop is busy. So all rows of the log are one
statement, and if nothing else is stored, it is a transaction of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

    from hastilude.server.store import Append

LOG_COLUMNS = ("code", "version", "at", "entry", "nonce")


class SqliteLog:
    """A connection of the writer's own, which is opened again after an error."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: sqlite3.Connection | None = None

    def append_all(self, entries: Sequence[Append]) -> bool:
        """Store entries as one transaction; False if nothing is stored."""
        try:
            self._connection = self._connection or self._connect()
            _append_all(self._connection, entries)
        except sqlite3.Error:
            self.close()  # this ends a transaction that is not committed
            return False
        return True

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        pooled = self._engine.raw_connection()
        connection = pooled.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        pooled.detach()  # the pool shall not have it back
        connection.isolation_level = None  # sqlite3 begins no transactions by itself
        return connection


def _append_all(connection: sqlite3.Connection, entries: Sequence[Append]) -> None:
    values = [value for entry in entries for value in entry.values]
    rows = _insertion("log", LOG_COLUMNS, len(entries))
    if not any(entry.opens or entry.master or entry.listing for entry in entries):
        connection.execute(rows, values)
        return
    connection.execute("BEGIN IMMEDIATE")
    for entry in entries:
        if entry.opens:
            _insert(connection, "tables", {"code": entry.code, **entry.opens})
    connection.execute(rows, values)
    for entry in entries:
        if entry.master:
            number, master = entry.master
            row = {"code": entry.code, "number": number, "master": master}
            _insert(connection, "seeds", row)
        if entry.listing:
            _update_table(connection, entry.code, entry.listing)
    connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    connection.execute(_insertion(table, tuple(row)), [*row.values()])


def _update_table(connection: sqlite3.Connection, code: str, changes: Mapping[str, Any]) -> None:
    changed = ", ".join(f"{name} = ?" for name in changes)
    statement = f"UPDATE tables SET {changed} WHERE code = ?"
    connection.execute(statement, [*changes.values(), code])


@lru_cache(maxsize=1024)
def _insertion(table: str, columns: tuple[str, ...], rows: int = 1) -> str:
    places = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([places] * rows)}"
