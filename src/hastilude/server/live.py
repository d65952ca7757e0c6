"""A table in memory, with the people connected to it.

Whatever is to happen is first kept and then applied: `submit` asks the table for the entry, waits
for its commit, applies it and tells everybody. What follows by itself (a match that can begin, a
bot's answer, a clock that runs out) is submitted in the same way.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from hastilude.bots.analyse import Candidate
from hastilude.core.errors import HastiludeError, IllegalAction
from hastilude.core.match import Rehearsal
from hastilude.core.shuffles import MASTER_BYTES, commitment
from hastilude.server import log, outbound
from hastilude.server.metrics import PLAYS
from hastilude.server.settings import Settings
from hastilude.server.store import Append, Store, StoreFailed, TableGone
from hastilude.server.table import SCRIPTED, Refusal, Table
from hastilude.server.thinking import Thinkers, choose, judge
from hastilude.server.time import Time

ALIVE_BEATS = 5  # a server that gave no sign of life for so long has no guests any more
MOMENT = 50  # milliseconds in which nothing happens to a clock that anyone would notice
ALARM_SECONDS = 3600.0  # clocks are looked at so often at least
REPAIR_SECONDS = 5.0  # how long another server may take to do what follows an entry of its own

CHAMPION: Final = "champion"
FRAMES = 32  # kept of one version for viewers who have missed as much

logger = logging.getLogger("hastilude")
Decide = Callable[[Table], log.AnyEntry]


class Guest(Protocol):
    """A connection: who it is, and how to reach it."""

    seat: int | None
    address: str
    told: int  # the version it was told last
    handling: bool  # whether a frame of it is under way

    def poke(self, live: Live) -> None:
        """There is something new; the guest will ask `live.update` when it can be told."""

    def reply(self, frame: bytes) -> None:
        """Tell something beside the updates."""

    def dismiss(self, key: str) -> None:
        """Close the connection, for a reason."""

    async def part(self) -> None:
        """Say that the server goes, and close."""


class Sources:
    """Where secrets come from; tests put in their own."""

    def token(self) -> str:
        return secrets.token_urlsafe(24)

    def code(self) -> str:
        return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))

    def master(self) -> bytes:
        return secrets.token_bytes(MASTER_BYTES)

    def bot_seed(self) -> int:
        return secrets.randbits(63)


CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
CODE_LENGTH = 8


@dataclass(frozen=True)
class Services:
    """What all tables of a server share."""

    store: Store
    time: Time
    settings: Settings
    sources: Sources
    thinkers: Thinkers

    def alive_since(self) -> int:
        """When other servers must have given a sign of life to count as alive."""
        return self.time.now() - int(1000 * ALIVE_BEATS * self.settings.beat_seconds)


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
        self._opener = opener  # the address that opened the table, if this server still knows it
        self._plays = PLAYS.labels(table.opened.game)
        self._masters = masters
        self._services = services
        self._lock = asyncio.Lock()
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and version asked
        self._follow_ups: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._missed: dict[int, int] = {}  # since when a seat's person is not here
        self._elsewhere: set[int] = set()  # whose persons are connected to other servers
        self._overdue: set[int] = set()  # whose stand-in is under way
        self._submitting = 0
        self._resting = False
        self._frames: dict[tuple[int | None, int], bytes] = {}  # of this moment
        self._moment = -1

    # --- changing the table ---------------------------------------------------------------------

    async def submit(self, decide: Decide, master: bytes | None = None) -> int:
        """Keep and apply what `decide` makes of the table; returns its version.

        If another server was faster the table catches up, and decides anew.
        """
        self._submitting += 1
        try:
            async with self._lock:
                version = await self._submit(decide, master)
        finally:
            self._submitting -= 1
        self.tell()
        self.follow_up()
        return version

    async def _submit(self, decide: Decide, master: bytes | None) -> int:
        services = self._services
        while True:
            self.touched = at = services.time.now()
            entry = decide(self.table)
            kept = services.store.append(self._append(entry, at, master))
            try:
                won = await asyncio.shield(kept)
            except asyncio.CancelledError:  # but the entry is under way
                self._soon(self._settle(kept, self.table.version + 1))
                raise
            except TableGone:
                raise Refusal.of("table_unknown", code=self.table.code) from None
            if won:
                self._apply(entry, at, master)
                return self.table.version
            await self._catch_up()

    async def _settle(self, kept: asyncio.Future[bool], version: int) -> None:
        """See to an entry whose submitter is gone."""
        if await kept:
            await self.catch_up(version, 0.0)

    async def catch_up(self, version: int, later: float = REPAIR_SECONDS) -> None:
        """Read what others have kept, if there is such a version."""
        if version <= self.table.version:
            return
        async with self._lock:
            if version > self.table.version:  # still
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
            self._note_missed()
            self.tell()
            self.follow_up(later)

    def _append(self, entry: log.AnyEntry, at: int, master: bytes | None) -> Append:
        table = self.table
        seat = move = None
        if isinstance(entry, log.Played) and entry.id is not None:
            seat = entry.seat
            move = f"{table.number}/{entry.id}"  # a client may count from 1 in every match
        return Append(
            code=table.code,
            version=table.version + 1,
            at=at,
            entry=entry.model_dump_json(),
            seat=seat,
            move=move,
            master=(table.number + 2, master) if master else None,
            listing=self._listing(entry),
        )

    def _listing(self, entry: log.AnyEntry) -> dict[str, object] | None:
        """What the list of tables has to know of this entry. It is written together with it, so
        it is worked out on a table that has not applied it yet."""
        if isinstance(entry, log.Played):
            return {"phase": "over"} if entry.ends else None
        people = len(self.table.people())
        free = sum(seat.kind == "empty" for seat in self.table.seats)
        if isinstance(entry, log.Sat):
            return {"people": people + 1, "free": free - 1}
        if isinstance(entry, log.Left):
            people -= entry.seat in self.table.people()
            return {"people": people, "free": free + (self.table.phase != "playing")}
        if isinstance(entry, log.Started):
            return {"phase": "playing", "free": 0}
        if isinstance(entry, log.Closed):
            return {"phase": "closed"}
        return None

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
            self._note_missed()  # who sat down may never connect
            logger.info("%s", describe(self.table.code, self.table.version, entry))

    def _keep_record(self) -> None:
        """Keep the record of a match that is over; if the server ends before, whoever asks for the
        record makes it."""
        table = self.table
        record = table.record().to_json()
        self._soon(self._services.store.keep_record(table.code, table.number, record))

    async def begin(self, decide: Callable[[Table, str], log.Started]) -> int:
        """Begin a match, with the commitment for the one after it."""
        master = self._services.sources.master()
        return await self.submit(lambda table: decide(table, commitment(master)), master)

    # --- telling --------------------------------------------------------------------------------

    def tell(self) -> None:
        self._moment = -1
        for guest in tuple(self.guests):
            guest.poke(self)

    def update(self, viewer: int | None, since: int) -> bytes:
        """The frame for a viewer who has version `since`; who asks in the same moment shares it."""
        now = self._services.time.now()
        if not self._moment <= now < self._moment + MOMENT:
            self._moment = now
            self._frames.clear()
            self._seats = outbound.seats(self.table, self.here(), now)
        frame = self._frames.get((viewer, since))
        if frame is None:
            frame = outbound.update(self.table, viewer, since, self._seats)
            if len(self._frames) < FRAMES:  # clients may ask for every version there was
                self._frames[viewer, since] = frame
        return frame

    def here(self) -> set[int]:
        """The seats whose people are connected, to this server or another."""
        return {guest.seat for guest in self.guests if guest.seat is not None} | self._elsewhere

    def came_or_went(self) -> None:
        """Somebody connected or was lost: the others see it, and time for the absent begins."""
        self._note_missed()
        self.tell()
        self._ask_bots()
        self._set_alarm()

    def are_elsewhere(self, seats: set[int]) -> None:
        """Take note of whose people are connected to other servers."""
        if seats != self._elsewhere:
            self._elsewhere = seats
            self.came_or_went()

    def _note_missed(self) -> None:
        now = self._services.time.now()
        here = self.here()
        self._missed = {
            seat: self._missed.get(seat, now) for seat in self.table.people() if seat not in here
        }

    # --- what follows by itself -----------------------------------------------------------------

    def follow_up(self, later: float = 0.0) -> None:
        """See to what the table needs now; `later` leaves another server time to do it first."""
        if self._resting:
            return
        table = self.table
        if table.ready:
            self._soon(self._begin(later))
        elif table.phase != "closed" and table.number and not table.people():
            self._soon(self.submit_quietly(lambda t: t.close()))
        self._ask_bots(later)
        self._set_alarm()

    def _ask_bots(self, later: float = 0.0) -> None:
        """Let bots answer for the pending seats of bots and stand-ins. While nobody would see it,
        they wait; and no answer can be kept in a damaged database."""
        if self._resting or self._services.store.damaged:
            return
        if not self._is_followed:
            for task in self._tasks.values():
                task.cancel()
            self._tasks.clear()
            return
        for seat in self.table.pending():
            one = self.table.seats[seat]
            if not one.thinks_itself and (seat, one.asked) not in self._tasks:
                task = asyncio.create_task(self._answer(seat, one.asked, later))
                self._tasks[seat, one.asked] = task
                task.add_done_callback(self._look_after)

    @property
    def attended(self) -> bool:
        """Whether anybody is connected to the table, at this server or another."""
        return bool(self.guests or self._elsewhere)

    @property
    def _is_followed(self) -> bool:
        """Whether somebody is there, or will lose time on a clock."""
        table = self.table
        on_the_clock = table.opened.clock.kind != "none"
        return self.attended or (
            on_the_clock and any(table.seats[seat].thinks_itself for seat in table.people())
        )

    @property
    def address(self) -> str:
        """Whose turn it is that the table's bots take: of who opened it, or else is there."""
        people = (guest.address for guest in self.guests if guest.seat is not None)
        return self._opener or next(people, "")

    @property
    def champions(self) -> int:
        """How many champions play here, or will, as far as they take anybody's time."""
        if self.table.phase != "gathering" and not self.attended:
            return 0
        return sum(seat.level == CHAMPION for seat in self.table.seats)

    async def submit_quietly(self, decide: Decide) -> None:
        """Submit something nobody waits for; if it no longer fits it is not needed."""
        with suppress(HastiludeError):
            await self.submit(decide)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        if self._resting:
            work.close()
            return
        task = asyncio.create_task(work)
        self._follow_ups.add(task)
        task.add_done_callback(self._follow_ups.discard)
        task.add_done_callback(self._look_after)

    def _look_after(self, task: asyncio.Task[None]) -> None:
        """Nobody waits for what follows by itself, so its failure has to be noted here."""
        if task.cancelled() or isinstance(error := task.exception(), StoreFailed):
            return
        if error:
            logger.error("%s what follows failed", self.table.code, exc_info=error)

    async def _begin(self, later: float) -> None:
        await asyncio.sleep(later)

        def decide(table: Table, next_commitment: str) -> log.Started:
            if not table.ready:
                raise Refusal.of("already_started")
            return table.begin(table.stand_in_level, next_commitment)

        with suppress(Refusal):  # somebody left, or another server began
            await self.begin(decide)

    async def _answer(self, seat: int, asked: int, later: float) -> None:
        """Play for a seat that nobody thinks for."""
        try:
            await self._answer_in_time(seat, asked, later)
        finally:
            if self._tasks.get((seat, asked)) is asyncio.current_task():
                del self._tasks[seat, asked]
        self.follow_up(later)  # the seat may be asked again at once

    async def _answer_in_time(self, seat: int, asked: int, later: float) -> None:
        await asyncio.sleep(later)
        if not self._is_asked(seat, asked):
            return
        start = time.monotonic()
        actions = await self._choose(seat)
        settings = self._services.settings
        champion = self.table.seats[seat].level == CHAMPION
        wait = settings.champion_wait_seconds if champion else settings.bot_wait_seconds
        while (left := start + wait - time.monotonic()) > 0:  # a loop's timers may ring early
            await asyncio.sleep(left)

        def decide(table: Table) -> log.Played:
            if not self._is_asked(seat, asked):
                raise Refusal.of("stale", version=table.version)
            return table.play_for(seat, actions)

        await self.submit_quietly(decide)

    def _is_asked(self, seat: int, asked: int) -> bool:
        """Whether a seat that nobody thinks for still owes the answer."""
        one = self.table.seats[seat]
        return not one.thinks_itself and one.asked == asked and seat in self.table.pending()

    async def _choose(self, seat: int) -> list[str]:
        table = self.table
        assert table.match is not None
        scripted = table.scripted(seat)
        if scripted and _is_choice(table.match.rehearse(seat), scripted):
            return scripted
        level = table.seats[seat].level
        if level in (None, SCRIPTED):
            level = table.stand_in_level
        work = partial(
            choose,
            str(level),
            table.game,
            seat,
            table.match.rehearse(seat),
            self._services.sources.bot_seed(),
        )
        return await self._services.thinkers.think(self.address, table.code, work)

    async def hints(self, seat: int, actions: Sequence[str]) -> list[Candidate]:
        table = self.table
        if not table.opened.practice:
            raise Refusal.of("hints_practice_only")
        if table.match is None or seat not in table.pending():
            raise Refusal.of("hints_not_now")
        rehearsal = table.match.rehearse(seat)
        for action in actions:
            rehearsal.play(action)
        if rehearsal.whole:
            raise Refusal.of("hints_whole")
        work = partial(judge, table.game, seat, rehearsal)
        return await self._services.thinkers.think(self.address, table.code, work)

    # --- time -----------------------------------------------------------------------------------

    def next_deadline(self) -> int | None:
        """When the first seat has to be stood in for, if nothing happens before."""
        deadlines = [self._deadline(seat) for seat in self.table.pending()]
        return min((one for one in deadlines if one is not None), default=None)

    def _deadline(self, seat: int) -> int | None:
        table = self.table
        one = table.seats[seat]
        if not one.thinks_itself or seat in self._overdue:
            return None
        now = self._services.time.now()
        left = table.left(seat, now)
        ends = [] if left is None else [now + left]
        away = table.opened.away
        if away is not None and seat in self._missed:
            ends.append(max(self._missed[seat], one.since) + 1000 * away)
        return min(ends, default=None)

    def _set_alarm(self) -> None:
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        deadline = self.next_deadline()
        if deadline is not None and not self._resting:
            wait = max(0.0, (deadline - self._services.time.now()) / 1000)
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(min(wait, ALARM_SECONDS) + 0.01, self._ring)

    def _ring(self) -> None:
        now = self._services.time.now()
        for seat in self.table.pending():
            deadline = self._deadline(seat)
            if deadline is not None and deadline <= now:
                self._overdue.add(seat)
                self._soon(self._stand_in(seat))
        self._set_alarm()

    async def _stand_in(self, seat: int) -> None:
        try:
            if not await self._found_elsewhere(seat):
                await self.submit_quietly(lambda table: table.stand_in(seat))
        finally:
            self._overdue.discard(seat)
            self._set_alarm()

    async def _found_elsewhere(self, seat: int) -> bool:
        """Whether a missed person is connected to another server; the notice may have been lost."""
        store, code = self._services.store, self.table.code
        if not store.shared or seat not in self._missed:
            return False
        found = await store.elsewhere([code], self._services.alive_since())
        self.are_elsewhere(found.get(code, set()))
        return seat in self._elsewhere

    @property
    def busy(self) -> bool:
        """Whether the table cannot leave memory now."""
        return bool(self._tasks or self._follow_ups or self._submitting or self._lock.locked())

    def rest(self) -> None:
        """Leave memory: nothing follows by itself any more."""
        self._resting = True
        if self._alarm:
            self._alarm.cancel()
        for task in (*self._tasks.values(), *self._follow_ups):
            task.cancel()


def _is_choice(rehearsal: Rehearsal, actions: list[str]) -> bool:
    try:
        for action in actions:
            rehearsal.play(action)
    except IllegalAction:
        return False
    return rehearsal.whole


def describe(code: str, version: int, entry: log.AnyEntry) -> str:
    """A line for the server's log: no name, no key, no seed, no card."""
    seat = getattr(entry, "seat", None)
    return f"{code} {version} {entry.kind}" + ("" if seat is None else f" seat={seat}")
