"""Messages between servers that share a PostgreSQL: new entries, and who is connected where."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from hastilude.server import schema
from hastilude.server.database import POSTGRES_OPTIONS

if TYPE_CHECKING:
    from hastilude.server.store import Store

CHANNEL = "hastilude"
PRESENCE = 0  # instead of a version in a notice: somebody connected or disconnected
LISTEN_SECONDS = 0.25  # how soon the listener notices that it should end
RECONNECT_SECONDS = 0.2


def notify(connection: sa.Connection, notices: list[str]) -> None:
    """Notify all servers once this transaction is committed."""
    every = sa.func.unnest(sa.cast(notices, postgresql.ARRAY(sa.Text)))
    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, every)))


class Peers:
    """The other servers that use the same database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._name = secrets.token_hex(8)  # of this server

    def listen(self, noticed: Callable[[str, int], None]) -> None:
        """Call `noticed` with the code and version of each entry that any server stores."""
        self._noticed = noticed
        self._store.start_thread(self._listen, "listener")

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415  # an extra

        _, how = self._store.engine.dialect.create_connect_args(self._store.engine.url)
        how = {**POSTGRES_OPTIONS, **how, "application_name": "hastilude listener"}
        while not self._store.closing:
            try:
                with psycopg.connect(**how, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    while not self._store.closing:
                        for notice in connection.notifies(timeout=LISTEN_SECONDS):
                            self._hear(notice.payload)
            except psycopg.Error:
                time.sleep(RECONNECT_SECONDS)  # polling makes up for missed notices

    def _hear(self, payload: str) -> None:
        code, _, version = payload.partition(" ")
        if version.isdecimal():  # others may use the channel too
            self._store.call(self._noticed, code, int(version))

    async def note_presence(self, code: str, seat: int, here: bool, now: int) -> None:
        """Notify the other servers that a seat's player connected here, or disconnected."""
        mine = {"server": self._name, "code": code, "seat": seat}
        presence = schema.presence

        def note(connection: sa.Connection) -> None:
            connection.execute(sa.delete(presence).filter_by(**mine))
            if here:
                connection.execute(sa.insert(presence), {**mine, "beat": now})
            notify(connection, [f"{code} {PRESENCE}"])

        await self._store.write(note)

    async def beat_presence(self, now: int, dead_before: int) -> None:
        """Renew the presence of this server's guests, and delete that of dead servers' guests."""
        presence = schema.presence
        mine = presence.c.server == self._name
        row = (presence.c.server, presence.c.code, presence.c.seat)
        dead = sa.select(*row).where(presence.c.beat < dead_before, ~mine)
        dead = dead.with_for_update(skip_locked=True)  # another server may be deleting them too

        def beat(connection: sa.Connection) -> None:
            connection.execute(sa.update(presence).where(mine).values(beat=now))
            connection.execute(sa.delete(presence).where(sa.tuple_(*row).in_(dead)))

        await self._store.write(beat)

    async def elsewhere(self, codes: Sequence[str], since: int) -> dict[str, set[int]]:
        """The seats whose players are connected to other servers that were alive after `since`."""
        presence = schema.presence.c
        rows = sa.select(presence.code, presence.seat).where(
            presence.code.in_(codes), presence.server != self._name, presence.beat > since
        )
        found: dict[str, set[int]] = defaultdict(set)
        for code, seat in await self._store.read(lambda connection: connection.execute(rows).all()):
            found[code].add(seat)
        return found
