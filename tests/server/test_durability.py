"""Promise 1: an acknowledged move survives."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.crowd import (
    FREE,
    Player,
    all_come,
    all_stay,
    check_log,
    check_views,
    gather_players,
)
from tests.server.running import Process, process


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.soak)])
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
    for player in players:
        await player.leave()
    return unsure
