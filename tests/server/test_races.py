"""What may happen in between: tables that leave memory, submitters that vanish, work that fails."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hastilude.server.errors import Refusal
from hastilude.server.house import House
from hastilude.server.live import Live
from hastilude.server.store import Store
from hastilude.server.time import ServiceTime
from tests.server.running import GENEROUS, PATIENCE, SEED, Address, play_out

OPENING = {
    "game": "kings_tournament",
    "options": {},
    "clock": {"kind": "none", "seconds": 0, "increment": 0},
    "away": None,
    "watch": "link",
    "practice": False,
    "seats": [None, None],
}


@asynccontextmanager
async def house(database: Path | str, **settings: Any) -> AsyncIterator[House]:
    store = Store(str(database))
    store.migrate()
    opened = House(replace(GENEROUS, **settings), store)
    await opened.start()
    try:
        yield opened
    finally:
        await opened.stop()


async def sit(live: Live, seat: int) -> int:
    return await live.submit(lambda t: t.sit(seat, f"Player {seat}", f"key {seat}", SEED, None))


class Watcher:
    """A guest who counts the news."""

    seat = queued = None
    told = 0

    def __init__(self) -> None:
        self.pokes: list[int] = []

    def poke(self, live: Live) -> None:
        self.pokes.append(live.table.version)

    def reply(self, frame: bytes) -> None: ...

    def dismiss(self, key: str) -> None: ...


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_table_stays_in_memory_while_somebody_waits_for_it(tmp_path: Path) -> None:
    """One submission ends, the next has not gone on yet, and just then the sweep comes."""

    async def sweep_between() -> None:
        async with house(tmp_path / "tables.db") as here:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            notify = live.notify

            def notify_and_sweep() -> None:
                live.notify = notify  # type: ignore[method-assign]
                notify()
                live.touched = 0
                here.unload_idle()

            live.notify = notify_and_sweep  # type: ignore[method-assign]
            await asyncio.gather(sit(live, 0), live.submit(lambda t: t.say(0, "hello")))
            assert await here.live(code) is live
            assert live.table.version == 3

    asyncio.run(sweep_between())


def test_a_guest_of_a_table_that_has_just_left_memory_is_told_the_news(tmp_path: Path) -> None:
    """It left after the guest was let in, and before the guest was counted."""

    async def arrive_late() -> None:
        async with house(tmp_path / "tables.db") as here:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            live.touched = 0
            here.unload_idle()
            watcher = Watcher()
            here.arrive(watcher, live)
            await until(lambda: watcher.pokes)
            assert await sit(await here.live(code), 0) == 2
            assert watcher.pokes[-1] == 2
            here.depart(watcher, code)

    asyncio.run(arrive_late())


def test_a_table_that_leaves_memory_during_a_poll_is_not_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave() -> None:
        async with house(tmp_path / "tables.db") as here:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            versions = here.store.versions

            async def versions_and_sweep(codes: Any) -> dict[str, int]:
                found = await versions(codes)
                live.touched = 0
                here.unload_idle()
                return found

            monkeypatch.setattr(here.store, "versions", versions_and_sweep)
            await here._poll()
            assert not here._is_used(code)

    asyncio.run(leave())


def test_an_entry_whose_submitter_vanished_is_applied_and_told(tmp_path: Path) -> None:
    async def vanish() -> None:
        async with house(tmp_path / "tables.db") as here:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            watcher = Watcher()
            here.arrive(watcher, live)
            sitting = asyncio.create_task(sit(live, 0))
            await asyncio.sleep(0)  # now it waits for the commit
            sitting.cancel()
            with suppress(asyncio.CancelledError):
                await sitting
            await until(lambda: live.table.version == 2)
            assert watcher.pokes[-1] == 2
            assert await sit(live, 1) == 3

    asyncio.run(vanish())


def test_who_vanishes_while_the_database_is_away_waits_for_nothing(tmp_path: Path) -> None:
    """The entry is stored when the database answers again, and applied before the next one."""

    async def vanish() -> None:
        database = tmp_path / "tables.db"
        async with house(database) as here:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            with closing(sqlite3.connect(database)) as other:
                other.execute("BEGIN IMMEDIATE")  # nobody else can write
                sitting = asyncio.create_task(sit(live, 0))
                await asyncio.sleep(0.1)
                sitting.cancel()
                with suppress(asyncio.CancelledError):
                    await sitting
                assert live.table.version == 1
                following = asyncio.create_task(sit(live, 1))
                await asyncio.sleep(0.1)
                assert not following.done()
            assert await following == 3
            assert live.table.people() == [0, 1]

    asyncio.run(vanish())


def test_a_table_deleted_by_another_server_is_refused(shared: str) -> None:
    async def delete() -> None:
        async with house(shared, poll_seconds=600) as here, house(shared) as there:
            code, _ = await here.open(OPENING)
            live = await here.live(code)
            assert await there.store.delete_empty(here.time.now() + 1) == [code]
            with pytest.raises(Refusal) as refused:
                await asyncio.wait_for(sit(live, 0), PATIENCE)
            assert refused.value.message.key == "table_unknown"
            await here._poll()
            with pytest.raises(Refusal):
                await here.live(code)

    asyncio.run(delete())


def test_what_the_house_does_by_itself_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without beats time would stand still."""
    beat, beats = ServiceTime._beat, []

    def fail_once(self: ServiceTime, connection: Any, resuming: bool = False) -> tuple[int, int]:
        beats.append(self.now())
        if len(beats) == 2:
            raise ValueError("this once")
        return beat(self, connection, resuming)

    async def go_on() -> None:
        monkeypatch.setattr(ServiceTime, "_beat", fail_once)
        async with house(tmp_path / "tables.db", beat_seconds=0.05) as here:
            await until(lambda: len(beats) > 4)
            assert beats == sorted(beats)
            assert here.time.now() > beats[1]

    asyncio.run(go_on())


def test_one_stand_in_waits_for_the_database_not_hundreds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def overdue() -> None:
        async with house(tmp_path / "tables.db", beat_seconds=600.0) as here:
            clock = {"kind": "move", "seconds": 1, "increment": 0}
            code, _ = await here.open({**OPENING, "clock": clock})
            live = await here.live(code)
            for seat in (0, 1):
                await sit(live, seat)
            await until(lambda: live.table.phase == "playing")
            gate = asyncio.Event()
            append = here.store.append

            def wait(entry: Any) -> Any:
                async def later() -> bool:
                    await gate.wait()
                    return await append(entry)

                return asyncio.ensure_future(later())

            monkeypatch.setattr(here.store, "append", wait)
            await until(lambda: live.alarm.overdue == {0, 1})
            await asyncio.sleep(0.3)
            assert len(live._background) == 2
            gate.set()
            await until(lambda: all(seat.stand_in for seat in live.table.seats))

    asyncio.run(overdue())


def test_both_servers_may_close_a_table_but_it_is_closed_once(shared: str) -> None:
    async def leave() -> None:
        async with house(shared) as here, house(shared) as there:
            code, _ = await here.open({**OPENING, "seats": [None, "page"]})
            live = await here.live(code)
            await sit(live, 0)
            other = await there.live(code)
            there.arrive(Watcher(), other)  # a table that is only played elsewhere leaves memory
            await until(lambda: live.table.phase == "playing")
            await live.submit(lambda t: t.leave(0))
            await until(lambda: live.table.phase == "closed")
            await until(lambda: other.table.phase == "closed")
            await asyncio.sleep(0.3)
            kinds = [row.entry for row in await here.store.entries(code) if "closed" in row.entry]
            assert len(kinds) == 1

    asyncio.run(leave())


def test_the_failure_of_what_follows_by_itself_is_noted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no idea")

    async def think() -> None:
        async with house(tmp_path / "tables.db") as here:
            monkeypatch.setattr("hastilude.server.bot_seats.choose", fail)
            code, _ = await here.open({**OPENING, "seats": [None, "page"]})
            live = await here.live(code)
            here.arrive(Watcher(), live)  # bots do not think where nobody is
            await sit(live, 0)
            await until(lambda: any(code in record.message for record in caplog.records))

    asyncio.run(think())
    assert "no idea" in caplog.text


def test_an_id_of_the_last_match_is_free_again(server: Address) -> None:
    code = server.open_table("kings_tournament")["code"]
    clients = [server.client(code, server.sit(code, name)["token"]) for name in ("Ada", "Bruno")]
    one = clients[0]
    one.wait_for(lambda update: update["match"] == 1)
    first = one.play(*one.first_choice(), id="first")
    assert first["type"] == "done"
    for client in clients:
        client.reach(first["version"])
    play_out(clients)
    for client in clients:
        client.send("rematch", seed=SEED)
    one.wait_for(lambda update: update["match"] == 2)
    again = one.play(*one.first_choice(), id="first")
    assert again["type"] == "done"
    assert again["version"] > first["version"]


def test_a_table_that_rests_leaves_memory_without_the_garbage_collector(tmp_path: Path) -> None:
    async def rest() -> None:
        async with house(tmp_path / "tables.db", warm_seconds=0.05) as here:
            code, _ = await here.open({**OPENING, "away": 3600})
            for seat in (0, 1):
                await sit(await here.live(code), seat)
            table = weakref.ref((await here.live(code)).table)
            await until(lambda: table() is None)

    gc.collect()
    gc.disable()
    try:
        asyncio.run(rest())
    finally:
        gc.enable()
