"""The time that clocks go by: it stands still while no server runs or the database is
unavailable."""

import time
from functools import partial
from typing import Protocol

import sqlalchemy as sa

from hastilude.server import schema
from hastilude.server.store import Store

GAP_BEATS = 1.5  # so long after its last beat time stands still


class Time(Protocol):
    def now(self) -> int:
        """Milliseconds."""


class ServiceTime:
    """Wall time less all the time in which no server was there.

    Every server writes a sign of life about once a second. While it cannot, its time stands still;
    whoever writes the first one after a gap adds that to the outage, for all servers, and time goes
    on where it stood. A server that shares its database with none knows that nobody served before
    it started: time goes on from the last sign of life.

    Servers that share a database take the wall time from it, with every sign of life, so that their
    own clocks need not agree.
    """

    def __init__(self, store: Store, beat_seconds: float) -> None:
        self._store = store
        self._gap = int(1000 * GAP_BEATS * beat_seconds)
        self._outage = 0
        self._started = time.time() - time.monotonic()  # steps of the system's clock do not matter
        self._beaten = _wall(self._started)
        self._told = 0

    def now(self) -> int:
        now = min(_wall(self._started), self._beaten + self._gap) - self._outage
        self._told = max(self._told, now)  # a slow answer of the database must not turn it back
        return self._told

    async def start(self) -> None:
        alone = not self._store.shared
        beat = partial(self._beat, resuming=alone)
        self._started, self._beaten, self._outage = await self._store.write(beat)

    async def beat(self) -> None:
        self._started, self._beaten, self._outage = await self._store.write(self._beat)

    def _beat(self, connection: sa.Connection, resuming: bool = False) -> tuple[float, int, int]:
        service = schema.service
        first = {"id": 1, "beat": _wall(self._started), "outage": 0}
        connection.execute(self._store.insert(service).on_conflict_do_nothing(), first)
        last = connection.execute(sa.select(service).with_for_update()).one()
        # Only now: another server may have held the row for a while.
        started = _database_started(connection) if self._store.shared else self._started
        now = _wall(started)
        gap = now - last.beat
        stepped_back = gap < -self._gap  # the database's clock was set
        outage = last.outage + (gap if resuming or stepped_back else max(0, gap - self._gap))
        beat = now if resuming or stepped_back else max(now, last.beat)
        connection.execute(sa.update(service).values(beat=beat, outage=outage))
        return started, now, int(outage)


def _wall(started: float) -> int:
    return int(1000 * (started + time.monotonic()))


def _database_started(connection: sa.Connection) -> float:
    """The database's time when this machine's monotonic clock began."""
    asked = time.monotonic()
    now = connection.execute(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))).scalar_one()
    return float(now) - (asked + time.monotonic()) / 2
