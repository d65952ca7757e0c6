"""Promise 1: an acknowledged move survives."""

import asyncio
import random
import runpy
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.crowd import (
    FREE,
    Player,
    all_come,
    all_leave,
    all_stay,
    check_log,
    check_views,
    entries,
    gather_players,
)
from tests.server.running import GENEROUS, SEED, Address, Process, in_thread, play_out, process

ROOT = Path(__file__).parents[2]
FILL = runpy.run_path(str(ROOT / "bench" / "restart.py"))["fill"]


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.soak)])
def test_kills_lose_and_double_nothing(tmp_path: Path, kills: int) -> None:
    database = tmp_path / "tables.db"
    with process(database, "--config", FREE) as server:
        players = gather_players(server.address, tables=50)
        unsure = asyncio.run(play_through_kills(server, database, players, kills))
        check_log(players, database)
    assert unsure  # else no kill came in the middle of anything
    assert all(player.acknowledged for player in players)


async def play_through_kills(
    server: Process, database: Path, players: list[Player], kills: int
) -> int:
    """Returns how many plays were under way when the server was killed."""
    unsure = 0
    await all_come(players, server.address)
    for _ in range(kills):
        playing = asyncio.create_task(all_stay(players))
        await asyncio.sleep(random.uniform(0.1, 0.8))
        server.kill()
        await playing
        unsure += sum(player.waiting is not None for player in players)
        told = [player.update for player in players]
        await asyncio.to_thread(server.start)
        check_views(players, database)
        assert told == [player.update for player in players]
        await all_come(players, server.address)
        check_views(players, database)
    await all_leave(players)
    return unsure


def test_sigterm_drains(tmp_path: Path) -> None:
    """What was begun is kept and acknowledged, what was not is neither."""
    database = tmp_path / "tables.db"
    with process(database, "--config", FREE) as server:
        players = gather_players(server.address, tables=20)
        assert asyncio.run(play_until_stopped(server, players)) == 0
        assert {player.closed for player in players} == {(1001, "closing")}
        assert all(player.notices == ["closing"] for player in players)
        check_log(players, database)
        for player in players:
            kept = {entry.get("id") for _, entry in entries(database, player.code)}
            assert player.waiting is None or player.waiting.id not in kept
        server.start()
        check_views(players, database)
        asyncio.run(come_and_go(players, server.address))
        check_log(players, database)


async def play_until_stopped(server: Process, players: list[Player]) -> int:
    await all_come(players, server.address)
    playing = asyncio.create_task(all_stay(players))
    while not all(player.acknowledged for player in players):
        await asyncio.sleep(0.05)
    exit_code = await asyncio.to_thread(server.terminate)
    await playing
    return exit_code


async def come_and_go(players: list[Player], address: Address) -> None:
    await all_come(players, address)
    await all_leave(players)


def test_clocks_stand_still_while_the_server_is_away(tmp_path: Path) -> None:
    away = 1.0
    settings = replace(GENEROUS, database=str(tmp_path / "tables.db"))
    with in_thread(settings) as address:
        code = address.open_table(clock={"kind": "bank", "seconds": 300}, away=None)["code"]
        token, _ = (address.sit(code, name)["token"] for name in ("Anna", "Ben"))
        before, then = clock(address, code, token), time.monotonic()
    time.sleep(away)
    with in_thread(settings) as address:
        after, now = clock(address, code, token), time.monotonic()
    assert before - after <= 1000 * (now - then - away)
    assert after <= 300_000


def clock(address: Address, code: str, token: str) -> int:
    """The milliseconds left of the first seat, whose clock runs."""
    client = address.client(code, token)
    seat = client.wait_for(lambda update: update["phase"] == "playing")["seats"][0]
    client.close()
    assert seat["running"]
    return int(seat["left"])


@pytest.mark.parametrize("tables", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_tables_come_back_on_first_touch(tmp_path: Path, tables: int) -> None:
    database = tmp_path / "tables.db"
    kept = FILL(database, tables)
    players = [
        Player(code, seat, token)
        for code, table in kept.items()
        for seat, token in enumerate(table.tokens)
    ]
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        asyncio.run(come_and_go(players, address))
    for player in players:
        table = kept[player.code]
        assert player.update["version"] == table.version
        assert player.update["view"] == table.views[player.seat]


def test_an_id_may_be_used_again_in_the_next_match(server: Address) -> None:
    """A client may count its plays from 1 in every match."""
    code = server.open_table("triatri", options={"players": 2})["code"]
    sittings = [server.sit(code, name) for name in ("Anna", "Ben")]
    clients = [server.client(code, sitting["token"]) for sitting in sittings]
    ended = play_out(clients)["version"]
    for client in clients:
        client.send("rematch", seed=SEED)
    for client in clients:
        client.wait_for(lambda update: update["match"] == 2)
    mover = next(client for client in clients if client.update["legal"])
    old = next(frame["id"] for frame in mover.frames if frame["type"] == "done")
    choice = mover.first_choice()
    assert mover.play(*choice, id=old)["version"] > ended
    again = mover.play(*choice, id=old)
    assert again["type"] == "done"
    play_out(clients)
