"""A table in memory, with the people connected to it.

Every change is stored before it is applied: `submit` asks the table for the entry, waits for its
commit, applies it and notifies the guests. Automatic changes (a match that can begin, a bot's
answer, a clock that runs out) are submitted in the same way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from hastilude.core.errors import HastiludeError
from hastilude.core.shuffles import commitment
from hastilude.server import log, outbound
from hastilude.server.alarm import Alarm
from hastilude.server.attendance import Attendance, Place, Visitor
from hastilude.server.background import Background
from hastilude.server.bot_seats import BotSeats
from hastilude.server.errors import Refusal, TableGone
from hastilude.server.metrics import PLAYS
from hastilude.server.services import Services
from hastilude.server.store import Append
from hastilude.server.table import Table
from hastilude.server.tokens import key_of

MOMENT = 50  # milliseconds for which an update may be reused; nobody notices that on a clock
REPAIR_SECONDS = 5.0  # time for another server to do what follows from its own entry
# What an entry changes in the public list, if that depends on nothing else.
LISTINGS: dict[type[log.AnyEntry], dict[str, object]] = {
    log.Started: {"phase": "playing", "free": 0},
    log.Ended: {"phase": "over"},
    log.Closed: {"phase": "closed"},
}
FRAMES = 32  # cached updates of one version

logger = logging.getLogger("hastilude")
Decide = Callable[[Table], log.AnyEntry]


class Guest(Visitor, Protocol):
    """A connection to the table."""

    sent_version: int  # the version of the last update sent to it
    closing: str | None  # why the connection ends
    handling: bool  # whether one of its frames is being handled

    def poke(self, live: Live) -> None:
        """Say that something is new; the guest calls `live.update` when it can send again."""

    def reply(self, frame: bytes) -> None:
        """Send a frame other than an update."""

    def dismiss(self, key: str) -> None:
        """Close the connection, for a reason."""

    async def say_goodbye(self) -> None:
        """Say that the server stops, and close."""


class Live:
    def __init__(
        self,
        table: Table,
        masters: dict[int, bytes],
        guests: Collection[Guest],
        services: Services,
        opener: str = "",
    ) -> None:
        self.table = table
        self.guests = guests
        self.touched = services.time.now()
        self._plays = PLAYS.labels(table.opened.game)
        self._masters = masters
        self._services = services
        self._lock = asyncio.Lock()
        self._background = Background(table.code)
        self.attendance = Attendance(table, guests, services.time, opener)
        self.bots = BotSeats(table, self.attendance, services, self._background)
        self.alarm = Alarm(table, self.attendance, services.time, self._background)
        self._submitting = 0
        self._seating = False  # whether those who wait are being given seats
        self._noting: dict[int, asyncio.TimerHandle] = {}  # seats whose absence is soon noted
        self._before: dict[int, tuple[tuple[int, int], Any]] = {}  # views, see `missed`
        self._frames: dict[tuple[int | None, int], bytes] = {}  # updates, for one MOMENT
        self._common = b""
        self._moment = -1

    # --- changing the table ---------------------------------------------------------------------

    async def submit(self, decide: Decide, master: bytes | None = None) -> int:
        """Store and apply the entry that `decide` makes for the table; returns its version.

        If another server was faster, the table catches up and `decide` is called again.
        """
        self._submitting += 1
        try:
            async with self._lock:
                version = await self._submit(decide, master)
        finally:
            self._submitting -= 1
        self.notify()
        self.follow_up()
        return version

    async def _submit(self, decide: Decide, master: bytes | None) -> int:
        services = self._services
        while True:
            self.touched = at = services.time.now()
            entry = decide(self.table)
            try:
                won = await services.store.append(self._append(entry, at, master))
            except asyncio.CancelledError:  # the entry may still be stored
                self._background.start(self._look_later(self.table.version + 1))
                raise
            except TableGone:
                raise Refusal.of("table_unknown", code=self.table.code) from None
            if won:
                self._apply(entry, at, master)
                return self.table.version
            await self._catch_up()

    async def _look_later(self, version: int) -> None:
        """Apply an entry whose submitter was cancelled, if it is stored."""
        await self._services.store.settled()
        await self.catch_up(version, 0.0)

    async def catch_up(self, version: int, later: float = REPAIR_SECONDS) -> None:
        """Read the entries that others stored, up to at least `version`."""
        if version <= self.table.version:
            return
        async with self._lock:
            if version > self.table.version:  # it may have caught up meanwhile
                await self._catch_up(later)

    async def _catch_up(self, later: float = REPAIR_SECONDS) -> None:
        store, code = self._services.store, self.table.code
        rows = await store.entries(code, after=self.table.version)
        if any('"started"' in row.entry for row in rows):
            self._masters.update(await store.masters(code))
        for row in rows:
            self.table.apply(log.entries.validate_json(row.entry), row.at)
        if rows:
            self.touched = self._services.time.now()
            self.attendance.note_missed()
            self.notify()
            self.follow_up(later)

    def _append(self, entry: log.AnyEntry, at: int, master: bytes | None) -> Append:
        table = self.table
        return Append(
            code=table.code,
            version=table.version + 1,
            at=at,
            entry=entry.model_dump_json(),
            master=(table.number + 2, master) if master else None,
            listing=self._listing(entry),
        )

    def _listing(self, entry: log.AnyEntry) -> dict[str, object] | None:
        """The change to the table's row in the public list. It is written together with the entry,
        so it is computed before the entry is applied."""
        if isinstance(entry, log.Played):
            return {"phase": "over"} if entry.ends else None
        people = len(self.table.people())
        free = sum(seat.kind == "empty" for seat in self.table.seats)
        if isinstance(entry, log.Sat):
            free -= self.table.seats[entry.seat].kind == "empty"
            return {"people": people + 1, "free": free}
        if isinstance(entry, log.Left):
            people -= entry.seat in self.table.people()
            return {"people": people, "free": free + (self.table.phase != "playing")}
        return LISTINGS.get(type(entry))

    def _apply(self, entry: log.AnyEntry, at: int, master: bytes | None) -> None:
        if master:
            self._masters[self.table.number + 2] = master
        was_playing = self.table.phase == "playing"
        self.table.apply(entry, at)
        if was_playing and self.table.phase != "playing":
            self._keep_record()
        if isinstance(entry, log.Played):
            self._plays.inc()
        else:
            self.attendance.note_missed()  # somebody who sat down may never connect
            logger.info("%s", describe(self.table.code, self.table.version, entry))

    def _keep_record(self) -> None:
        """Store the record of a finished match, in the background. If the server ends before, the
        record is made when somebody asks for it."""
        table = self.table
        record = table.record().to_json()
        self._background.start(self._services.store.keep_record(table.code, table.number, record))

    async def begin(self, decide: Callable[[Table, str], log.Started]) -> int:
        """Begin a match, with the commitment for the next one."""
        master = self._services.sources.master()
        return await self.submit(lambda table: decide(table, commitment(master)), master)

    # --- notifying ------------------------------------------------------------------------------

    def notify(self) -> None:
        self._moment = -1
        for guest in tuple(self.guests):
            guest.poke(self)

    def update(self, viewer: int | None, since: int) -> bytes:
        """The update for a viewer who has version `since`, cached for a moment."""
        now = self._services.time.now()
        if not self._moment <= now < self._moment + MOMENT:
            self._moment = now
            self._frames.clear()
            self._common = outbound.common(
                self.table,
                self.attendance.here(),
                self.alarm.takeovers(),
                [place.name for place in self.attendance.queue()],
                now,
            )
        frame = self._frames.get((viewer, since))
        if frame is None:
            frame = outbound.update(self.table, viewer, since, self._common)
            if len(self._frames) < FRAMES:  # clients may ask for any version
                self._frames[viewer, since] = frame
        return frame

    def attendance_changed(self) -> None:
        """Somebody connected or disconnected: notify the others, and start or stop timers."""
        self.attendance.note_missed()
        self._note_absences()
        self.notify()
        self.bots.ask(self)
        self.alarm.set(self._stand_in)
        if not self.guests:
            self._frames.clear()  # a quarter of what a new table keeps in memory
            self._common = b""

    def missed(self, id: str, seat: int) -> bytes:
        """What a stand-in played for a seat. The view before it is made once."""
        table, state = self.table, self.table.seats[seat]
        if not state.missed or table.match is None:
            raise Refusal.of("nothing_missed")
        moment = table.number, state.missed_from
        if seat not in self._before or self._before[seat][0] != moment:
            self._before[seat] = moment, table.match.view_after(state.missed_from, seat)
        return outbound.missed(id, state.missed, self._before[seat][1])

    def set_elsewhere(self, seats: set[int]) -> None:
        """Note which seats' people are connected to other servers."""
        if seats != self.attendance.elsewhere:
            self.attendance.elsewhere = seats
            self.attendance_changed()

    # --- automatic changes ----------------------------------------------------------------------

    def follow_up(self, later: float = 0.0) -> None:
        """Start what the table needs now; `later` gives another server time to do it first."""
        if self._background.closed:
            return
        table = self.table
        if self.attendance.missed:
            self._note_absences()
        if self._seating or self._next_in_queue():
            self._background.start(self._seat_queue())
        elif table.ready:
            self._background.start(self._begin(later))
        elif table.phase != "closed" and table.number and not table.people():
            self._background.start(self.submit_quietly(lambda t: t.close()))
        self.bots.ask(self, later)
        self.alarm.set(self._stand_in)

    async def submit_quietly(self, decide: Decide) -> None:
        """Submit something that nobody waits for; ignore a refusal, because then it is obsolete."""
        with suppress(HastiludeError):
            await self.submit(decide)

    async def _begin(self, later: float) -> None:
        await asyncio.sleep(later)

        def decide(table: Table, next_commitment: str) -> log.Started:
            if not table.ready:
                raise Refusal.of("already_started")
            return table.begin(table.stand_in_level, next_commitment)

        with suppress(Refusal):  # somebody left, or another server began
            await self.begin(decide)

    def join_queue(self, name: str) -> None:
        """Refuse a place in the queue that is not needed, not free, or under somebody's name."""
        places = self.attendance.queue()
        if self.table.phase == "closed":
            raise Refusal.of("table_closed")
        if self.table.is_scripted:
            raise Refusal.of("script_taken")
        if self.table.open_seats():
            raise Refusal.of("queue_seat_open")
        if len(places) >= self._services.settings.queue:
            raise Refusal.of("queue_full")
        self.table.check_name(name)
        if name in (place.name for place in places):
            raise Refusal.of("name_taken", name=name)

    def _next_in_queue(self) -> Place | None:
        """Who gets a seat now."""
        if self.table.phase not in ("gathering", "over") or not self.table.open_seats():
            return None
        return next(iter(self.attendance.queue()), None)

    async def _seat_queue(self) -> None:
        """Give open seats to those who wait for one, and let them agree to the next match."""
        if self._seating:
            return
        self._seating = True
        try:
            while place := self._next_in_queue():
                guest = next(guest for guest in self.guests if guest.queued is place)
                await self._seat(guest, place)
        finally:
            self._seating = False
        self.follow_up()

    async def _seat(self, guest: Guest, place: Place) -> None:
        token = self._services.sources.token()
        key = key_of(token)
        try:
            await self.submit(lambda table: table.sit(None, place.name, key, place.seed, None))
        except Refusal as refusal:
            if self.table.open_seats():  # otherwise somebody was faster, and the guest waits on
                guest.queued = None
                guest.reply(outbound.refused(refusal.message, self.table.version))
            return
        guest.queued = None
        seat = self.table.seat_of(key)
        if seat is None:  # the host has already removed the newcomer
            return
        if guest.closing is not None:  # nobody else knows the token
            await self.submit_quietly(lambda table: table.leave(seat))
            return
        guest.reply(outbound.seated(seat, token))
        await self.submit_quietly(lambda table: table.want_rematch(seat, place.seed))

    def _note_absences(self) -> None:
        """Let the log say who is offline for a while, and who is back."""
        table, missed = self.table, self.attendance.missed
        if table.phase != "playing" or len(table.people()) == 1:
            return
        for seat, state in enumerate(table.seats):
            if state.offline and seat not in missed:
                self._background.start(self.submit_quietly(partial(Table.note_back, seat=seat)))
        wait, loop = self._services.settings.offline_seconds, asyncio.get_running_loop()
        for seat in missed.keys() - self._noting.keys():
            if table.seats[seat].thinks_itself and not table.seats[seat].offline:
                self._noting[seat] = loop.call_later(wait, self._note_offline, seat)

    def _note_offline(self, seat: int) -> None:
        del self._noting[seat]
        if seat in self.attendance.missed and self.attendance.anybody:  # to be told
            self._background.start(self.submit_quietly(partial(Table.note_offline, seat=seat)))

    async def _stand_in(self, seat: int) -> None:
        if not await self.found_elsewhere(seat):
            await self.submit_quietly(lambda table: table.stand_in(seat))

    async def found_elsewhere(self, seat: int) -> bool:
        """Whether a missing person is connected to another server; a notice may have been lost."""
        services, code = self._services, self.table.code
        if not services.store.shared or seat not in self.attendance.missed:
            return False
        found = await services.peers.elsewhere([code], services.alive_since())
        self.set_elsewhere(found.get(code, set()))
        return seat in self.attendance.elsewhere

    @property
    def busy(self) -> bool:
        """Whether the table cannot be unloaded now."""
        return bool(self._background or self._submitting or self._lock.locked())

    def unload(self) -> None:
        """Stop all automatic changes, because the table leaves memory."""
        self._background.cancel()
        self.alarm.cancel()
        for timer in self._noting.values():
            timer.cancel()


def describe(code: str, version: int, entry: log.AnyEntry) -> str:
    """A line for the server's log, without names, keys, seeds or cards."""
    seat = getattr(entry, "seat", None)
    return f"{code} {version} {entry.kind}" + ("" if seat is None else f" seat={seat}")
