"""A table's alarm: it lets a bot take over from a person who is out of time or absent too long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hastilude.server.attendance import Attendance
from hastilude.server.background import Background
from hastilude.server.table import Table
from hastilude.server.time import Time

ALARM_SECONDS = 3600.0  # clocks are checked at least this often

StandIn = Callable[[int], Awaitable[None]]


class Alarm:
    def __init__(
        self, table: Table, attendance: Attendance, time: Time, background: Background
    ) -> None:
        self.overdue: set[int] = set()  # seats that a bot is just taking over
        self._table = table
        self._attendance = attendance
        self._time = time
        self._background = background
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = 0

    def next_deadline(self) -> int | None:
        """When a bot must take over the first seat, unless something happens before."""
        opened = self._table.opened
        if opened.clock.kind == "none" and (opened.away is None or not self._attendance.missed):
            return None
        deadlines = [self._deadline(seat) for seat in self._table.pending()]
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def takeovers(self) -> dict[int, int]:
        """The milliseconds until a bot takes over from absent people, by seat."""
        missed = self._attendance.missed
        if not missed:
            return {}
        now = self._time.now()
        ends = {
            seat: self._end_of_absence(seat) for seat in missed if seat in self._table.pending()
        }
        return {
            seat: max(0, end - now)
            for seat, end in ends.items()
            if end is not None and self._table.seats[seat].thinks_itself
        }

    def set(self, stand_in: StandIn) -> None:
        """Call `stand_in` at the next deadline. It lets a bot play for a seat, unless the person
        turns out to be there. A timer that rings earlier stays: it looks again then."""
        deadline = self.next_deadline()
        if self._timer and deadline is not None and self._rings_at <= deadline:
            return
        self.cancel()
        if deadline is not None and not self._background.closed:
            self._rings_at = deadline
            wait = max(0.0, (deadline - self._time.now()) / 1000)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(wait, ALARM_SECONDS) + 0.01, self._ring, stand_in)

    def cancel(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _deadline(self, seat: int) -> int | None:
        table = self._table
        state = table.seats[seat]
        if not state.thinks_itself or seat in self.overdue:
            return None
        now = self._time.now()
        left = table.left(seat, now)
        ends = [] if left is None else [now + left]
        absent = self._end_of_absence(seat)
        if absent is not None:
            ends.append(absent)
        return min(ends, default=None)

    def _end_of_absence(self, seat: int) -> int | None:
        """When a bot takes over from a person who is not connected."""
        away, missed = self._table.opened.away, self._attendance.missed
        if away is None or seat not in missed:
            return None
        state = self._table.seats[seat]
        return max(missed[seat], state.since, state.extended) + 1000 * away

    def _ring(self, stand_in: StandIn) -> None:
        self._timer = None
        now = self._time.now()
        for seat in self._table.pending():
            deadline = self._deadline(seat)
            if deadline is not None and deadline <= now:
                self.overdue.add(seat)
                self._background.start(self._run_stand_in(seat, stand_in))
        self.set(stand_in)

    async def _run_stand_in(self, seat: int, stand_in: StandIn) -> None:
        try:
            await stand_in(seat)
        finally:
            self.overdue.discard(seat)
            self.set(stand_in)
