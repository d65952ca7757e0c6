"""Stores tables in a SQLite file, or in a PostgreSQL that several servers share.

One thread writes. It takes everything that is waiting, commits it as one transaction and reports
back. Under load many plays share one sync to disk, and no play is acknowledged before it. While the
database is unavailable, the thread tries again and everyone waits. A damaged database is not
written to any more.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError

from hastilude.core.errors import OptionError
from hastilude.server import schema
from hastilude.server.database import (
    READERS,
    cause_of,
    claim,
    is_damage,
    open_engine,
    unusable,
)
from hastilude.server.errors import StoreFailed, TableGone
from hastilude.server.peers import notify
from hastilude.server.settings import is_postgres
from hastilude.server.sqlite_log import LOG_COLUMNS, SqliteLog

MIGRATION_LOCK = 0x68617374  # "hast": servers that start together migrate one after another
GROUP = 500  # maximum number of entries per transaction
RETRY_SECONDS = 0.2
SLOW_SECONDS = 3.0  # a commit that takes longer counts as unavailable
WATCH_SECONDS = 0.5  # between two checks of how long the writer takes
LAST_SECONDS = 0.5  # for requests that wait for the database when the server stops
STOP_SECONDS = 1.0  # for the last writes, and for threads to end; threads that hang are abandoned
OLD_TABLES = 10  # deleted per transaction
logger = logging.getLogger("hastilude")
Result = TypeVar("Result")
_nonces = itertools.count(secrets.randbits(64))


def choose_nonces() -> None:
    """Begin somewhere else, in a process that was forked from another."""
    global _nonces  # noqa: PLW0603
    _nonces = itertools.count(secrets.randbits(64))


@dataclass(slots=True)
class Append:
    """An entry for a table's log, and what must be stored together with it. The nonce is unique
    among all entries of all servers."""

    code: str
    version: int
    at: int
    entry: str
    opens: dict[str, Any] | None = None  # the row of a new table
    master: tuple[int, bytes] | None = None  # the seed of a match, by its number
    listing: dict[str, Any] | None = None  # what changes in the public list of tables
    nonce: str = field(default_factory=lambda: f"{next(_nonces):x}")

    @property
    def values(self) -> tuple[Any, ...]:
        """Its row in the log: LOG_COLUMNS."""
        return self.code, self.version, self.at, self.entry, self.nonce

    @property
    def row(self) -> dict[str, Any]:
        return dict(zip(LOG_COLUMNS, self.values, strict=True))


Query = Callable[[sa.Connection], Any]
Job = Append | Query
Waiting = tuple[Job, asyncio.Future[Any]]


class _Raced(Exception):
    """Another server stored a version first: the group is written again one by one."""


class Store:
    def __init__(self, database: str) -> None:
        self.shared = is_postgres(database)
        self.name = secrets.token_hex(8)  # of this server, among those that share a database
        self.engine = open_engine(database)
        self._sqlite = None if self.shared else SqliteLog(self.engine)
        url = self.engine.url.set(drivername="postgresql")
        self.where = url.render_as_string() if self.shared else str(url.database)
        self.on_change: Callable[[], None] = lambda: None
        self.unavailable = False  # it does not answer, or only with errors
        self.damaged = ""  # what is damaged, until the server is restarted
        self._cause = ""  # why it is unavailable
        self._lock: int | None = None
        self._threads: list[threading.Thread] = []
        self._waiting: list[Waiting] = []  # jobs for the writer's next group
        self._group: list[Waiting] = []  # jobs that the writer is working on
        self._group_since = 0.0
        self._groups: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._writing = False
        self._unread: set[asyncio.Future[Any]] = set()
        self._reads: queue.SimpleQueue[tuple[Query, asyncio.Future[Any]] | None] = (
            queue.SimpleQueue()
        )
        self.closing = False
        self.insert = (postgresql if self.shared else sqlite).insert
        # Without this option psycopg's cursor would not know the number of rows afterwards.
        self._insert_log, self._insert_table = (
            self.insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)
            for table in (schema.log, schema.tables)
        )

    @property
    def trouble(self) -> Literal["store_damaged", "store_away"] | None:
        """What is wrong with the database, if anything."""
        if self.damaged:
            return "store_damaged"
        return "store_away" if self.unavailable else None

    # --- starting and stopping ------------------------------------------------------------------

    def migrate(self) -> None:
        """Lock the database if it is a file, and update it to the current schema; OptionError if
        that fails, and then it stays as it was."""
        if not self.shared:
            self._lock = claim(self.where)
        try:
            self._upgrade()
        except CommandError:  # the database has a schema that this version does not know
            self.close()
            raise OptionError.of("store_newer", database=self.where) from None
        except DBAPIError as error:
            self.close()
            raise unusable(self.where, cause_of(error)) from None

    def _upgrade(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(files("hastilude.server") / "migrations"))
        with self.engine.begin() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            else:  # sqlite3 starts no transaction for new tables by itself
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            # Write something: on a read-only SQLite file, starting a transaction raises no error.
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.start_thread(self._write, "writer")
        for _ in range(READERS):
            self.start_thread(self._serve_reads, "reader")
        self._watch_writer()

    def start_thread(self, work: Callable[[], None], name: str) -> None:
        """Start a daemon thread: if it hangs in the database, the process can still end."""
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def give_up(self) -> None:
        """Do not wait much longer for the database, because the server stops."""
        self.closing = True
        self._refuse_if_hopeless()
        asyncio.get_running_loop().call_later(LAST_SECONDS, self._refuse_waiting)

    def _refuse_if_hopeless(self) -> None:
        if self.closing and self.unavailable:
            self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        writes = (done for _, done in (*self._group, *self._waiting))
        for done in (*writes, *self._unread):
            _answer(done, StoreFailed.of("store_away"))

    async def stop(self) -> None:
        """Write what is waiting, then close."""
        await self._wait_while(lambda: self._writing and not self.unavailable)
        self.give_up()
        self._groups.put(None)
        for _ in range(READERS):
            self._reads.put(None)
        await self._wait_while(lambda: any(thread.is_alive() for thread in self._threads))
        self.close()

    async def _wait_while(self, condition: Callable[[], bool]) -> None:
        """Wait, but not forever: a database that has just frozen still counts as available."""
        deadline = self._loop.time() + STOP_SECONDS
        while condition() and self._loop.time() < deadline:
            await asyncio.sleep(0.01)

    def close(self) -> None:
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def call(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call a function in the event loop, from another thread."""
        with suppress(RuntimeError):  # the loop is closed: the thread hung in the database
            self._loop.call_soon_threadsafe(function, *arguments)

    def _set_unavailable(self, cause: str = "") -> None:
        """Note that the database is unavailable for this cause; without a cause, that it answers
        again."""
        if cause == self._cause:
            return
        was_unavailable, self.unavailable, self._cause = self.unavailable, bool(cause), cause
        if cause:
            logger.warning("the database is unavailable: %s", cause)
        else:
            logger.warning("the database is available again")
        if was_unavailable != self.unavailable:
            self.on_change()
        self._refuse_if_hopeless()

    def _watch_writer(self) -> None:
        """Notice a frozen database, which reports no error."""
        if (
            self._group
            and not self.unavailable
            and self._loop.time() > self._group_since + SLOW_SECONDS
        ):
            self._set_unavailable(f"no answer for {SLOW_SECONDS:g} seconds")
        if not self.closing:
            self._loop.call_later(WATCH_SECONDS, self._watch_writer)

    def _set_damaged(self, cause: str) -> None:
        if not self.damaged:
            self.damaged = cause
            logger.error("the database is damaged: %s", cause)
            self.on_change()

    # --- writing --------------------------------------------------------------------------------

    def append(self, entry: Append) -> asyncio.Future[bool]:
        """Store an entry; False if another entry has its version. Raises `TableGone` if there is no
        such table. Whoever stops waiting does not prevent it."""
        return self.write(entry)

    def write(self, job: Job) -> asyncio.Future[Any]:
        """Run a job in the writer's next transaction; the future is done after its commit."""
        done: asyncio.Future[Any] = self._loop.create_future()
        if self.damaged:
            _answer(done, StoreFailed.of("store_damaged"))
            return done
        self._waiting.append((job, done))
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._next_group)  # together with all jobs of this turn
        self._refuse_if_hopeless()
        return done

    async def settled(self) -> None:
        """Wait until everything is written that is waiting now."""
        await self.write(lambda _: None)

    def _next_group(self) -> None:
        group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
        self._group, self._group_since = group, self._loop.time()
        self._writing = bool(group)
        if group:
            group.sort(key=lambda waiting: _by_key(waiting[0]))
            self._groups.put(group)

    def _write(self) -> None:
        while (group := self._groups.get()) is not None:
            results = self._commit_somehow([job for job, _ in group])
            self.call(self._report, group, results)
        if self._sqlite:  # here, because elsewhere closing would wait for a disk that hangs
            self._sqlite.close()

    def _report(self, group: list[Waiting], results: list[Any]) -> None:
        if not self.closing:
            self._set_unavailable()
        for (_, done), result in zip(group, results, strict=True):
            _answer(done, result)
        self._next_group()

    def _commit_somehow(self, jobs: list[Job]) -> list[Any]:
        while True:
            try:
                return self._commit(jobs)
            except (OperationalError, InterfaceError) as error:
                self.call(self._set_unavailable, cause_of(error))
                if self.closing:
                    return [StoreFailed.of("store_away")] * len(jobs)
                time.sleep(RETRY_SECONDS)
            except Exception as error:
                if len(jobs) > 1:  # only one of the jobs may be at fault
                    return [self._commit_somehow([job])[0] for job in jobs]
                if isinstance(error, IntegrityError) and _lacks_table(error):
                    return [TableGone()]
                if is_damage(error):
                    self.call(self._set_damaged, cause_of(error))
                    return [StoreFailed.of("store_damaged")]
                logger.exception("a write failed")
                return [error]

    def _commit(self, jobs: list[Job]) -> list[Any]:
        appends = [job for job in jobs if isinstance(job, Append)]
        if self._sqlite and len(appends) == len(jobs) and self._sqlite.append_all(appends):
            return [True] * len(jobs)
        try:
            with self.engine.begin() as connection:
                self._append_all(connection, appends)
                return [True if isinstance(job, Append) else job(connection) for job in jobs]
        except _Raced:
            with self.engine.begin() as connection:
                return [
                    self._append_one(connection, job)
                    if isinstance(job, Append)
                    else job(connection)
                    for job in jobs
                ]

    def _append_all(self, connection: sa.Connection, appends: list[Append]) -> None:
        if not appends:
            return
        for entry in appends:
            if entry.opens and not self._open(connection, entry):
                raise _Raced
        rows = [entry.row for entry in appends]
        if connection.execute(self._insert_log, rows).rowcount != len(appends):
            raise _Raced
        for entry in appends:
            self._append_rest(connection, entry)
        if self.shared:
            notify(connection, self.name, [f"{entry.code} {entry.version}" for entry in appends])

    def _append_one(self, connection: sa.Connection, entry: Append) -> bool:
        if entry.opens:
            self._open(connection, entry)
        if not connection.execute(self._insert_log, entry.row).rowcount:
            # It may be our own entry, if the connection broke during its commit.
            log = schema.log.c
            kept = sa.select(log.nonce).where(log.code == entry.code, log.version == entry.version)
            return connection.execute(kept).scalar() == entry.nonce
        self._append_rest(connection, entry)
        if self.shared:
            notify(connection, self.name, [f"{entry.code} {entry.version}"])
        return True

    def _open(self, connection: sa.Connection, entry: Append) -> bool:
        return bool(
            connection.execute(
                self._insert_table, {"code": entry.code, **(entry.opens or {})}
            ).rowcount
        )

    def _append_rest(self, connection: sa.Connection, entry: Append) -> None:
        if entry.master:
            number, master = entry.master
            row = {"code": entry.code, "number": number, "master": master}
            connection.execute(sa.insert(schema.seeds), row)
        if entry.listing:
            here = schema.tables.c.code == entry.code
            connection.execute(sa.update(schema.tables).where(here).values(entry.listing))

    # --- reading --------------------------------------------------------------------------------

    async def read(self, query: Callable[[sa.Connection], Result]) -> Result:
        """Run a query in a reader thread; waits while the database is unavailable."""
        while True:
            done: asyncio.Future[Result] = self._loop.create_future()
            self._unread.add(done)
            self._reads.put((query, done))
            self._refuse_if_hopeless()
            try:
                result = await done
            except (OperationalError, InterfaceError):
                if self.closing:
                    raise StoreFailed.of("store_away") from None
                await asyncio.sleep(RETRY_SECONDS)
            except DBAPIError as error:
                if not is_damage(error):
                    raise
                self._set_damaged(cause_of(error))
                raise StoreFailed.of("store_damaged") from None
            else:
                return result
            finally:
                self._unread.discard(done)

    def _serve_reads(self) -> None:
        while (asked := self._reads.get()) is not None:
            query, done = asked
            result: Any
            try:
                with self.engine.connect() as connection:
                    result = query(connection)
            except Exception as error:
                result = error
            self.call(_answer, done, result)

    async def entries(self, code: str, after: int = 0) -> Sequence[Any]:
        """The entries of a table after a version, as rows of version, at, entry."""
        log = schema.log.c
        rows = sa.select(log.version, log.at, log.entry).order_by(log.version)
        rows = rows.where(log.code == code, log.version > after)
        return await self.read(lambda connection: connection.execute(rows).all())

    async def masters(self, code: str) -> dict[int, bytes]:
        seeds = schema.seeds.c
        rows = sa.select(seeds.number, seeds.master).where(seeds.code == code)
        return await self.read(lambda connection: dict(connection.execute(rows).all()))

    async def record(self, code: str, number: int) -> str | None:
        """The record of a match, if it is stored."""
        records = schema.records.c
        row = sa.select(records.record).where(records.code == code, records.number == number)
        return await self.read(lambda connection: connection.execute(row).scalar())

    async def keep_record(self, code: str, number: int, record: str) -> None:
        """Store the record of a finished match, unless another server has done so."""
        row = {"code": code, "number": number, "record": record}
        insert = self.insert(schema.records).on_conflict_do_nothing()
        with suppress(TableGone):
            await self.write(lambda connection: connection.execute(insert, row))

    async def review(self, code: str, number: int, seat: int) -> str | None:
        """The review of a match for a seat, if it is stored."""
        reviews = schema.reviews.c
        row = sa.select(reviews.content).where(
            reviews.code == code, reviews.number == number, reviews.seat == seat
        )
        return await self.read(lambda connection: connection.execute(row).scalar())

    async def keep_review(self, code: str, number: int, seat: int, content: str) -> None:
        """Store a whole review, unless another server has done so."""
        row = {"code": code, "number": number, "seat": seat, "content": content}
        insert = self.insert(schema.reviews).on_conflict_do_nothing()
        with suppress(TableGone):
            await self.write(lambda connection: connection.execute(insert, row))

    async def game_at(self, code: str) -> str | None:
        """The game of a table; None if there is no such table."""
        row = sa.select(schema.tables.c.game).where(schema.tables.c.code == code)
        return await self.read(lambda connection: connection.execute(row).scalar())

    async def open_tables(self, limit: int, seen_since: int) -> Sequence[Any]:
        """Public tables with a free seat or a match to watch."""
        tables = schema.tables.c
        rows = (
            sa.select(schema.tables)
            .where(tables.watch == "anyone", tables.phase != "closed", tables.people > 0)
            .where(sa.or_(tables.phase == "playing", tables.free > 0))
            .where(~tables.scripted, tables.seen_at >= seen_since)
            .order_by(tables.phase, tables.opened_at.desc())
            .limit(limit)
        )
        return await self.read(lambda connection: connection.execute(rows).all())

    async def versions(self, codes: Sequence[str]) -> dict[str, int]:
        """The newest version of each of these tables."""
        log = schema.log.c
        rows = sa.select(log.code, sa.func.max(log.version)).group_by(log.code)
        rows = rows.where(log.code.in_(codes))
        return await self.read(lambda connection: dict(connection.execute(rows).all()))

    async def delete_empty(self, opened_before: int) -> list[str]:
        """Delete tables where nobody sits and nothing was played."""
        tables = schema.tables
        empty = (tables.c.people == 0, tables.c.phase == "gathering")
        old = sa.select(tables.c.code).where(*empty, tables.c.opened_at < opened_before)
        # Somebody may be sitting down at another server: then the row is locked or has changed.
        old = old.with_for_update(skip_locked=True)

        def delete(connection: sa.Connection) -> list[str]:
            return _delete(connection, list(connection.execute(old).scalars()))

        return await self.write(delete)

    async def note_seen(self, codes: Sequence[str], now: int) -> None:
        """Note that somebody is connected to these tables."""
        tables = schema.tables
        # Skip locked rows, to avoid a deadlock; they are noted next time.
        free = sa.select(tables.c.code).where(tables.c.code.in_(codes))
        free = free.with_for_update(skip_locked=True)
        seen = sa.update(tables).where(tables.c.code.in_(free)).values(seen_at=now)
        await self.write(lambda connection: connection.execute(seen))

    async def delete_old(self, unfinished_before: int, finished_before: int) -> list[str]:
        """Delete some tables where nobody has been since then and nobody is now."""
        tables, presence = schema.tables.c, schema.presence.c
        finished = tables.phase.in_(("over", "closed"))
        old = (
            sa.select(tables.code)
            .where(
                sa.or_(
                    sa.and_(finished, tables.seen_at < finished_before),
                    sa.and_(~finished, tables.seen_at < unfinished_before),
                )
            )
            .where(tables.code.not_in(sa.select(presence.code)))
            .limit(OLD_TABLES)
            .with_for_update(skip_locked=True)
        )

        def delete(connection: sa.Connection) -> list[str]:
            return _delete(connection, list(connection.execute(old).scalars()))

        return await self.write(delete)


def _answer(done: asyncio.Future[Any], result: Any) -> None:
    if done.done():  # cancelled, or refused at the end
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _delete(connection: sa.Connection, codes: list[str]) -> list[str]:
    """Delete tables with everything that belongs to them."""
    parts = (schema.log, schema.seeds, schema.records, schema.reviews, schema.presence)
    for table in (*parts, schema.tables):
        connection.execute(sa.delete(table).where(table.c.code.in_(codes)))
    return codes


def _lacks_table(error: IntegrityError) -> bool:
    """Whether the foreign key was violated."""
    problem = getattr(error.orig, "sqlstate", None) or getattr(error.orig, "sqlite_errorname", None)
    return problem in ("23503", "SQLITE_CONSTRAINT_FOREIGNKEY")


def _by_key(job: Job) -> tuple[bool, str]:
    """A sort key: servers that lock rows in the same order cannot deadlock."""
    return (False, job.code) if isinstance(job, Append) else (True, "")
