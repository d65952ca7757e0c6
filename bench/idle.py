"""Measures how much memory many idle tables with open sockets use.

    python bench/idle.py --tables 5000

Opens tables with two connected players each, waits until the tables have left memory, prints the
server's resident memory, and then uses some of the tables again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from websockets.asyncio.client import ClientConnection, connect

AT_ONCE = 50
WARM_SECONDS = 3
SETTINGS = f"""
sockets = 100000
connections_per_address = 100000
connection_rate = [1000000, 1000000]
sockets_per_address = 100000
tables_per_address = 100000
request_rate = [1e9, 1e9]
opening_rate = [1e9, 1e9]
address_rate = [1e9, 1e9]
warm_seconds = {WARM_SECONDS}
ping_seconds = 600
"""


def resident(process: int) -> int:
    """The resident memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


async def sit(http: httpx.AsyncClient, url: str, code: str, seat: int) -> ClientConnection:
    body = {"name": f"p{seat}", "seed": "ab" * 16, "seat": seat}
    token = (await http.post(f"/api/tables/{code}/seats", json=body)).json()["token"]
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    socket = await connect(address, compression=None, ping_interval=None, max_queue=4)
    await socket.send(json.dumps({"type": "hello", "token": token}))
    await socket.recv()
    return socket


async def open_tables(url: str, count: int) -> list[ClientConnection]:
    sockets: list[ClientConnection] = []
    gate = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=url, timeout=60, verify=False) as http:

        async def open_table() -> None:
            async with gate:
                wanted = {"game": "kings_tournament", "away": None}
                code = (await http.post("/api/tables", json=wanted)).json()["code"]
                sockets.extend([await sit(http, url, code, seat) for seat in (0, 1)])

        await asyncio.gather(*(open_table() for _ in range(count)))
    return sockets


async def touch(sockets: list[ClientConnection]) -> float:
    """Seconds until the tables of all these sockets have answered; they were not in memory."""
    start = time.perf_counter()
    for socket in sockets:
        await socket.send(json.dumps({"type": "ask", "id": "touch"}))
    for socket in sockets:
        while json.loads(await socket.recv())["type"] != "answer":
            pass
    return time.perf_counter() - start


async def measure(url: str, process: int, count: int) -> None:
    print(f"before: {resident(process)} MB")
    sockets = await open_tables(url, count)
    metrics = f"{url}/metrics"
    deadline = time.monotonic() + 60
    while "hastilude_tables_in_memory 0.0" not in httpx.get(metrics, verify=False).text:
        assert time.monotonic() < deadline, "the tables did not leave memory"
        await asyncio.sleep(1)
    print(f"{count} idle tables, {len(sockets)} sockets: {resident(process)} MB")
    some = sockets[:200:2]
    print(f"{len(some)} of them touched again: {await touch(some):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5000)
    count = parser.parse_args().tables
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "idle.toml"
        config.write_text(SETTINGS)
        command = "import sys; from hastilude.cli import main; sys.exit(main())"
        arguments = ["serve", "--port", "0", "--database", f"{folder}/tables.db"]
        server = subprocess.Popen(
            [sys.executable, "-c", command, *arguments, "--config", str(config)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdout
        line = next(line for line in server.stdout if "http://" in line)
        try:
            url = line[line.index("http://") :].strip().rstrip(".")
            asyncio.run(measure(url, server.pid, count))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
