"""Service time, which clocks use: it stops while no server runs or the database is unavailable."""

import time
from functools import partial
from typing import Protocol

import sqlalchemy as sa

from hastilude.server import schema
from hastilude.server.store import Store

GAP_BEATS = 1.5  # time stops this many intervals after the last heartbeat


class Time(Protocol):
    def now(self) -> int:
        """Milliseconds."""


class ServiceTime:
    """Wall time minus the total time without a running server.

    Every server writes a heartbeat about once per second. While it cannot, its time stops. The
    first heartbeat after a gap adds the gap to the outage, for all servers, and time continues
    where it stopped. A server with its own database knows that no server ran before it started, so
    time continues from the last heartbeat.

    Servers that share a database take the wall time from it with every heartbeat, so that their own
    clocks need not agree.
    """

    def __init__(self, store: Store, beat_seconds: float) -> None:
        self._store = store
        self._gap = int(1000 * GAP_BEATS * beat_seconds)
        self._outage = 0
        self._started = time.time() - time.monotonic()  # unaffected when the system's clock is set
        self._beaten = _wall(self._started)
        self._last = 0

    def now(self) -> int:
        now = min(_wall(self._started), self._beaten + self._gap) - self._outage
        self._last = max(self._last, now)  # a slow answer of the database must not turn time back
        return self._last

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
        # Not before the select: another server may have locked the row for a while.
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
    """The database's time at the zero of this machine's monotonic clock."""
    asked = time.monotonic()
    now = connection.execute(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))).scalar_one()
    return float(now) - (asked + time.monotonic()) / 2
