"""Messages between servers that share a PostgreSQL: new entries, and who is connected where."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from hastilude.server import schema
from hastilude.server.database import POSTGRES_OPTIONS

if TYPE_CHECKING:
    from hastilude.server.store import Store

BUCKETS = 256  # of tables, each with a channel: hearing of all tables would cost every server much
PRESENCE = 0  # instead of a version in a notice: somebody connected or disconnected
LISTEN_SECONDS = 0.25  # how soon the listener notices that it should end
RECONNECT_SECONDS = 0.2


def bucket_of(code: str) -> int:
    """A table's bucket, which is the same everywhere. The hash is not one that load balancers use:
    with theirs, all tables of a machine could have the same few buckets."""
    return int.from_bytes(blake2b(code.encode(), digest_size=8).digest()) % BUCKETS


def _channel(bucket: int) -> str:
    return f"hastilude_{bucket}"


def _each(name: str) -> sa.ColumnElement[str]:
    texts = postgresql.ARRAY(sa.Text)
    return sa.func.unnest(sa.cast(sa.bindparam(name, type_=texts), texts))


NOTIFY = sa.select(sa.func.pg_notify(_each("channels"), _each("payloads")))


def notify(connection: sa.Connection, sender: str, notices: list[str]) -> None:
    """Notify the servers that listen once this transaction is committed. A notice is the code of a
    table and a version; the sender is added, because its own notices tell a server nothing."""
    channels = [_channel(bucket_of(notice.partition(" ")[0])) for notice in notices]
    payloads = [f"{notice} {sender}" for notice in notices]
    connection.execute(NOTIFY, {"channels": channels, "payloads": payloads})


class Peers:
    """The other servers that use the same database."""

    def __init__(self, store: Store, buckets: Iterable[int] = range(BUCKETS)) -> None:
        self._store = store
        self._buckets = {*buckets}  # of the tables whose notices are heard
        self._name = store.name

    def listen(
        self,
        noticed: Callable[[str, int], None],
        used: Callable[[str], bool],
        began: Callable[[Collection[int]], None],
    ) -> None:
        """Call `noticed` with the code and version of each entry that another server stores at a
        table that is `used` here. Waking the event loop for all others would take long. Call
        `began` with the buckets that are heard from now on: what was stored before may be unknown
        here."""
        self._noticed = noticed
        self._used = used
        self._began = began
        self._store.start_thread(self._listen, "listener")

    def hear_of(self, code: str) -> None:
        """From now on hear of this table too."""
        self._buckets.add(bucket_of(code))

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415  # an extra

        _, how = self._store.engine.dialect.create_connect_args(self._store.engine.url)
        how = {**POSTGRES_OPTIONS, **how, "application_name": "hastilude listener"}
        while not self._store.closing:
            try:
                with psycopg.connect(**how, autocommit=True) as connection:
                    heard: set[int] = set()
                    while not self._store.closing:
                        new = self._buckets - heard
                        if new:
                            listen = [f"LISTEN {_channel(bucket)}" for bucket in new]
                            connection.execute("; ".join(listen).encode())
                            heard |= new
                            self._store.call(self._began, new)
                        for notice in connection.notifies(timeout=LISTEN_SECONDS):
                            self._hear(notice.payload)
            except psycopg.Error:
                time.sleep(RECONNECT_SECONDS)  # polling makes up for missed notices

    def _hear(self, payload: str) -> None:
        code, _, rest = payload.partition(" ")
        version, _, sender = rest.partition(" ")
        if sender == self._name:
            return
        if version.isdecimal() and self._used(code):  # others may use the channel too
            self._store.call(self._noticed, code, int(version))

    async def note_presence(self, code: str, seat: int, here: bool, now: int) -> None:
        """Notify the other servers that a seat's player connected here, or disconnected."""
        mine = {"server": self._name, "code": code, "seat": seat}
        presence = schema.presence

        def note(connection: sa.Connection) -> None:
            connection.execute(sa.delete(presence).filter_by(**mine))
            if here:
                connection.execute(sa.insert(presence), {**mine, "beat": now})
            notify(connection, self._name, [f"{code} {PRESENCE}"])

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
