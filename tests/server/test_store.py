"""Where tables are kept: the same promises on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from hastilude.core.errors import OptionError
from hastilude.server import schema
from hastilude.server.errors import TableGone
from hastilude.server.peers import Peers, bucket_of
from hastilude.server.sqlite_log import SqliteLog
from hastilude.server.store import Append, Job, Store
from hastilude.server.time import ServiceTime
from tests.server.postgres import Postgres
from tests.server.running import PATIENCE

ROW = {"game": "tornei", "phase": "gathering", "watch": "link", "people": 0, "free": 4}


@asynccontextmanager
async def started(database: str) -> AsyncIterator[Store]:
    store = Store(database)
    store.migrate()
    store.start()
    try:
        yield store
    finally:
        await store.stop()


def opening(code: str, opened_at: int = 0) -> Append:
    row = {**ROW, "opened_at": opened_at, "seen_at": opened_at, "scripted": False}
    return Append(code, 1, opened_at, "{}", opens=row, master=(1, b"m"))


def play(code: str, version: int, seat: int = 0) -> Append:
    return Append(code, version, version, f"{seat}")


async def versions(store: Store, code: str) -> list[int]:
    return [row.version for row in await store.entries(code)]


def test_one_of_many_entries_for_a_version_is_kept(database: str) -> None:
    async def race() -> None:
        async with AsyncExitStack() as running:
            one = await running.enter_async_context(started(database))
            # Only one server uses an SQLite file.
            other = await running.enter_async_context(started(database)) if one.shared else one
            assert await one.append(opening("here"))
            assert not await other.append(opening("here"))
            rivals = [
                store.append(play("here", 2, seat)) for seat in range(20) for store in (one, other)
            ]
            assert (await asyncio.gather(*rivals)).count(True) == 1
            assert await versions(one, "here") == [1, 2]

    asyncio.run(race())


def test_the_others_of_a_group_do_not_suffer_from_one(database: str) -> None:
    """Those who lost a race, whose table is gone or whose job fails share a transaction with
    others."""

    def fail(_: sa.Connection) -> None:
        raise ValueError("of this job alone")

    async def mixed() -> None:
        async with started(database) as store:
            await asyncio.gather(*(store.append(opening(f"t{number}")) for number in range(9)))
            await store.append(play("t1", 2))
            jobs: list[Job] = [play(f"t{number}", 2) for number in range(9)]
            jobs += [play("nowhere", 2), fail]
            _ = store.write(lambda _: threading.Event().wait(0.1))  # meanwhile the others gather
            results = await asyncio.gather(*map(store.write, jobs), return_exceptions=True)
            assert results[:9] == [True, False, *[True] * 7]
            assert isinstance(results[9], TableGone)
            assert isinstance(results[10], ValueError)
            assert await versions(store, "nowhere") == []

    asyncio.run(mixed())


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_broken_commit_is_found_out_and_not_doubled(database: str) -> None:
    """The transaction is committed, but the connection breaks before that is heard of."""

    async def broken() -> None:
        async with started(database) as store:
            await store.append(opening("here"))
            away: list[bool] = []
            store.on_change = lambda: away.append(store.unavailable)
            _break_after_commit(store)
            assert await store.append(play("here", 2, 0))
            assert await versions(store, "here") == [1, 2]
            assert not await store.append(play("here", 2, 1))
            assert await store.append(opening("there"))
            assert away == [True, False]

    asyncio.run(broken())


def _break_after_commit(store: Store) -> None:
    """The backend of the next commit ends right after it, as if the answer had been lost."""
    commit = store.engine.dialect.do_commit

    def commit_and_break(connection: Any) -> None:
        commit(connection)
        store.engine.dialect.do_commit = commit  # type: ignore[method-assign]
        pid = connection.driver_connection.info.backend_pid
        connection.driver_connection.execute("SELECT pg_terminate_backend(%s)", [pid])

    store.engine.dialect.do_commit = commit_and_break  # type: ignore[method-assign]


def test_the_short_way_into_sqlite_stores_what_the_long_way_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stored(name: str) -> list[str]:
        database = tmp_path / name
        async with started(str(database)) as store:
            entries = [
                opening("here"),
                Append("here", 2, 7, "{}", listing={"people": 1, "free": 3}),
                Append("here", 3, 8, "{}", master=(2, b"n"), listing={"phase": "playing"}),
                play("here", 4, 0),
            ]
            for number, entry in enumerate(entries):
                entry.nonce = str(number)
                assert await store.append(entry)
        with closing(sqlite3.connect(database)) as connection:
            return [*connection.iterdump()]

    async def both() -> None:
        short = await stored("short.db")
        monkeypatch.setattr(SqliteLog, "append_all", lambda *_: False)
        assert await stored("long.db") == short

    asyncio.run(both())


def test_what_the_short_way_stored_without_knowing_is_not_doubled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all = SqliteLog.append_all

    def append_and_forget(*given: Any) -> bool:
        return append_all(*given) and False

    async def forget() -> None:
        async with started(str(tmp_path / "tables.db")) as store:
            monkeypatch.setattr(SqliteLog, "append_all", append_and_forget)
            assert await store.append(opening("here"))
            assert await store.append(play("here", 2, 0))
            assert not await store.append(play("here", 2, 1))
            assert await versions(store, "here") == [1, 2]

    asyncio.run(forget())


def test_the_short_way_is_open_again_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_all, stored = SqliteLog.append_all, []

    def append_and_note(*given: Any) -> bool:
        stored.append(append_all(*given))
        return stored[-1]

    async def fail() -> None:
        async with started(str(tmp_path / "tables.db")) as store:
            monkeypatch.setattr(SqliteLog, "append_all", append_and_note)
            assert await store.append(opening("here"))
            assert not await store.append(opening("here"))
            assert await store.append(play("here", 2))
            assert await versions(store, "here") == [1, 2]

    asyncio.run(fail())
    assert stored == [True, False, True]


def test_a_table_is_not_deleted_under_somebody_who_sits_down(shared: str) -> None:
    async def together() -> None:
        async with started(shared) as one, started(shared) as other:
            await one.append(opening("here"))
            await one.append(opening("there"))
            sat = threading.Event()

            def sit(connection: sa.Connection) -> None:
                one._append_one(connection, Append("here", 2, 2, "{}", listing={"people": 1}))
                sat.set()
                threading.Event().wait(0.2)  # before it is committed

            sitting = one.write(sit)
            await asyncio.to_thread(sat.wait)
            assert await other.delete_empty(10) == ["there"]
            await sitting
            assert await versions(other, "here") == [1, 2]
            with pytest.raises(TableGone):
                await one.append(play("there", 2))

    asyncio.run(together())


def test_the_first_review_that_is_stored_wins(database: str) -> None:
    """Two servers may make the same one."""

    async def keep_two() -> None:
        async with started(database) as store:
            await store.append(opening("here"))
            for content in ("first", "second"):
                await store.keep_review("here", 1, 0, content)
            found = [await store.review("here", 1, seat) for seat in (0, 1)]
            assert found == ["first", None]

    asyncio.run(keep_two())


def test_old_tables_are_deleted_unless_somebody_is_there(database: str) -> None:
    """An unfinished table earlier than a finished one; people may be at another server."""

    async def delete() -> None:
        async with started(database) as store:
            for code, seen, phase in (
                ("new", 300, "gathering"),
                ("old", 200, "playing"),
                ("over", 200, "over"),
                ("older", 100, "closed"),
                ("visited", 100, "over"),
            ):
                await store.append(opening(code, opened_at=seen))
                listing = {"phase": phase}
                await store.append(Append(code, 2, seen, "{}", listing=listing))
                await store.keep_record(code, 1, "{}")
                await store.keep_review(code, 1, 0, "{}")
            row = {"server": "other", "code": "visited", "seat": 0, "beat": 300}
            await store.write(lambda c: c.execute(sa.insert(schema.presence), row))
            await store.note_seen(["new"], 400)
            deleted = await store.delete_old(unfinished_before=250, finished_before=150)
            assert sorted(deleted) == ["old", "older"]
            assert await store.delete_old(unfinished_before=250, finished_before=150) == []
            assert await store.delete_old(unfinished_before=350, finished_before=150) == []
            left = ["new", "over", "visited"]
            parts = (schema.log, schema.seeds, schema.records, schema.reviews)
            for table in (schema.tables, *parts):
                codes = sa.select(table.c.code).distinct().order_by(table.c.code)
                found = await store.read(lambda c, codes=codes: list(c.execute(codes).scalars()))
                assert found == left
            await store.keep_record("old", 2, "{}")  # just too late
            await store.keep_review("old", 1, 0, "{}")

    asyncio.run(delete())


def test_what_the_list_leaves_out(database: str) -> None:
    """Tables where nobody has been for a while, and scripted ones."""

    async def list_tables() -> None:
        async with started(database) as store:
            for code, seen, scripted in (("a", 100, False), ("b", 200, False), ("c", 200, True)):
                row = {**ROW, "watch": "anyone", "people": 1, "opened_at": 0}
                row |= {"seen_at": seen, "scripted": scripted}
                await store.append(Append(code, 1, 0, "{}", opens=row))
            assert [row.code for row in await store.open_tables(10, seen_since=150)] == ["b"]

    asyncio.run(list_tables())


def test_servers_that_start_together_migrate_once(shared: str) -> None:
    stores = [Store(shared) for _ in range(6)]
    problems: list[Exception] = []

    def migrate(store: Store) -> None:
        try:
            store.migrate()
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=migrate, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with stores[0].engine.connect() as connection:
        assert sa.inspect(connection).has_table("log")
    for store in stores:
        store.close()
    assert not problems


def test_the_first_beats_of_two_servers_meet(shared: str) -> None:
    async def beat() -> None:
        async with started(shared) as one, started(shared) as other:
            await asyncio.gather(*(ServiceTime(store, 1).beat() for store in (one, other)))
            rows = await one.read(lambda c: c.execute(sa.select(schema.service)).all())
            assert [row.outage for row in rows] == [0]

    asyncio.run(beat())


def test_time_goes_on_where_it_stood_when_the_databases_clock_is_set_back(shared: str) -> None:
    async def beat() -> None:
        async with started(shared) as store:
            time = ServiceTime(store, 1)
            await time.start()
            before = time.now()
            hour = 3_600_000
            later = sa.update(schema.service).values(beat=schema.service.c.beat + hour)
            await store.write(lambda c: c.execute(later))  # as if it had been an hour later then
            await time.beat()
            # Service time has not lost the hour, though wall time has.
            assert abs(time.now() - before - hour) < 1000 * PATIENCE

    asyncio.run(beat())


def test_presence_lasts_as_long_as_its_server_beats(shared: str) -> None:
    async def come_and_go() -> None:
        async with started(shared) as store, started(shared) as second:
            one, other = Peers(store), Peers(second)
            await one.note_presence("here", 2, True, now=100)
            assert await other.elsewhere(["here", "there"], since=50) == {"here": {2}}
            assert await one.elsewhere(["here"], since=50) == {}
            assert await other.elsewhere(["here"], since=150) == {}
            await one.beat_presence(200, dead_before=150)
            await other.beat_presence(200, dead_before=150)
            assert await other.elsewhere(["here"], since=150) == {"here": {2}}
            await other.beat_presence(300, dead_before=250)
            rows = await store.read(lambda c: c.execute(sa.select(schema.presence)).all())
            assert rows == []

    asyncio.run(come_and_go())


def test_notices_of_others_reach_the_listener_even_after_it_was_cut_off(
    shared: str, postgres: Postgres
) -> None:
    async def listen() -> None:
        async with started(shared) as one, started(shared) as other:
            heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
            await other.append(opening("here"))
            Peers(one).listen(
                lambda code, version: heard.put_nowait((code, version)),
                used=lambda _: True,
                began=lambda _: None,
            )
            first = await _listener(postgres, shared, but=None)
            await other.append(play("here", 2))
            assert await heard.get() == ("here", 2)
            postgres.execute(shared, "SELECT pg_terminate_backend(%s)", first)
            await _listener(postgres, shared, but=first)
            channel = f"hastilude_{bucket_of('here')}"
            postgres.execute(shared, f"NOTIFY {channel}, 'something of somebody else'")
            await one.append(play("here", 3))  # its own are no news
            await other.append(play("here", 4))
            assert await heard.get() == ("here", 4)

    asyncio.run(asyncio.wait_for(listen(), PATIENCE))


async def _listener(postgres: Postgres, database: str, but: int | None) -> int:
    """The process that serves the listener, once it is there and is not a former one."""
    while True:
        for (pid,) in postgres.execute(
            database,
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'hastilude listener' AND query LIKE 'LISTEN%'"
            " AND state = 'idle'",
        ):
            if pid != but:
                return int(pid)
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@127.0.0.1:1/x", "postgresql://a:b@host:port/x"]
)
def test_what_is_wrong_with_a_database_is_said_in_one_line(url: str) -> None:
    with pytest.raises(OptionError) as refused:
        Store(url).migrate()
    assert refused.value.message.key == "store_unusable"
    assert "\n" not in str(refused.value.message.values["problem"])
