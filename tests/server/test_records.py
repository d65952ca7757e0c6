"""Records of finished matches: kept when the match ends, made from the log if they were not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from hastilude.core.record import Record
from hastilude.server import outbound, schema
from hastilude.server import replay as replaying
from hastilude.server.replay import Replayer
from hastilude.server.store import Store
from hastilude.server.table import Table
from tests.server.running import GENEROUS, SEED, Address, Client, in_thread, play_out

SHORT = {"options": {"players": 2}}


def two_players(server: Address) -> tuple[str, list[Client]]:
    code = server.open_table("triatri", **SHORT)["code"]
    tokens = [server.sit(code, name)["token"] for name in ("Anna", "Ben")]
    return code, [server.client(code, token) for token in tokens]


def play_again(clients: list[Client]) -> None:
    number = clients[0].update["match"] + 1
    for client in clients:
        client.send("rematch", seed=SEED)
    for client in clients:
        client.wait_for(lambda update: update["match"] == number)


def play_matches(server: Address, count: int) -> str:
    code, clients = two_players(server)
    play_out(clients)
    for _ in range(count - 1):
        play_again(clients)
        play_out(clients)
    clients[0].send("say", phrase="good_game")  # what was written before it is on the disk, too
    clients[0].wait_for(lambda update: update["said"])
    return code


def record(server: Address, code: str, number: int) -> str:
    answer = server.request("GET", f"/api/tables/{code}/matches/{number}/record")
    assert answer.status_code == 200, answer.text
    return answer.text


@contextmanager
def connected(database: str) -> Iterator[sa.Connection]:
    """To look at the database beside a server, or to change it between two."""
    engine = Store(database).engine
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def kept(database: str) -> dict[int, str]:
    with connected(database) as connection:
        records = schema.records.c
        return dict(connection.execute(sa.select(records.number, records.record)).all())


class Forbidden(Exception):
    """Something that must not happen has happened."""


def forbid(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise Forbidden(name)

    monkeypatch.setattr(owner, name, refuse)


def test_nothing_is_replayed_for_a_record(server: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    code = play_matches(server, 3)
    forbid(monkeypatch, Store, "entries")
    forbid(monkeypatch, Table, "apply")
    forbid(monkeypatch, Table, "record")
    for number in (1, 2, 3):
        assert Record.from_json(record(server, code, number)).winners is not None
        steps = server.get(f"/api/tables/{code}/matches/{number}/replay?seat=1")
        assert steps[-1]["view"]


def test_a_kept_record_is_the_replay_byte_for_byte(database: str) -> None:
    """Without the rows, as in a database from before there were any, they are made once."""
    settings = replace(GENEROUS, database=database)
    with in_thread(settings) as server:
        code = play_matches(server, 2)
    records = kept(database)
    assert sorted(records) == [1, 2]
    with connected(database) as connection:
        connection.execute(sa.delete(schema.records))
    with in_thread(settings) as server:
        assert {number: record(server, code, number) for number in (1, 2)} == records
        assert kept(database) == records


def test_a_record_that_is_missing_is_made_once_for_all_who_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    made: list[int] = []
    make = Table.record

    def counted(table: Table) -> Record:
        made.append(table.number)
        return make(table)

    with in_thread(settings) as server:
        code = play_matches(server, 2)
    with connected(settings.database) as connection:
        connection.execute(sa.delete(schema.records))
    with in_thread(settings) as server, ThreadPoolExecutor(8) as crowd:
        monkeypatch.setattr(Table, "record", counted)
        found = {*crowd.map(lambda _: record(server, code, 1), range(8))}
        assert found == {record(server, code, 1)}
    assert made == [1]


def test_an_abandoned_match_has_a_record(database: str) -> None:
    settings = replace(GENEROUS, database=database)
    with in_thread(settings) as server:
        code, clients = two_players(server)
        for client in clients:
            client.wait_for(lambda update: update["match"] == 1)
        mover = next(client for client in clients if client.update["legal"])
        mover.play(*mover.first_choice())
        watcher = server.client(code)
        for client in clients:
            client.send("leave")
        watcher.wait_for(lambda update: update["phase"] == "closed")
        found = record(server, code, 1)
        assert Record.from_json(found).end == {"reason": "abandoned"}
    assert kept(database) == {1: found}
    with connected(database) as connection:
        connection.execute(sa.delete(schema.records))
    with in_thread(settings) as server:
        assert record(server, code, 1) == found


def test_nothing_of_a_running_match_can_be_had(tmp_path: Path) -> None:
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    with in_thread(settings) as server:
        code, clients = two_players(server)
        play_out(clients)
        play_again(clients)
        mover = next(client for client in clients if client.update["legal"])
        mover.play(*mover.first_choice())
        for what in ("record", "replay"):
            for number, status in ((1, 200), (2, 409), (3, 404)):
                path = f"/api/tables/{code}/matches/{number}/{what}"
                assert server.request("GET", path).status_code == status
        assert [*kept(settings.database)] == [1]


def test_replays_are_made_in_one_thread(server: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    code = play_matches(server, 1)
    threads: list[threading.Thread] = []
    make = outbound.replay_steps

    def noted(text: str, viewer: int | None) -> bytes:
        threads.append(threading.current_thread())
        return make(text, viewer)

    monkeypatch.setattr(outbound, "replay_steps", noted)
    path = f"/api/tables/{code}/matches/1/replay"
    with ThreadPoolExecutor(8) as crowd:
        answers = [*crowd.map(lambda _: server.request("GET", path).text, range(8))]
    assert len({*answers}) == 1
    assert len(threads) == 8
    assert len({*threads}) == 1


# --- replaying a log ------------------------------------------------------------------------------


def test_others_get_their_turn_while_a_log_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a second log waits for the first."""
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    with in_thread(settings) as server:
        codes = [play_matches(server, 1) for _ in range(2)]
    monkeypatch.setattr(replaying, "SLICE_SECONDS", 0.0)
    applied: list[str] = []
    apply = Table.apply

    def noted(table: Table, *arguments: Any) -> None:
        applied.append(table.code)
        apply(table, *arguments)

    monkeypatch.setattr(Table, "apply", noted)

    async def replay_both() -> int:
        store = Store(settings.database)
        store.migrate()
        store.start()
        replayer = Replayer(store)
        both = asyncio.gather(*(replayer.table(code) for code in codes))
        turns = 0
        while not both.done():
            await asyncio.sleep(0)
            turns += 1 if applied else 0
        await both
        await store.stop()
        return turns

    turns = asyncio.run(replay_both())
    assert turns >= len(applied)
    changes = [code for code, before in zip(applied[1:], applied, strict=False) if code != before]
    assert len(changes) == 1


# --- how many matches -----------------------------------------------------------------------------


def test_a_table_has_a_bounded_number_of_matches(tmp_path: Path) -> None:
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"), matches_per_table=2)
    with in_thread(settings) as server:
        _, clients = two_players(server)
        play_out(clients)
        play_again(clients)
        play_out(clients)
        for client in clients:
            client.send("rematch", seed=SEED)
            reason = client.expect("refused")["reason"]
            assert (reason["key"], reason["values"]) == ("too_many_matches", {"most": 2})
            assert client.update["rematch"] == []
