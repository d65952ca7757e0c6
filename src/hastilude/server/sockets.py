"""WebSockets: one `Guest` per connection.

Updates are not queued. A guest remembers the last version that was sent. When the client can
receive again, it gets everything since then in one frame. So a slow client costs nothing and delays
nobody. Answers to its own frames are queued, up to a limit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from itertools import count
from typing import Any

from pydantic import ValidationError

from hastilude import protocol
from hastilude.core.errors import HastiludeError
from hastilude.core.names import clean_name
from hastilude.messages import Message
from hastilude.server import outbound
from hastilude.server.attendance import Place
from hastilude.server.bot_seats import CHAMPION
from hastilude.server.errors import AlreadyPlayed, Refusal, StoreFailed
from hastilude.server.house import House
from hastilude.server.limits import Bucket, Rates
from hastilude.server.live import Live
from hastilude.server.log import AnyEntry, Started
from hastilude.server.metrics import CLOSED, COMMIT, REFUSED, SOCKETS
from hastilude.server.reasons import CLOSE_CODES
from hastilude.server.table import Table
from hastilude.server.tokens import key_of
from hastilude.server.wire import Wire, do_nothing

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

WATCHERS_FRAMES = (protocol.Since, protocol.Queue, protocol.Ping)
PLACES = count(1)  # in the queues of all tables
CLOSE_SECONDS = 1.0  # to send the last frames before closing

logger = logging.getLogger("hastilude")


class Disconnected(Exception):
    """The connection has ended; if there is a key, we close it for that reason."""

    def __init__(self, key: str | None = None) -> None:
        self.key = key


class Guest:
    __slots__ = (
        "_bad",
        "_bucket",
        "_due",
        "_hinting",
        "_house",
        "_live",
        "_rates",
        "_receive",
        "_replies",
        "_send",
        "_wire",
        "address",
        "closing",
        "code",
        "handling",
        "key",
        "queued",
        "seat",
        "sent_version",
    )

    def __init__(
        self,
        house: House,
        rates: Rates,
        code: str,
        address: str,
        wire: Wire,
        receive: Receive,
        send: Send,
    ) -> None:
        self.code = code
        self.address = address
        self.seat: int | None = None
        self.key: str | None = None  # the hash of the token that opened the seat
        self.queued: Place | None = None
        self.sent_version = 0
        self.closing: str | None = None
        self.handling = False  # whether one of its frames is being handled
        self._house = house
        self._rates = rates
        self._wire = wire
        self._receive = receive
        self._send = send
        self._bucket = Bucket(house.settings.frame_rate, time.monotonic())
        self._bad = 0
        self._live: Live | None = None  # the table, if there is something new to send
        self._replies: deque[bytes] = deque()
        self._due = False  # whether a write is already scheduled
        self._hinting: asyncio.Task[None] | None = None  # a hint that is being thought about
        wire.on_writable = self._flush

    # --- the life of a connection ---------------------------------------------------------------

    async def run(self) -> None:
        SOCKETS.inc()
        arrived = False
        try:
            live = await self._greet()
            arrived = True
            self._house.arrive(self, live)
            del live  # so that the table can leave memory while its guests stay connected
            while True:
                frame = await self._next()
                self.handling = True
                await self._handle(frame)
                self.handling = False
                if self._replies and not self._wire.queue.empty():
                    await asyncio.sleep(0)  # write before the next frame is handled
        except Disconnected as gone:
            await self._close(gone.key)
        except (Refusal, StoreFailed) as refusal:
            await self._refuse_entry(refusal)
        except Exception:
            logger.exception("%s a connection failed", self.code)
            await self._close("failed")
        finally:
            SOCKETS.dec()
            if self._hinting:
                self._hinting.cancel()
            self.closing = self.closing or "gone"
            self.handling = False
            if arrived:
                self._house.depart(self, self.code)
            # No cycle: the connection and the table leave memory with the guest.
            self._live, self._wire.on_writable = None, do_nothing

    async def _greet(self) -> Live:
        """Handle the first frame, which identifies the client."""
        try:
            async with asyncio.timeout(self._house.settings.hello_seconds):
                hello = await self._next()
        except TimeoutError:
            raise Disconnected("hello_late") from None
        if not isinstance(hello, protocol.Hello):
            raise Disconnected("hello_first")
        with self._rates.guesses.guess(self.address):
            live = await self._house.live(self.code)
        table = live.table
        await self._see(live, hello.since or 0)
        if hello.token is None:
            if table.opened.watch == "nobody":
                raise Refusal.of("watch_refused")
            if self._house.watching(self.code) >= self._house.settings.watchers:
                raise Disconnected("too_many")
        else:
            self.key = key_of(hello.token)
            if table.seat_of(self.key) is None:
                await self._see(live, table.version + 1)
            with self._rates.guesses.guess(self.address):
                self.seat = table.seat_of(self.key)
                if self.seat is None:
                    raise Refusal.of("token_unknown")
        since = table.version if hello.since is None else hello.since
        self.sent_version = min(since, table.version)
        self.reply(outbound.welcome(table, self.seat))
        if self.seat is not None and table.seats[self.seat].stand_in:
            await live.submit_quietly(lambda t: t.give_back(self.seat or 0))
        return live

    async def _next(self) -> Any:
        """The next valid frame."""
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                raise Disconnected
            if self.closing:
                raise Disconnected(self.closing)
            if self._house.closing:
                continue  # the server stops: neither store nor acknowledge it
            self._count()
            text = message.get("text")
            try:
                return protocol.client_frames.validate_json(text or b"")
            except ValidationError:
                self._bad += 1
                if self._bad > self._house.settings.bad_frames:
                    raise Disconnected("bad_frame") from None
                self._refuse(Message("bad_frame"))

    def _count(self) -> None:
        settings = self._house.settings
        mine = self._bucket.take(settings.frame_rate, time.monotonic())
        seat = self.seat is None or self._rates.seats.take((self.code, self.seat))
        if not (mine and seat and self._rates.addresses.take(self.address)):
            raise Disconnected("too_many")

    async def _refuse_entry(self, refusal: HastiludeError) -> None:
        self._refuse(refusal.message)
        await self._close(refusal.message.key)

    async def _close(self, key: str | None) -> None:
        dismissed, self.closing = self.closing is not None, key or "gone"
        if key is None:
            return
        if not dismissed and key in ("too_many", "bad_frame", "too_slow", "hello_late"):
            CLOSED.labels(key).inc()
        close = {"type": "websocket.close", "code": CLOSE_CODES.get(key, 4400), "reason": key}
        with suppress(Exception):  # it may be closed already
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._wire.writable.wait()
                with suppress(Disconnected):
                    self._write_all()
                await self._send(close)

    def dismiss(self, key: str) -> None:
        """Close the connection, after sending what is queued."""
        if self.closing is None:
            asyncio.get_running_loop().create_task(self._close(key))

    async def say_goodbye(self) -> None:
        """Say that the server stops, and close."""
        if self.closing is None:
            self.reply(outbound.notice("closing"))
            await self._close("closing")

    # --- writing --------------------------------------------------------------------------------

    def poke(self, live: Live) -> None:
        self._live = live
        self._flush()

    def reply(self, frame: bytes) -> None:
        if len(self._replies) >= self._house.settings.replies:
            self._replies.clear()
            self.dismiss("too_slow")
            return
        self._replies.append(frame)
        self._flush()

    def _flush(self) -> None:
        """Schedule a write, together with everything else in this turn of the event loop."""
        if not self._due and self.closing is None:
            self._due = True
            asyncio.get_running_loop().call_soon(self._write)

    def _write(self) -> None:
        self._due = False
        if self.closing is not None or self._wire.full:
            return
        try:
            self._write_all()
        except Disconnected as gone:
            self.dismiss(gone.key or "gone")
        except ConnectionError:  # the reader notices it too
            self.closing = "gone"
        except Exception:
            logger.exception("%s an update failed", self.code)
            self.dismiss("failed")

    def _write_all(self) -> None:
        frames = [*self._replies]
        self._replies.clear()
        try:
            if self._live:
                frames.append(self._news())
        finally:
            if frames:
                self._wire.write(frames)

    def _news(self) -> bytes:
        live, self._live = self._live, None
        assert live is not None
        self._check_seat(live.table)
        frame = live.update(self.seat, self.sent_version)
        self.sent_version = live.table.version
        return frame

    def _check_seat(self, table: Table) -> None:
        """Disconnect if the seat was given up or lost; another person may have it by now."""
        if self.seat is not None and table.seats[self.seat].key != self.key:
            raise Disconnected("seat_lost")

    # --- reading --------------------------------------------------------------------------------

    async def _handle(self, frame: Any) -> None:
        live = await self._house.live(self.code)
        self._check_seat(live.table)
        id: str | None = getattr(frame, "id", None)
        if self.seat is None and not isinstance(frame, WATCHERS_FRAMES):
            self._refuse(Message("spectator"), live.table.version, id)
            return
        try:
            await getattr(self, f"_on_{frame.type}")(frame, live)
        except AlreadyPlayed as again:
            self.reply(outbound.done(frame.id, again.version))
        except HastiludeError as error:  # not in the metrics: what a seat tried is private
            self.reply(outbound.refused(error.message, live.table.version, id))

    async def _see(self, live: Live, version: int) -> None:
        """Catch up: a guest may know a version from another server that this one has not read."""
        if self._house.store.shared:
            await live.catch_up(version)

    def _refuse(self, reason: Message, version: int = 0, id: str | None = None) -> None:
        REFUSED.labels(reason.key).inc()
        self.reply(outbound.refused(reason, version, id))

    async def _submit(self, live: Live, decide: Callable[[Table], AnyEntry]) -> int:
        """Submit, but check the seat again under the lock: it may be lost by then."""

        def still(table: Table) -> AnyEntry:
            self._check_seat(table)
            return decide(table)

        return await live.submit(still)

    @property
    def _mine(self) -> int:
        assert self.seat is not None
        return self.seat

    async def _on_hello(self, frame: protocol.Hello, live: Live) -> None:
        raise Refusal.of("hello_once")

    async def _on_play(self, frame: protocol.Play, live: Live) -> None:
        start = time.perf_counter()
        seat, actions = self._mine, frame.actions
        await self._see(live, frame.version)
        version = await self._submit(live, lambda t: t.play(seat, frame.version, actions, frame.id))
        self.reply(outbound.done(frame.id, version))
        COMMIT.observe(time.perf_counter() - start)

    async def _on_ask(self, frame: protocol.Ask, live: Live) -> None:
        table = live.table
        if table.match is None:
            raise Refusal.of("not_playing")
        rehearsal = table.match.rehearse(self._mine)
        reason = None
        try:
            for action in frame.actions:
                rehearsal.play(action)
        except HastiludeError as refusal:
            reason = refusal.message
        self.reply(outbound.answer(table, frame.id, rehearsal, reason))

    async def _on_hint(self, frame: protocol.Hint, live: Live) -> None:
        if not self._rates.hints.take((self.code, self.seat)):
            raise Refusal.of("too_many_hints")
        if self._hinting:
            self._hinting.cancel()  # only the newest counts
        # In its own task, so that the seat can play meanwhile.
        self._hinting = asyncio.create_task(self._hint(frame, live))

    async def _hint(self, frame: protocol.Hint, live: Live) -> None:
        try:
            self.reply(outbound.hints(frame.id, await live.bots.hints(self._mine, frame.actions)))
        except HastiludeError as error:
            self.reply(outbound.refused(error.message, live.table.version, frame.id))
        except asyncio.CancelledError:
            version = live.table.version
            stale = Message("stale", {"version": version})
            self.reply(outbound.refused(stale, version, frame.id))
        except Exception:
            logger.exception("%s a hint failed", self.code)
            self.dismiss("failed")

    async def _on_since(self, frame: protocol.Since, live: Live) -> None:
        self.sent_version = min(frame.version, live.table.version)
        self.poke(live)

    async def _on_say(self, frame: protocol.Say, live: Live) -> None:
        await self._submit(live, lambda t: t.say(self._mine, frame.phrase))

    async def _on_pause(self, frame: protocol.Pause, live: Live) -> None:
        seat = self._mine
        await self._submit(live, lambda t: t.want_pause(seat) if frame.on else t.resume(seat))

    async def _on_rematch(self, frame: protocol.Rematch, live: Live) -> None:
        most = self._house.settings.matches_per_table
        await self._submit(live, lambda t: t.want_rematch(self._mine, frame.seed, most))

    async def _on_return(self, frame: protocol.Return, live: Live) -> None:
        await self._submit(live, lambda t: t.give_back(self._mine))

    async def _on_leave(self, frame: protocol.Leave, live: Live) -> None:
        await self._submit(live, lambda t: t.leave(self._mine))

    async def _on_kick(self, frame: protocol.Kick, live: Live) -> None:
        await self._submit(live, lambda t: t.kick(self._mine, frame.seat))

    async def _on_start(self, frame: protocol.Start, live: Live) -> None:
        seat, level = self._mine, frame.level

        def start(table: Table, commitment: str) -> Started:
            self._check_seat(table)
            started = table.start(seat, level, commitment)
            if level == CHAMPION:
                self._house.check_champions(live.attendance.address, len(started.bots))
            return started

        await live.begin(start)

    async def _on_extend(self, frame: protocol.Extend, live: Live) -> None:
        await self._submit(live, lambda t: t.extend(self._mine, frame.seat, live.attendance.missed))

    async def _on_replace(self, frame: protocol.Replace, live: Live) -> None:
        await live.found_elsewhere(frame.seat)
        await self._submit(
            live, lambda t: t.replace(self._mine, frame.seat, live.attendance.missed)
        )

    async def _on_end(self, frame: protocol.End, live: Live) -> None:
        await self._submit(live, lambda t: t.end(self._mine, live.attendance.missed))

    async def _on_offer(self, frame: protocol.Offer, live: Live) -> None:
        await self._submit(live, lambda t: t.offer(self._mine, frame.seat, frame.on))

    async def _on_queue(self, frame: protocol.Queue, live: Live) -> None:
        if self.seat is not None or self.queued is not None:
            raise Refusal.of("queue_once")
        name = clean_name(frame.name)
        live.join_queue(name)
        self.queued = Place(name, frame.seed, next(PLACES))
        live.notify()

    async def _on_missed(self, frame: protocol.Missed, live: Live) -> None:
        self.reply(live.missed(frame.id, self._mine))

    async def _on_ping(self, frame: protocol.Ping, live: Live) -> None:
        self.reply(outbound.PONG)
