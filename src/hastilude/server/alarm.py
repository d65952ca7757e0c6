"""A table's alarm: a bot stands in for whoever runs out of time or stays away too long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hastilude.server.attendance import Attendance
from hastilude.server.background import Background
from hastilude.server.table import Table
from hastilude.server.time import Time

ALARM_SECONDS = 3600.0  # clocks are looked at so often at least

StandIn = Callable[[int], Awaitable[None]]


class Alarm:
    def __init__(
        self, table: Table, attendance: Attendance, time: Time, background: Background
    ) -> None:
        self.overdue: set[int] = set()  # seats whose stand-in is under way
        self._table = table
        self._attendance = attendance
        self._time = time
        self._background = background
        self._timer: asyncio.TimerHandle | None = None

    def next_deadline(self) -> int | None:
        """When the first seat has to be stood in for, if nothing happens before."""
        deadlines = [self._deadline(seat) for seat in self._table.pending()]
        return min((one for one in deadlines if one is not None), default=None)

    def set(self, stand_in: StandIn) -> None:
        """Ring at the next deadline, as it is now: `stand_in` lets a bot play for a seat, unless
        its person turns out to be there."""
        self.cancel()
        deadline = self.next_deadline()
        if deadline is not None and not self._background.closed:
            wait = max(0.0, (deadline - self._time.now()) / 1000)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(wait, ALARM_SECONDS) + 0.01, self._ring, stand_in)

    def cancel(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _deadline(self, seat: int) -> int | None:
        table = self._table
        one = table.seats[seat]
        if not one.thinks_itself or seat in self.overdue:
            return None
        now = self._time.now()
        left = table.left(seat, now)
        ends = [] if left is None else [now + left]
        away, missed = table.opened.away, self._attendance.missed
        if away is not None and seat in missed:
            ends.append(max(missed[seat], one.since) + 1000 * away)
        return min(ends, default=None)

    def _ring(self, stand_in: StandIn) -> None:
        now = self._time.now()
        for seat in self._table.pending():
            deadline = self._deadline(seat)
            if deadline is not None and deadline <= now:
                self.overdue.add(seat)
                self._background.start(self._see_to(seat, stand_in))
        self.set(stand_in)

    async def _see_to(self, seat: int, stand_in: StandIn) -> None:
        try:
            await stand_in(seat)
        finally:
            self.overdue.discard(seat)
            self.set(stand_in)
