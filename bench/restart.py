"""Measures how soon a killed server answers again, with many open tables in its database.

    python bench/restart.py --tables 1000 --kills 5

For each start after `kill -9`, prints the seconds from the command to the first answer of /health
and to the first update of a table, which must be rebuilt from its log. Also prints the CPU seconds
that the server used until then, which depend less on how busy the machine is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import to_json
from websockets.sync.client import connect

from hastilude.core.game import Game
from hastilude.games.registry import load
from hastilude.protocol import Clock
from hastilude.server.house import House
from hastilude.server.live import Live
from hastilude.server.settings import Settings
from hastilude.server.store import Store
from hastilude.server.tokens import key_of

COMMAND = [sys.executable, "-c", "import sys; from hastilude.cli import main; sys.exit(main())"]
GAME = "kings_tournament"
TARGET = 3.0


@dataclass
class Kept:
    """A table before the restart: the token of each seat, and the last update it got."""

    tokens: list[str]
    version: int
    views: list[Any]


def fill(database: Path, tables: int, choices: int = 20) -> dict[str, Kept]:
    """Fill a database with tables in the middle of a match, using the server's own code."""
    return asyncio.run(_fill(Settings(database=str(database)), tables, choices))


async def _fill(settings: Settings, tables: int, choices: int) -> dict[str, Kept]:
    store = Store(settings.database)
    store.migrate()
    house = House(settings, store)
    await house.start()
    kept = dict(await asyncio.gather(*(_table(house, choices) for _ in range(tables))))
    await house.stop()
    return kept


async def _sit(live: Live, seat: int, token: str) -> None:
    await live.submit(lambda t: t.sit(seat, f"Player {seat}", key_of(token), "ab" * 16, None))


async def _table(house: House, choices: int) -> tuple[str, Kept]:
    game = load(GAME, best_of=7)
    fields = {"game": GAME, "options": game.options, "clock": Clock(), "away": None}
    fields |= {"watch": "link", "practice": False, "seats": [None] * game.seats}
    code, _ = await house.open(fields)
    live = await house.live(code)
    tokens = [house.sources.token() for _ in range(game.seats)]
    for seat, token in enumerate(tokens):
        await _sit(live, seat, token)
    while live.table.match is None:
        await asyncio.sleep(0)
    for number in range(choices):
        await _play(live, game, f"{number}")
    match, version = live.table.match, live.table.version
    views = [json.loads(to_json(match.view(seat))) for seat in range(game.seats)]
    return code, Kept(tokens, version, views)


async def _play(live: Live, game: Game, id: str) -> None:
    match = live.table.match
    if match is None or match.over:
        return
    seat = match.pending[0]
    rehearsal = match.rehearse(seat)
    actions = []
    while not rehearsal.whole:
        actions.append(game.text(random.choice(rehearsal.legal())))
        rehearsal.play(actions[-1])
    await live.submit(lambda table: table.play(seat, table.version, actions, id))


def restarts(database: Path, kept: dict[str, Kept], kills: int) -> Iterator[tuple[float, ...]]:
    """For each kill: the seconds to the first answer and to the first table, and CPU seconds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*COMMAND, "serve", "--port", str(port), "--database", str(database)]
    for _ in range(kills + 1):  # there is no kill before the first start
        start = time.perf_counter()
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_health(f"http://127.0.0.1:{port}/health")
        answered = time.perf_counter() - start
        code, table = random.choice(list(kept.items()))
        touch(f"ws://127.0.0.1:{port}/api/tables/{code}/socket", table)
        touched = time.perf_counter() - start
        server.kill()
        _, server.returncode, used = os.wait4(server.pid, 0)
        yield answered, touched, used.ru_utime + used.ru_stime


def wait_for_health(url: str) -> None:
    while True:
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            time.sleep(0.005)


def touch(url: str, table: Kept) -> None:
    """Connect to a table and check that it is as it was before."""
    with connect(url, compression=None) as guest:
        guest.send(json.dumps({"type": "hello", "token": table.tokens[0]}))
        while (frame := json.loads(guest.recv()))["type"] != "update":
            pass
    assert (frame["version"], frame["view"]) == (table.version, table.views[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tables.db"
        kept = fill(database, given.tables)
        print(f"{given.tables} tables, {sum(table.version for table in kept.values())} entries")
        print("answers  first table   CPU   (seconds)")
        times = []
        for number, (answered, touched, cpu) in enumerate(restarts(database, kept, given.kills)):
            note = "" if number else "   not counted: no kill"
            print(f"{answered:7.2f}  {touched:11.2f}  {cpu:4.2f}{note}")
            times += [touched] if number else []
    verdict = "under" if max(times) < TARGET else "NOT under"
    print(f"median {statistics.median(times):.2f}, longest {max(times):.2f}: {verdict} {TARGET} s")


if __name__ == "__main__":
    main()
