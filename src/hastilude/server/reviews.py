"""Reviews of finished matches, made one after another in a process of their own, then stored.

So neither the event loop nor the bots' threads wait for them. Addresses take turns. A review is
stored when it is whole. One that is waiting or being made is known only to this server, and gone
when it stops; then it can be started again.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import orjson

from hastilude.reviews.worker import LINE_BYTES
from hastilude.server.background import Background
from hastilude.server.errors import Refusal, StoreFailed
from hastilude.server.limits import Tally
from hastilude.server.metrics import REVIEW_SECONDS, REVIEWS, REVIEWS_WAITING
from hastilude.server.settings import Settings
from hastilude.server.store import Store
from hastilude.server.turns import Turns

WORKER = (sys.executable, "-P", "-m", "hastilude.reviews.worker")
ATTEMPTS = 2  # how often a review is begun if the worker dies
IDLE_SECONDS = 60.0  # a worker without work ends after this
SILENT_SECONDS = 600.0  # a worker that says nothing for this long counts as dead
FAILURES = 100  # that are remembered

logger = logging.getLogger("hastilude")
State = Literal["none", "waiting", "running", "done", "failed"]


class Subject(NamedTuple):
    """What is reviewed: a match of a table, for a seat."""

    code: str
    number: int
    seat: int


@dataclass
class Progress:
    """How far a review is, and what there is of it; `balance` and `open` only when it is done."""

    state: State
    total: int = 0  # pieces of work, as soon as that is known
    points: list[Any] = field(default_factory=list)
    decisions: list[Any] = field(default_factory=list)
    balance: Any = None
    open: list[Any] | None = None

    @property
    def done(self) -> int:
        """Finished pieces. The result of the match, the last point, takes no work."""
        return len(self.points) + len(self.decisions) - (self.state == "done")


@dataclass
class Order:
    """A review that somebody waits for, and the address that counts for its turn."""

    subject: Subject
    record: str
    address: str
    progress: Progress


class WorkerDied(Exception):
    """The worker ended, fell silent, or said something that is no piece of a review."""


class Reviews:
    def __init__(self, settings: Settings, store: Store, tally: Tally) -> None:
        self._settings = settings
        self._store = store
        self._tally = tally  # of the addresses whose reviews are waiting or being made
        self._worker = Worker()
        self._orders: dict[Subject, Order] = {}  # waiting or being made
        self._waiting: Turns[Order] = Turns()
        self._failed: OrderedDict[Subject, None] = OrderedDict()
        self._background = Background("reviews")
        self._working = False
        self._idle: asyncio.TimerHandle | None = None

    async def find(self, subject: Subject) -> Progress:
        """The review, in whatever state it is."""
        if order := self._orders.get(subject):
            return order.progress
        content = await self._store.review(*subject)
        if content is not None:
            return Progress("done", **orjson.loads(content))
        return Progress("failed" if subject in self._failed else "none")

    def start(self, subject: Subject, record: str, address: str) -> Progress:
        """Start a review, unless it has been started; Refusal if too many are waiting."""
        if order := self._orders.get(subject):
            return order.progress
        most = self._settings.reviews_per_address
        if self._tally.count(address) >= most:
            raise Refusal.of("too_many_reviews", most=most)
        if self._tally.total >= self._settings.reviews:
            raise Refusal.of("reviews_full")
        self._failed.pop(subject, None)
        order = self._orders[subject] = Order(subject, record, address, Progress("waiting"))
        self._tally.add(address)
        REVIEWS_WAITING.set(len(self._orders))
        self._waiting.add(address, subject.code, order)
        if not self._working:
            self._working = True
            self._background.start(self._work())
        return order.progress

    async def stop(self) -> None:
        await asyncio.gather(*self._background.cancel(), return_exceptions=True)
        if self._idle:
            self._idle.cancel()
        await self._worker.stop()

    async def _work(self) -> None:
        """Make everything that is waiting."""
        if self._idle:
            self._idle.cancel()
        try:
            while self._waiting:
                await self._finish(self._waiting.next())
        finally:
            self._working = False
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._worker.end)

    async def _finish(self, order: Order) -> None:
        """Make a review and store it."""
        try:
            with REVIEW_SECONDS.time():
                content = await self._make(order)
            await self._store.keep_review(*order.subject, content)
            REVIEWS.labels("done").inc()
        except Exception as error:  # whatever it is, the others get their turn
            if not isinstance(error, (WorkerDied, StoreFailed)):  # those are logged already
                logger.exception("a review failed")
            self._worker.end()
            self._failed[order.subject] = None
            if len(self._failed) > FAILURES:
                self._failed.popitem(last=False)
            REVIEWS.labels("failed").inc()
        finally:
            del self._orders[order.subject]
            self._tally.remove(order.address)
            REVIEWS_WAITING.set(len(self._orders))

    async def _make(self, order: Order) -> str:
        """The whole review as JSON; WorkerDied if the last attempt fails too."""
        for attempt in range(1, ATTEMPTS + 1):
            order.progress = Progress("running")
            try:
                return await self._attempt(order)
            except WorkerDied:
                self._worker.end()
                code, number, seat = order.subject
                logger.warning(
                    "%s match=%s seat=%s review failed, attempt %s", code, number, seat, attempt
                )
        raise WorkerDied

    async def _attempt(self, order: Order) -> str:
        progress = order.progress
        await self._worker.send({"record": order.record, "seat": order.subject.seat})
        while True:
            match await self._worker.receive():
                case {"total": total}:
                    progress.total = total
                case {"point": point}:
                    progress.points.append(point)
                case {"decision": decision}:
                    progress.decisions.append(decision)
                case {"end": {"result": result, "balance": balance, "open": opened}}:
                    # The progress stays at `running` until this is stored.
                    whole = {
                        "total": progress.total,
                        "points": [*progress.points, result],
                        "decisions": progress.decisions,
                        "balance": balance,
                        "open": opened,
                    }
                    return orjson.dumps(whole).decode()
                case _:
                    raise WorkerDied


class Worker:
    """The process that makes reviews, started when it is needed. It ends with this one, because its
    pipes do."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def send(self, order: dict[str, Any]) -> None:
        try:
            if self._process is None:
                self._process = await asyncio.create_subprocess_exec(
                    *WORKER,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=LINE_BYTES,
                    start_new_session=True,  # Ctrl-C is for the server
                )
            assert self._process.stdin is not None
            self._process.stdin.write(orjson.dumps(order) + b"\n")
            await self._process.stdin.drain()
        except OSError:
            raise WorkerDied from None

    async def receive(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                line = await self._process.stdout.readline()
            return orjson.loads(line)
        except (OSError, ValueError):  # ended or silent; too long or no JSON
            raise WorkerDied from None

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):  # it has ended
                process.kill()

    async def stop(self) -> None:
        """End the worker and wait until it has ended."""
        process = self._process
        self.end()
        if process is not None:
            await process.wait()
