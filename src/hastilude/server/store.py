"""Where tables are kept: one SQLite file, or a PostgreSQL that several servers share.

One thread writes. It gets everything that waits, commits it as one transaction and reports back:
under load many plays share one sync to the disk, and no play is acknowledged before it. If the
database is away the thread tries until it is back; whoever waits goes on waiting.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from hastilude.core.errors import OptionError
from hastilude.server import schema
from hastilude.server.settings import is_postgres

CHANNEL = "hastilude"
GROUP = 500  # entries in one transaction at most
RETRY_SECONDS = 0.2
READERS = 4

logger = logging.getLogger("hastilude")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Append:
    """An entry for a table's log, and what else belongs to the same moment."""

    code: str
    version: int
    at: int
    entry: str
    seat: int | None = None
    move: str | None = None
    opens: dict[str, Any] | None = None  # the row of a new table
    master: tuple[int, bytes] | None = None  # the seed of a match, by its number
    listing: dict[str, Any] | None = None  # what changed for the list of tables
    nonce: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def row(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _LOG_COLUMNS}


_LOG_COLUMNS = ("code", "version", "at", "entry", "seat", "move", "nonce")
Job = Append | Callable[[sa.Connection], Any]
Waiting = tuple[Job, asyncio.Future[Any]]


class _Raced(Exception):
    """Somebody else had a version first: the group is written again one by one."""


class Store:
    def __init__(self, database: str) -> None:
        self.shared = is_postgres(database)
        self.engine = _engine(database)
        self.name = secrets.token_hex(8)  # of this server, among those that share a database
        self.on_away: Callable[[bool], None] = lambda away: None
        self.away = False
        self._waiting: list[Waiting] = []  # for the writer to finish its group
        self._groups: queue.SimpleQueue[list[Waiting] | None] = queue.SimpleQueue()
        self._writing = False
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._closing = False
        insert = (postgresql if self.shared else sqlite).insert
        self._insert_log = insert(schema.log).on_conflict_do_nothing()
        self._insert_table = insert(schema.tables).on_conflict_do_nothing()

    def migrate(self) -> None:
        """Bring the database to the present form, or leave it as it was; OptionError says what is
        wrong with it."""
        url = self.engine.url.set(drivername="postgresql")
        where = url.render_as_string() if self.shared else url.database
        config = Config()
        config.set_main_option("script_location", str(files("hastilude.server") / "migrations"))
        try:
            with self.engine.begin() as connection:
                if not self.shared:  # sqlite3 would open no transaction for new tables
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except CommandError:  # the database names a form that this version does not know
            raise OptionError.of("store_newer", database=where) from None
        except DBAPIError as error:
            problem = str(error.orig).strip().splitlines()[0]
            raise OptionError.of("store_unusable", database=where, problem=problem) from None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writer.start()

    async def stop(self) -> None:
        """Write what waits, then close."""
        while self._writing and not self.away:
            await asyncio.sleep(0.01)
        self._closing = True
        self._groups.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown(wait=True)
        self.engine.dispose()

    # --- writing --------------------------------------------------------------------------------

    async def append(self, entry: Append) -> bool:
        """Keep an entry; False if another one has its version or is the same play."""
        return await self.write(entry)

    async def write(self, job: Job) -> Any:
        """Run a job in the writer's next transaction; returns after its commit."""
        done: asyncio.Future[Any] = self._loop.create_future()
        self._waiting.append((job, done))
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._next_group)  # with whatever else this turn brings
        return await done

    def _next_group(self) -> None:
        group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
        self._writing = bool(group)
        if group:
            group.sort(key=lambda waiting: _by_key(waiting[0]))
            self._groups.put(group)

    def _write(self) -> None:
        while (group := self._groups.get()) is not None:
            results = self._commit_somehow([job for job, _ in group])
            self._loop.call_soon_threadsafe(self._report, group, results)

    def _report(self, group: list[Waiting], results: list[Any]) -> None:
        for (_, done), result in zip(group, results, strict=True):
            if done.cancelled():
                continue
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)
        self._next_group()

    def _commit_somehow(self, jobs: list[Job]) -> list[Any]:
        while True:
            try:
                results = self._commit(jobs)
            except (OperationalError, InterfaceError) as error:
                self._set_away(True)
                if self._closing:
                    return [error] * len(jobs)
                time.sleep(RETRY_SECONDS)
            except Exception as error:
                logger.exception("a write failed")
                return [error] * len(jobs)
            else:
                self._set_away(False)
                return results

    def _commit(self, jobs: list[Job]) -> list[Any]:
        appends = [job for job in jobs if isinstance(job, Append)]
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
        for one in appends:
            if one.opens and not self._open(connection, one):
                raise _Raced
        rows = [one.row for one in appends]
        if connection.execute(self._insert_log, rows).rowcount != len(rows):
            raise _Raced
        for one in appends:
            self._append_rest(connection, one)

    def _append_one(self, connection: sa.Connection, one: Append) -> bool:
        if one.opens:
            self._open(connection, one)
        if not connection.execute(self._insert_log, one.row).rowcount:
            # It may be ours, if the connection broke while it was committed.
            log = schema.log.c
            kept = sa.select(log.nonce).where(log.code == one.code, log.version == one.version)
            return connection.execute(kept).scalar() == one.nonce
        self._append_rest(connection, one)
        return True

    def _open(self, connection: sa.Connection, one: Append) -> bool:
        return bool(
            connection.execute(self._insert_table, {"code": one.code, **(one.opens or {})}).rowcount
        )

    def _append_rest(self, connection: sa.Connection, one: Append) -> None:
        if one.master:
            number, master = one.master
            row = {"code": one.code, "number": number, "master": master}
            connection.execute(sa.insert(schema.seeds), row)
        if one.listing:
            here = schema.tables.c.code == one.code
            connection.execute(sa.update(schema.tables).where(here).values(one.listing))
        if self.shared:
            notice = sa.func.pg_notify(CHANNEL, f"{one.code} {one.version}")
            connection.execute(sa.select(notice))

    def _set_away(self, away: bool) -> None:
        if away != self.away:
            self.away = away
            self._loop.call_soon_threadsafe(self.on_away, away)

    # --- reading --------------------------------------------------------------------------------

    async def read(self, query: Callable[[sa.Connection], Result]) -> Result:
        """Run a query in a reader thread; while the database is away, wait for it."""
        while True:
            try:
                return await self._loop.run_in_executor(self._readers, self._read, query)
            except (OperationalError, InterfaceError):
                if self._closing:
                    raise
                await asyncio.sleep(RETRY_SECONDS)

    def _read(self, query: Callable[[sa.Connection], Result]) -> Result:
        with self.engine.connect() as connection:
            return query(connection)

    async def entries(self, code: str, after: int = 0) -> Sequence[Any]:
        """The log of a table after a version: rows of version, at, entry."""
        log = schema.log.c
        rows = sa.select(log.version, log.at, log.entry).order_by(log.version)
        rows = rows.where(log.code == code, log.version > after)
        return await self.read(lambda connection: connection.execute(rows).all())

    async def masters(self, code: str) -> dict[int, bytes]:
        seeds = schema.seeds.c
        rows = sa.select(seeds.number, seeds.master).where(seeds.code == code)
        return await self.read(lambda connection: dict(connection.execute(rows).all()))

    async def open_tables(self, limit: int) -> Sequence[Any]:
        """Tables that anyone may find: with a free seat, or with a match to watch."""
        tables = schema.tables.c
        rows = (
            sa.select(schema.tables)
            .where(tables.watch == "anyone", tables.phase != "closed", tables.people > 0)
            .where(sa.or_(tables.phase == "playing", tables.free > 0))
            .order_by(tables.phase, tables.opened_at.desc())
            .limit(limit)
        )
        return await self.read(lambda connection: connection.execute(rows).all())

    async def versions(self, codes: Sequence[str]) -> dict[str, int]:
        """The newest version of some tables."""
        log = schema.log.c
        rows = sa.select(log.code, sa.func.max(log.version)).group_by(log.code)
        rows = rows.where(log.code.in_(codes))
        return await self.read(lambda connection: dict(connection.execute(rows).all()))

    async def delete_empty(self, opened_before: int) -> list[str]:
        """Delete tables at which nobody sits and nothing was played."""
        tables = schema.tables
        empty = (tables.c.people == 0, tables.c.phase == "gathering")
        old = sa.select(tables.c.code).where(*empty, tables.c.opened_at < opened_before)

        def delete(connection: sa.Connection) -> list[str]:
            codes = list(connection.execute(old).scalars())
            for table in (schema.log, schema.seeds, tables):
                connection.execute(sa.delete(table).where(table.c.code.in_(codes)))
            return codes

        found: list[str] = await self.write(delete)
        return found

    # --- several servers ------------------------------------------------------------------------

    def listen(self, noticed: Callable[[str, int], None]) -> None:
        """Call `noticed` with the code and version of what any server keeps (PostgreSQL)."""
        self._noticed = noticed
        threading.Thread(target=self._listen, name="listener", daemon=True).start()

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415  # an extra

        address = self.engine.url.set(drivername="postgresql")
        while not self._closing:
            try:
                where = address.render_as_string(hide_password=False)
                with psycopg.connect(where, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    while not self._closing:
                        for notice in connection.notifies(timeout=1):
                            code, version = notice.payload.split()
                            self._loop.call_soon_threadsafe(self._noticed, code, int(version))
            except psycopg.Error:
                time.sleep(RETRY_SECONDS)  # polling repairs what is missed

    async def note_presence(self, code: str, seat: int, here: bool, now: int) -> None:
        """Tell the other servers that a seat's player is connected to this one, or no longer."""
        mine = {"server": self.name, "code": code, "seat": seat}
        presence = schema.presence

        def note(connection: sa.Connection) -> None:
            connection.execute(sa.delete(presence).filter_by(**mine))
            if here:
                connection.execute(sa.insert(presence), {**mine, "beat": now})

        await self.write(note)

    async def beat_presence(self, now: int) -> None:
        here = schema.presence.c.server == self.name
        await self.write(
            lambda connection: connection.execute(
                sa.update(schema.presence).where(here).values(beat=now)
            )
        )

    async def is_elsewhere(self, code: str, seat: int, since: int) -> bool:
        """Whether a seat's player is connected to another server, which lived after `since`."""
        presence = schema.presence.c
        found = sa.select(presence.server).where(
            presence.code == code,
            presence.seat == seat,
            presence.server != self.name,
            presence.beat > since,
        )
        return await self.read(lambda connection: connection.execute(found).first() is not None)


def _by_key(job: Job) -> tuple[bool, str]:
    """Two servers that lock rows in the same order cannot block each other for ever."""
    return (False, job.code) if isinstance(job, Append) else (True, "")


def _engine(database: str) -> sa.Engine:
    """Errors of the database reach the log, so its parameters, cards and seeds, stay hidden."""
    if is_postgres(database):
        try:
            import psycopg  # noqa: F401, PLC0415  # an extra
        except ImportError:
            raise OptionError.of("store_needs_postgres") from None
        address = database.split("://", 1)[1]
        return sa.create_engine(
            f"postgresql+psycopg://{address}",
            pool_pre_ping=False,
            pool_size=READERS + 1,
            hide_parameters=True,  # no seed and no card in an error that is logged
        )
    path = Path(database)
    if not path.parent.is_dir():
        raise OptionError.of("store_no_folder", path=str(path.parent))
    engine = sa.create_engine(f"sqlite:///{path}", hide_parameters=True)

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine
