"""The house: all tables of a server, in memory and in the database."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from hastilude.core.record import Record
from hastilude.core.shuffles import commitment
from hastilude.server import log, outbound
from hastilude.server.background import Background
from hastilude.server.errors import Refusal, StoreFailed
from hastilude.server.limits import Champions, Ledger, UnusedTables
from hastilude.server.live import Guest, Live, describe
from hastilude.server.metrics import STORE_UNAVAILABLE, TABLES
from hastilude.server.peers import BUCKETS, PRESENCE, Peers, bucket_of
from hastilude.server.replay import Replayer
from hastilude.server.reviews import Progress, Reviews, Subject
from hastilude.server.services import Services
from hastilude.server.settings import Settings
from hastilude.server.store import Append, Store
from hastilude.server.table import Table
from hastilude.server.thinking import Thinkers
from hastilude.server.time import ServiceTime, Time
from hastilude.server.tokens import CODE, Sources, key_of

SWEEP_SECONDS = 5.0
SEEN_SECONDS = 60.0  # between two notes of where people are connected
POLLED = 500  # tables per query
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
DRAIN_SECONDS = 1.5  # for frames that are being handled when the server stops

logger = logging.getLogger("hastilude")
Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


async def _once(
    running: dict[Key, asyncio.Task[Result]],
    key: Key,
    work: Callable[[], Coroutine[Any, Any, Result]],
) -> Result:
    """Do the same work only once, for everyone who asks for it at the same time."""
    task = running.get(key)
    if task is None:
        task = running[key] = asyncio.create_task(work())
        task.add_done_callback(lambda _: running.pop(key, None))
    return await asyncio.shield(task)


class House:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        time: Time | None = None,
        sources: Sources | None = None,
        ledger: Ledger | None = None,
        buckets: Iterable[int] = range(BUCKETS),
    ) -> None:
        self.settings = settings
        self.store = store
        self.ledger = ledger or Ledger()
        self.time = time or ServiceTime(store, settings.beat_seconds)
        self.sources = sources or Sources()
        self.is_open = False
        self.closing = False
        self._peers = Peers(store, buckets)
        self._services = Services(
            store,
            self._peers,
            self.time,
            settings,
            self.sources,
            Thinkers(settings.bot_threads),
        )
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._making: dict[tuple[str, int], asyncio.Task[str]] = {}  # records
        self._replayer = Replayer(store)
        # One thread at a time leaves enough time for the event loop.
        self._aside = ThreadPoolExecutor(1, "aside")
        self._reviews = Reviews(settings, store, self.ledger.tally("reviews"))
        self._guests: dict[str, set[Guest]] = defaultdict(set)
        self._visited: set[str] = set()  # tables with visitors since the last `note_seen`
        self._background = Background("house")
        self._champions = Champions(self.ledger.tally("champions"))
        self.unused = UnusedTables(self.ledger.tally("unused_tables"))

    async def start(self) -> None:
        """Start. The house does not open if it is stopped before the database answers."""
        self.store.start()
        self.store.on_change = self._store_changed
        if isinstance(self.time, ServiceTime):
            try:
                await self.time.start()
            except StoreFailed:
                return
            self._background.repeat(self.settings.beat_seconds, self._beat)
        self.is_open = True
        self._background.repeat(SEEN_SECONDS, self._tidy)
        self._background.repeat(min(SWEEP_SECONDS, self.settings.warm_seconds), self._sweep)
        if self.store.shared:
            self._peers.listen(self._noticed, self._is_used, self._hears_from_now_on)
            self._background.repeat(self.settings.poll_seconds, self._poll)

    async def drain(self) -> None:
        """Finish the frames that are being handled, start nothing new, and say goodbye."""
        self.closing = True
        self._background.close()
        deadline = asyncio.get_running_loop().time() + DRAIN_SECONDS
        while any(guest.handling for guest in self.everyone()) and not self.store.unavailable:
            if asyncio.get_running_loop().time() > deadline:
                break
            await asyncio.sleep(0.01)
        await asyncio.gather(*(guest.say_goodbye() for guest in self.everyone()))

    async def stop(self) -> None:
        """Finish pending writes, then stop."""
        self.closing = True
        for live in self._live.values():
            live.unload()
        await asyncio.gather(*self._background.cancel(), return_exceptions=True)
        await self._reviews.stop()
        self._services.thinkers.close()
        self._aside.shutdown(wait=False, cancel_futures=True)
        await self.store.stop()

    # --- tables ---------------------------------------------------------------------------------

    async def open(self, entry: dict[str, Any], address: str = "") -> tuple[str, str]:
        """Open a table, given the fields of `log.Opened`; returns its code and the host's key."""
        host, master = self.sources.token(), self.sources.master()
        opened = log.Opened(**entry, host=key_of(host), commitment=commitment(master))
        at = self.time.now()
        while True:
            code = self.sources.code()
            row = {
                "game": opened.game,
                "phase": "gathering",
                "watch": opened.watch,
                "people": 0,
                "free": opened.seats.count(None),
                "opened_at": at,
                "seen_at": at,
                "scripted": opened.script is not None,
            }
            append = Append(code, 1, at, opened.model_dump_json(), opens=row, master=(1, master))
            if await self.store.append(append):
                break
        self.unused.add(code, address, at)
        masters = {1: master}
        table = Table(code, masters.__getitem__)
        table.apply(opened, at)
        self._keep(Live(table, masters, self._guests[code], self._services, address))
        logger.info("%s game=%s", describe(code, 1, opened), opened.game)
        return code, host

    async def live(self, code: str) -> Live:
        """The table with this code, loaded if necessary; Refusal if there is none."""
        live = self._live.get(code)
        if live is not None:
            return live
        if not re.fullmatch(CODE, code):
            raise Refusal.of("table_unknown", code="")
        return await _once(self._loading, code, lambda: self._load(code))

    async def game_at(self, code: str) -> str:
        """The game of a table, which is not loaded for it; Refusal if there is none."""
        live = self._live.get(code)
        if live is not None:
            return live.table.opened.game
        game = await self.store.game_at(code) if re.fullmatch(CODE, code) else None
        if game is None:
            raise Refusal.of("table_unknown", code="")
        return game

    async def _load(self, code: str) -> Live:
        table, masters = await self._replayer.table(code)
        live = Live(table, masters, self._guests[code], self._services)
        self._keep(live)
        live.attendance_changed()
        live.follow_up()
        if self.store.shared:
            self._background.start(self._look_elsewhere([code]))
        return live

    async def open_tables(self) -> Sequence[Any]:
        """The rows of the public list of tables."""
        seen_since = self.time.now() - int(self.settings.listed_minutes * MINUTE)
        return await self.store.open_tables(self.settings.listed, seen_since)

    def check_champions(self, address: str, more: int) -> None:
        """Refuse more champions than an address may have at once."""
        if more:
            self._count_champions()
            playing = self._champions.count(address)
            if playing + more > self.settings.champions_per_address:
                raise Refusal.of("too_many_champions", most=self.settings.champions_per_address)

    def _count_champions(self) -> None:
        self._champions.set(
            (live.attendance.address, live.bots.champions) for live in self._live.values()
        )

    def _keep(self, live: Live) -> None:
        self._live[live.table.code] = live
        self._peers.hear_of(live.table.code)
        TABLES.set(len(self._live))

    # --- finished matches -----------------------------------------------------------------------

    async def record(self, code: str, number: int) -> str:
        """The record of a finished match; Refusal if there is none or it is not over."""
        await self._check_over(code, number)
        kept = await self.store.record(code, number)
        if kept is not None:
            return kept
        return await _once(self._making, (code, number), lambda: self._make_record(code, number))

    async def _check_over(self, code: str, number: int) -> None:
        table = (await self.live(code)).table
        if not 1 <= number <= table.number:
            raise Refusal.of("match_unknown", code=code, number=number)
        if number == table.number and table.phase == "playing":
            raise Refusal.of("match_not_over")

    async def _make_record(self, code: str, number: int) -> str:
        """Make a record that was not stored when the match ended, because the server was killed
        then or was too old to store records."""
        table = (await self.live(code)).table
        if number != table.number:
            table, _ = await self._replayer.table(code, match=number)
        record = table.record().to_json()
        await self.store.keep_record(code, number, record)
        return record

    async def replay_steps(self, code: str, number: int, seat: int | None) -> bytes:
        record = await self.record(code, number)
        return await self.aside(outbound.replay_steps, record, seat)

    async def aside(self, work: Callable[..., Result], *given: Any) -> Result:
        """Do something that takes long, without blocking the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._aside, work, *given)

    async def review(self, subject: Subject) -> Progress:
        """The review of a match, in whatever state it is; Refusal if there can be none."""
        await self._check_over(subject.code, subject.number)
        found = await self._reviews.find(subject)
        if found.state == "none":
            await self._reviewable(subject)
        return found

    async def start_review(self, subject: Subject, address: str) -> Progress:
        """The review of a match, started if necessary; Refusal if that is not possible."""
        found = await self.review(subject)
        if found.state in ("none", "failed"):
            found = self._reviews.start(subject, await self._reviewable(subject), address)
        return found

    async def _reviewable(self, subject: Subject) -> str:
        """The record of a match; Refusal if it was not played to its end."""
        record = await self.record(subject.code, subject.number)
        if Record.from_json(record).winners is None:
            raise Refusal.of("review_unfinished")
        return record

    # --- people ---------------------------------------------------------------------------------

    def arrive(self, guest: Guest, live: Live) -> None:
        self._guests[live.table.code].add(guest)
        self._visited.add(live.table.code)
        if self.store.trouble:
            guest.reply(outbound.notice(self.store.trouble))
        if self._live.get(live.table.code) is live:
            live.attendance_changed()
        else:  # it has left memory since the guest was let in
            self._background.start(self._load_for_guests(live.table.code))
        self._note_presence(guest, live.table.code)

    async def _load_for_guests(self, code: str) -> None:
        with suppress(Refusal):  # the table may have been deleted
            (await self.live(code)).attendance_changed()

    def depart(self, guest: Guest, code: str) -> None:
        guests = self._guests[code]
        guests.discard(guest)
        live = self._live.get(code)
        if live is not None:
            live.attendance_changed()
        elif not guests:
            del self._guests[code]
        self._note_presence(guest, code)

    def watching(self, code: str) -> int:
        return sum(guest.seat is None for guest in self._guests.get(code, ()))

    def everyone(self) -> list[Guest]:
        return [guest for guests in self._guests.values() for guest in guests]

    def _note_presence(self, guest: Guest, code: str) -> None:
        if self.store.shared and guest.seat is not None:
            here = any(other.seat == guest.seat for other in self._guests.get(code, ()))
            noted = self._peers.note_presence(code, guest.seat, here, self.time.now())
            self._background.start(noted)

    def _store_changed(self) -> None:
        trouble = self.store.trouble
        STORE_UNAVAILABLE.set(trouble is not None)
        frame = outbound.notice(trouble or "store_back")
        for guest in self.everyone():
            guest.reply(frame)

    # --- repeated work --------------------------------------------------------------------------

    async def _beat(self) -> None:
        assert isinstance(self.time, ServiceTime)
        await self.time.beat()
        if self.store.shared:
            await self._peers.beat_presence(self.time.now(), self._services.alive_since())

    async def _sweep(self) -> None:
        """Unload idle tables, and delete tables where nobody sat down."""
        self.unload_idle()
        self._count_champions()
        expired = self.time.now() - int(self.settings.empty_minutes * MINUTE)
        self.unused.remove_before(expired)
        for code in await self.store.delete_empty(expired):
            logger.info("%s expired", code)
            self._expire(code)

    async def _tidy(self) -> None:
        """Note which tables have visitors, and delete tables without visitors for a long time."""
        now = self.time.now()
        here = [*self._visited.union(code for code, guests in self._guests.items() if guests)]
        self._visited.clear()
        for first in range(0, len(here), POLLED):
            await self.store.note_seen(here[first : first + POLLED], now)
        unfinished = now - int(self.settings.keep_days * DAY)
        finished = now - int(self.settings.keep_finished_days * DAY)
        while codes := await self.store.delete_old(unfinished, finished):
            for code in codes:
                logger.info("%s deleted", code)
                self._expire(code)

    def _expire(self, code: str) -> None:
        self._forget(code)
        for guest in tuple(self._guests.pop(code, ())):
            guest.dismiss("table_closed")

    def unload_idle(self) -> None:
        idle_since = self.time.now() - int(1000 * self.settings.warm_seconds)
        for code, live in list(self._live.items()):
            deadline = live.alarm.next_deadline()
            soon = deadline is not None and deadline < self.time.now() + 10 * MINUTE
            watched = deadline is not None and self._guests[code]  # guests see the clock run out
            if live.touched < idle_since and not (live.busy or soon or watched):
                self._forget(code)

    def _forget(self, code: str) -> None:
        live = self._live.pop(code, None)
        if live is not None:
            live.unload()
            if not self._guests[code]:
                del self._guests[code]
        TABLES.set(len(self._live))

    # --- other servers --------------------------------------------------------------------------

    def _is_used(self, code: str) -> bool:
        return code in self._live or code in self._loading or bool(self._guests.get(code))

    def _noticed(self, code: str, version: int) -> None:
        if version == PRESENCE:
            if code in self._live:
                self._background.start(self._look_elsewhere([code]))
        elif self._is_used(code) and version > self._known(code):
            self._background.start(self._catch_up(code, version))

    async def _catch_up(self, code: str, version: int) -> None:
        live = self._live.get(code)
        if live and version > live.table.version and not (live.busy or self._guests.get(code)):
            self._forget(code)  # it is played at another server
            return
        with suppress(Refusal):  # the table may have been deleted
            await (await self.live(code)).catch_up(version)

    def _hears_from_now_on(self, buckets: Collection[int]) -> None:
        codes = [code for code in self._used if bucket_of(code) in buckets]
        self._background.start(self._check(codes))

    async def _poll(self) -> None:
        """Make up for lost notices."""
        await self._check([*self._used])

    @property
    def _used(self) -> set[str]:
        """The tables in use here."""
        return {*self._live, *self._guests}

    async def _check(self, codes: Sequence[str]) -> None:
        """Read the versions of tables, and what is missing here."""
        for first in range(0, len(codes), POLLED):
            some = codes[first : first + POLLED]
            kept = await self.store.versions(some)
            for code in some:
                if code not in kept:
                    self._expire(code)  # deleted by another server
                elif self._is_used(code) and kept[code] > self._known(code):
                    await self._catch_up(code, kept[code])
            await self._look_elsewhere([code for code in some if code in self._live])

    def _known(self, code: str) -> int:
        """The newest version of a table that this server has loaded or sent."""
        live = self._live.get(code)
        if live is not None:
            return live.table.version
        return max((guest.sent_version for guest in self._guests.get(code, ())), default=0)

    async def _look_elsewhere(self, codes: Sequence[str]) -> None:
        """Find out whose players are connected to other servers."""
        found = await self._peers.elsewhere(codes, self._services.alive_since())
        for code in codes:
            live = self._live.get(code)
            if live is not None:
                live.set_elsewhere(found.get(code, set()))
