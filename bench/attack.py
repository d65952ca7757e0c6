"""Measures how an attack affects other players' waiting times and the server's memory.

    python bench/attack.py [ATTACK …] [--tables 20] [--seconds 8] [--rounds 3]

The server has its usual limits. At tables of two, people think a little and play; at a few others,
somebody plays against a squire. Each table has its own address, and so does the attacker. Periods
with and without the attack alternate, so that changes in the machine's speed affect both.
"""

from __future__ import annotations

import argparse
import asyncio
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection as Line
from websockets.sync.client import connect as connect_now

HERE = Path(__file__).parent
THINK_SECONDS = 0.1
BOT_TABLES = 4
ATTACKER = "127.0.0.2"  # limits are per address; the tables have their own, from 127.0.1.1
SILENT = [f"127.0.2.{number}" for number in range(1, 7)]
MATCHES = 100  # at the table whose records and reviews are requested: the maximum
RECORDS_PER_SECOND = 9  # within the limits
SEED = "ab" * 16
MEGABYTE = 1024  # kilobytes, the unit of /proc


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=" ".join(ATTACKS))
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    for attack in wanted.attacks or ATTACKS:
        print(f"{attack}: {measure(attack, wanted.tables, wanted.seconds, wanted.rounds)}")


@dataclass
class Damage:
    """Medians over the rounds; for memory, the largest increase."""

    p99: float  # seconds from a play to its acknowledgement, without the attack
    p99_attacked: float
    bots: float  # median seconds until a squire answers, without the attack
    bots_attacked: float
    megabytes: float

    def __str__(self) -> str:
        return (
            f"p99 {1000 * self.p99:.1f} → {1000 * self.p99_attacked:.1f} ms "
            f"({self.p99_attacked / self.p99:.2f} times), "
            f"squires {self.bots:.2f} → {self.bots_attacked:.2f} s "
            f"({self.bots_attacked / self.bots:.2f} times), memory +{self.megabytes:.0f} MB"
        )


def measure(attack: str, tables: int = 20, seconds: float = 8, rounds: int = 3) -> Damage:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tables.db"
        code = old_table(database) if attack in ("records", "reviews") else ""
        with served(database) as (url, process):
            return asyncio.run(_measure(attack, code, url, process, tables, seconds, rounds))


@contextmanager
def served(database: Path, *more: str) -> Iterator[tuple[str, int]]:
    """Run a server; yields its address and process id."""
    command = [sys.executable, "-m", "hastilude", "serve", "--port", "0"]
    command += ["--database", str(database), *more]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        lines = (re.search(r"http://[^ ]*\d", line) for line in process.stdout)
        try:
            yield next(found for found in lines if found)[0], process.pid
        finally:
            process.terminate()


async def _measure(
    attack: str, code: str, url: str, process: int, tables: int, seconds: float, rounds: int
) -> Damage:
    times = Times()
    people = [asyncio.create_task(play(url, *seat, times)) for seat in sit(url, tables)]
    people += [asyncio.create_task(play(url, *seat, times)) for seat in sit_with_bots(url, tables)]
    striker = Striker(attack, url, code)
    await asyncio.to_thread(striker.ready.wait)
    await asyncio.sleep(3)  # the first moves
    quiet, attacked, grown = [], [], []
    for _ in range(rounds):
        times.take()
        before = await most_memory(process, seconds)
        quiet.append(times.take())
        striker.strike(seconds)
        grown.append(await most_memory(process, seconds) - before)
        attacked.append(times.take())
        await asyncio.to_thread(striker.done.wait)
        striker.done.clear()
    lost = [person.exception() for person in people if person.done()]
    assert not lost, lost
    for person in people:
        person.cancel()
    striker.end()
    return Damage(
        p99=statistics.median(p99(plays) for plays, _ in quiet),
        p99_attacked=statistics.median(p99(plays) for plays, _ in attacked),
        bots=statistics.median(statistics.median(bots) for _, bots in quiet),
        bots_attacked=statistics.median(statistics.median(bots) for _, bots in attacked),
        megabytes=max(grown) / MEGABYTE,
    )


async def most_memory(process: int, seconds: float) -> int:
    """The peak memory of a process during some seconds, in kilobytes."""
    end, most = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        status = Path(f"/proc/{process}/status").read_text()
        most = max(most, int(status.split("VmRSS:")[1].split()[0]))
        await asyncio.sleep(0.05)
    return most


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


# --- the people -----------------------------------------------------------------------------------


@dataclass
class Times:
    """Seconds from a play to its acknowledgement, and from a bot's turn to its play."""

    plays: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)

    def take(self) -> tuple[list[float], list[float]]:
        taken = self.plays, self.bots
        self.plays, self.bots = [], []
        return taken


Seat = tuple[str, str, str]  # address, code, token


def sit(url: str, tables: int) -> list[Seat]:
    """Two people per table."""
    found = []
    for number in range(1, tables + 1):
        home = f"127.0.1.{number}"
        code = open_table(url, home)
        found += [sit_down(url, home, code, name) for name in ("Ada", "Ben")]
    return found


def sit_with_bots(url: str, tables: int) -> list[Seat]:
    """People who play against a squire each."""
    homes = [f"127.0.1.{tables + number}" for number in range(1, BOT_TABLES + 1)]
    return [
        sit_down(url, home, open_table(url, home, seats=[None, "squire"]), "Cleo") for home in homes
    ]


def open_table(url: str, home: str, **wanted: Any) -> str:
    body = {"game": "triatri", "options": {"players": 2}, **wanted}
    return str(post(url, home, "/api/tables", body)["code"])


def sit_down(url: str, home: str, code: str, name: str) -> Seat:
    seat = post(url, home, f"/api/tables/{code}/seats", {"name": name, "seed": SEED})
    return home, code, seat["token"]


def post(url: str, home: str, path: str, body: Any) -> Any:
    return request(url, home, "POST", path, json.dumps(body))


def request(url: str, home: str, method: str, path: str, body: str | None = None) -> Any:
    line = http.client.HTTPConnection(url.removeprefix("http://"), source_address=(home, 0))
    line.request(method, path, body, {"content-type": "application/json"})
    answer = json.load(line.getresponse())
    line.close()
    return answer


async def play(url: str, home: str, code: str, token: str, times: Times) -> None:
    where = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    async with connect(where, compression=None, local_addr=(home, 0)) as line:
        await line.send(json.dumps({"type": "hello", "token": token}))
        asked = 0.0
        for number in itertools.count():
            update = json.loads(await line.recv())
            if update["type"] != "update":
                continue
            if asked:
                times.bots.append(time.perf_counter() - asked)
            alone = bool(update["view"]) and update["view"]["pending"] == [1]
            asked = time.perf_counter() if alone and update["seats"][1]["kind"] == "bot" else 0.0
            await one_move(line, update, number, times)


async def one_move(line: ClientConnection, update: Any, number: int, times: Times) -> None:
    """If it is their turn, think, play and wait for the acknowledgement; agree to rematches."""
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
    times.plays.append(time.perf_counter() - start)


def old_table(database: Path) -> str:
    """Make a table with many finished matches, without limits; returns its code."""
    with served(database, "--config", str(HERE / "load.toml")) as (url, _):
        code = open_table(url, ATTACKER)
        seats = [sit_down(url, ATTACKER, code, name) for name in ("Ada", "Ben")]
        asyncio.run(play_matches(url, seats))
    return code


async def play_matches(url: str, seats: list[Seat]) -> None:
    async def fast(home: str, code: str, token: str) -> None:
        where = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
        async with connect(where, compression=None, local_addr=(home, 0)) as line:
            await line.send(json.dumps({"type": "hello", "token": token}))
            for number in itertools.count():
                update = json.loads(await line.recv())
                if update["type"] != "update":
                    continue
                if update["phase"] == "over" and update["match"] >= MATCHES:
                    return
                if update["phase"] == "over" and not update["rematch"]:
                    await line.send(json.dumps({"type": "rematch", "seed": SEED}))
                if update["legal"]:
                    move = {"id": str(number), "version": update["version"]}
                    move["actions"] = update["legal"][:1]
                    await line.send(json.dumps({"type": "play", **move}))

    await asyncio.gather(*(fast(*seat) for seat in seats))


# --- the attacker ---------------------------------------------------------------------------------


class Striker:
    """A process that prepares an attack and carries it out on request, each time for a while."""

    def __init__(self, attack: str, url: str, code: str) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.ready, self.done = spawn.Event(), spawn.Event()
        self._orders: Any = spawn.Queue()
        arguments = (attack, url, code, self.ready, self._orders, self.done)
        self._process = spawn.Process(target=attacker, args=arguments)
        self._process.start()

    def strike(self, seconds: float) -> None:
        self._orders.put(seconds)

    def end(self) -> None:
        self._orders.put(None)
        self._process.join()


def attacker(attack: str, url: str, code: str, ready: Any, orders: Any, done: Any) -> None:
    strike = ATTACKS[attack](url, code)
    ready.set()
    while (seconds := orders.get()) is not None:
        strike(time.monotonic() + seconds)
        done.set()


Strike = Callable[[float], None]  # given the time when it must end
Attack = Callable[[str, str], Strike]  # given the server's address and a table's code


def dial(url: str, home: str = ATTACKER) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), 10, source_address=(home, 0))


def endless(begin: bytes, piece: bytes) -> Attack:
    """Requests that never end, one after another."""

    def attack(url: str, _: str) -> Strike:
        def strike(end: float) -> None:
            while time.monotonic() < end:
                with suppress(OSError), dial(url) as line:
                    line.sendall(begin)
                    while time.monotonic() < end:
                        line.sendall(piece)

        return strike

    return attack


def frames(content: bytes) -> Attack:
    """Sockets that send more frames than allowed, one after another."""

    def attack(url: str, _: str) -> Strike:
        code = open_table(url, ATTACKER)

        def strike(end: float) -> None:
            while time.monotonic() < end:
                try:
                    line = dial(url)
                    opened = join(url, line, code)
                except Exception:  # the server refuses it
                    time.sleep(0.02)
                    continue
                opened.send('{"type": "hello"}')
                with suppress(OSError):
                    while time.monotonic() < end:
                        line.sendall(content)
                line.close()

        return strike

    return attack


def join(url: str, line: socket.socket, code: str, token: str | None = None) -> Line:
    where = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
    opened = connect_now(where, sock=line, compression=None)
    if token:
        opened.send(json.dumps({"type": "hello", "token": token}))
    return opened


def silent(url: str, _: str) -> Strike:
    """More connections than the usual limit of open files, which send nothing or half a request."""

    def strike(end: float) -> None:
        lines: list[socket.socket] = []
        while time.monotonic() < end:
            with suppress(OSError):
                line = dial(url, SILENT[len(lines) % len(SILENT)])
                line.sendall((b"", b"GET /hea", b"POST /api/tables HTTP/1.1\r\n")[len(lines) % 3])
                lines.append(line)
            if len(lines) > 1500:  # noqa: PLR2004
                lines.pop(0).close()
                time.sleep(0.005)
        for line in lines:
            line.close()

    return strike


def records(url: str, code: str) -> Strike:
    """Records of old matches, one after another."""

    def strike(end: float) -> None:
        for number in itertools.cycle(range(1, MATCHES)):
            if time.monotonic() > end:
                return
            request(url, ATTACKER, "GET", f"/api/tables/{code}/matches/{number}/record")
            time.sleep(1 / RECORDS_PER_SECOND)

    return strike


def reviews(url: str, code: str) -> Strike:
    """Reviews of old matches, one after another, so that the worker is always busy."""
    wanted = (
        f"/api/tables/{code}/matches/{number}/reviews/{seat}"
        for number in range(1, MATCHES)
        for seat in (0, 1)
    )

    def strike(end: float) -> None:
        unfinished: list[str] = []
        finished = 0
        while unfinished or time.monotonic() < end:  # none may run when the others are quiet
            while len(unfinished) < 2 and time.monotonic() < end:  # noqa: PLR2004
                unfinished.append(next(wanted))
                request(url, ATTACKER, "POST", unfinished[-1])
            time.sleep(0.5)
            if request(url, ATTACKER, "GET", unfinished[0])["state"] in ("done", "failed"):
                finished += 1
                unfinished.pop(0)
        late = time.monotonic() - end
        print(f"  {finished} reviews, the last {late:.0f} s late", file=sys.stderr)

    return strike


def champions(url: str, _code: str) -> Strike:
    """As many champions as one address may have, which always have something to decide."""
    lines = []
    with suppress(KeyError):  # refused
        for _ in range(20):
            code = open_table(
                url, ATTACKER, game="tornei", options={}, seats=[None, *["champion"] * 3]
            )
            seat = sit_down(url, ATTACKER, code, "Eve")
            lines.append(join(url, dial(url), *seat[1:]))
    print(f"  {3 * len(lines)} champions", file=sys.stderr)

    def strike(end: float) -> None:
        while time.monotonic() < end:
            for line in lines:
                with suppress(TimeoutError):
                    update = json.loads(line.recv(timeout=0.001))
                    if update["type"] == "update" and update["legal"]:
                        move = {"id": str(time.monotonic_ns()), "version": update["version"]}
                        move["actions"] = update["legal"][:1]
                        line.send(json.dumps({"type": "play", **move}))
                    elif update["type"] == "update" and update["phase"] == "over":
                        line.send(json.dumps({"type": "rematch", "seed": SEED}))

    return strike


def hints(url: str, _code: str) -> Strike:
    """Forty seats that ask for hints as often as they may."""
    lines = []
    for _ in range(20):
        code = open_table(url, ATTACKER, practice=True)
        for name in ("Eve", "Mallory"):
            seat = sit_down(url, ATTACKER, code, name)
            lines.append(join(url, dial(url), *seat[1:]))
            time.sleep(0.1)  # within the rate of requests

    def strike(end: float) -> None:
        while time.monotonic() < end:
            for line in lines:
                line.send(json.dumps({"type": "hint", "id": "h"}))
            until = time.monotonic() + 1
            for line in itertools.cycle(lines):
                if time.monotonic() > until:
                    break
                with suppress(TimeoutError):
                    line.recv(timeout=0.001)

    return strike


ATTACKS: dict[str, Attack] = {
    "header": endless(b"GET / HTTP/1.1\r\nX: ", b"x" * 65536),
    "headers": endless(b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 10_000),
    "pipeline": endless(b"", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 2000),
    "silent": silent,
    "records": records,
    "reviews": reviews,
    "champions": champions,
    "hints": hints,
    "frames": frames(Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True) * 4000),
    "questions": frames(
        Frame(Opcode.TEXT, b'{"type":"since","version":0}').serialize(mask=True) * 4000
    ),
    "pings": frames(Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 4000),
    "fragments": frames(
        Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 4000
    ),
}


if __name__ == "__main__":
    main()
