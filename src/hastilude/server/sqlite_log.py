"""Appends entries to an SQLite file directly: SQLAlchemy would take longer than SQLite itself.

This is the short way for what happens all the time. It stores all entries of a group or none; if it
stores none, the store goes the long way and finds out why. All rows of the log are one statement,
because sqlite3 releases the GIL for each statement, and may have to wait a whole switch interval to
get it back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from hastilude.server.store import Append

LOG_COLUMNS = ("code", "version", "at", "entry", "seat", "move", "nonce")


def append_all(engine: sa.Engine, entries: Sequence[Append]) -> bool:
    """Store entries as one transaction; False if nothing is stored."""
    try:
        # Closing ends a transaction that is not committed.
        with closing(engine.raw_connection()) as pooled:
            connection = pooled.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            _append(connection, entries)
            connection.commit()
    except sqlite3.Error:
        return False
    return True


def _append(connection: sqlite3.Connection, entries: Sequence[Append]) -> None:
    for entry in entries:
        if entry.opens:
            _insert(connection, "tables", {"code": entry.code, **entry.opens})
    values = [value for entry in entries for value in entry.values]
    connection.execute(_insertion("log", LOG_COLUMNS, len(entries)), values)
    for entry in entries:
        if entry.master:
            number, master = entry.master
            row = {"code": entry.code, "number": number, "master": master}
            _insert(connection, "seeds", row)
        if entry.listing:
            _update_table(connection, entry.code, entry.listing)


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
