"""What a flooder does to the others: their times with and without one, and how soon it is closed.

    python bench/flood.py [--tables 20] [--seconds 8] [--rounds 3]

A server with its usual limits; tables of two players who each think a little; and one other address
that opens connection after connection and sends frames, pings or fragments as fast as it can. Quiet
and flooded stretches take turns, so that the machine's own moods fall on both.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import multiprocessing
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect as connect_now

THINK_SECONDS = 0.1
FLOODER = "127.0.0.2"  # rates are by address, so every table has one of its own: 127.0.1.1 and on
SEED = "ab" * 16
FLOODS = {
    "frames": Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True) * 4000,
    "questions": Frame(Opcode.TEXT, b'{"type":"since","version":0}').serialize(mask=True) * 4000,
    "pings": Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 4000,
    "fragments": Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
    + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 4000,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        asyncio.run(measure(url, wanted.tables, wanted.seconds, wanted.rounds))


@contextlib.contextmanager
def served(folder: Path) -> Any:
    command = [sys.executable, "-m", "hastilude", "serve", "--port", "0"]
    command += ["--database", str(folder / "tables.db")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        lines = (re.search(r"http://[^ ]*\d", line) for line in process.stdout)
        yield next(found for found in lines if found)[0]
    finally:
        process.terminate()
        process.wait()


# --- the players ----------------------------------------------------------------------------------


@dataclass
class Times:
    """Seconds from a play to its acknowledgement."""

    running: list[float] = field(default_factory=list)

    def take(self) -> list[float]:
        taken, self.running = self.running, []
        return taken


async def measure(url: str, tables: int, seconds: float, rounds: int) -> None:
    times = Times()
    players = [asyncio.create_task(play(url, *seat, times)) for seat in sit(url, tables)]
    await asyncio.sleep(2)  # the first moves
    quiet, flooded = [], []
    for number in range(1, rounds + 1):
        times.take()
        await asyncio.sleep(seconds)
        quiet.append(times.take())
        closings = await flooding(url, seconds)
        flooded.append(times.take())
        print(f"round {number}: quiet {told(quiet[-1])}   flooded {told(flooded[-1])}")
        for kind, took in closings.items():
            print(f"  {kind}: {len(took)} connections, closed after at most {max(took):.3f} s")
    slower = [p99(after) / p99(before) for before, after in zip(quiet, flooded, strict=True)]
    print(f"p99 flooded / quiet, median of {rounds}: {statistics.median(slower):.2f}")
    assert not any(player.done() for player in players), "a player was lost"
    for player in players:
        player.cancel()


def sit(url: str, tables: int) -> list[tuple[str, str, str]]:
    """Addresses, codes and tokens of two seats a table."""
    found = []
    for number in range(1, tables + 1):
        home = f"127.0.1.{number}"
        code = post(url, home, "/api/tables", {"game": "triatri", "options": {"players": 2}})[
            "code"
        ]
        for name in ("Ada", "Ben"):
            seat = post(url, home, f"/api/tables/{code}/seats", {"name": name, "seed": SEED})
            found.append((home, code, seat["token"]))
    return found


def post(url: str, home: str, path: str, body: Any) -> Any:
    line = http.client.HTTPConnection(url.removeprefix("http://"), source_address=(home, 0))
    line.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    return json.load(line.getresponse())


async def play(url: str, home: str, code: str, token: str, times: Times) -> None:
    where = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    async with connect(where, compression=None, local_addr=(home, 0)) as line:
        await line.send(json.dumps({"type": "hello", "token": token}))
        for number in itertools.count():
            await one_move(line, number, times)


async def one_move(line: ClientConnection, number: int, times: Times) -> None:
    """Wait for the turn, think, play, and wait until it is kept; after the match another one."""
    update = json.loads(await line.recv())
    if update["type"] != "update":
        return
    if update["phase"] == "over" and not update["rematch"]:
        await line.send(json.dumps({"type": "rematch", "seed": SEED}))
    if not update["legal"]:
        return
    await asyncio.sleep(THINK_SECONDS)
    move = {"id": str(number), "version": update["version"], "actions": update["legal"][:1]}
    start = time.perf_counter()
    await line.send(json.dumps({"type": "play", **move}))
    while json.loads(await line.recv())["type"] not in ("done", "refused"):
        pass
    times.running.append(time.perf_counter() - start)


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def told(times: list[float]) -> str:
    return f"p50 {1000 * statistics.median(times):.1f} ms, p99 {1000 * p99(times):.1f} ms"


# --- the flooder ----------------------------------------------------------------------------------


async def flooding(url: str, seconds: float) -> dict[str, list[float]]:
    """How long each connection of the flooder lived, by what it sent."""
    spawn = multiprocessing.get_context("spawn")
    found: Any = spawn.Queue()
    process = spawn.Process(target=flood, args=(url, seconds, found))
    process.start()
    closings = await asyncio.to_thread(found.get)
    process.join()
    return {kind: took for kind, took in closings.items() if took}


def flood(url: str, seconds: float, found: Any) -> None:
    code = post(url, FLOODER, "/api/tables", {"game": "triatri"})["code"]
    host, port = url.removeprefix("http://").split(":")
    closings: dict[str, list[float]] = {kind: [] for kind in FLOODS}
    end = time.monotonic() + seconds
    for kind, content in itertools.cycle(FLOODS.items()):
        if time.monotonic() > end:
            break
        try:
            line = socket.create_connection((host, int(port)), source_address=(FLOODER, 0))
            opened = connect_now(f"ws://{host}:{port}/api/tables/{code}/socket", sock=line)
        except Exception:  # it opens too many
            time.sleep(0.02)
            continue
        opened.send('{"type": "hello"}')
        start = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                line.sendall(content)
        closings[kind].append(time.monotonic() - start)
        line.close()
    found.put(closings)


if __name__ == "__main__":
    main()
