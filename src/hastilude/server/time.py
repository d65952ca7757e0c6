"""The time that clocks go by: it stands still while no server runs or the database is away."""

import time
from functools import partial
from typing import Protocol

import sqlalchemy as sa

from hastilude.server import schema
from hastilude.server.store import Store

GAP_BEATS = 2.5  # so many beats missed, and the service was away


class Time(Protocol):
    def now(self) -> int:
        """Milliseconds."""


class ServiceTime:
    """Wall time less all the time in which no server was there.

    Every server writes a sign of life about once a second. Whoever finds the last one too old adds
    the gap to the outage, for all servers. A server that shares its database with none knows that
    nobody served before it started: time goes on from the last sign of life.
    """

    def __init__(self, store: Store, beat_seconds: float) -> None:
        self._store = store
        self._gap = int(1000 * GAP_BEATS * beat_seconds)
        self._outage = 0
        self._started = time.time() - time.monotonic()  # steps of the system's clock do not matter

    def now(self) -> int:
        return self._wall() - self._outage

    async def start(self) -> None:
        alone = not self._store.shared
        self._outage = await self._store.write(partial(self._beat, resuming=alone))

    async def beat(self) -> None:
        self._outage = await self._store.write(self._beat)

    def _wall(self) -> int:
        return int(1000 * (self._started + time.monotonic()))

    def _beat(self, connection: sa.Connection, resuming: bool = False) -> int:
        service = schema.service
        last = connection.execute(sa.select(service).with_for_update()).one_or_none()
        now = self._wall()
        if last is None:
            connection.execute(sa.insert(service), {"id": 1, "beat": now, "outage": 0})
            return 0
        gap = now - last.beat
        away = resuming or gap > self._gap
        outage = last.outage + (gap if away else 0)
        beat = now if away else max(now, last.beat)
        connection.execute(sa.update(service).values(beat=beat, outage=outage))
        return int(outage)
