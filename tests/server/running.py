"""Real servers for tests: as a separate process, or in a thread with its own time."""

from __future__ import annotations

import json
import random
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from hastilude.protocol import server_frames
from hastilude.server.app import create_app
from hastilude.server.run import bind, config_of
from hastilude.server.settings import Rate, Settings
from hastilude.server.time import Time
from hastilude.server.tokens import Sources

COMMAND = [sys.executable, "-c", "import sys; from hastilude.cli import main; sys.exit(main())"]
# The worker of reviews as it is, except that it need not wait for everything else on this machine.
IMPATIENT = (
    sys.executable,
    "-c",
    "from hastilude.reviews import worker; worker.LOWEST_PRIORITY = 0; worker.main()",
)
PATIENCE = 30.0  # seconds until a test gives up waiting; test machines can be slow
SEED = "ab" * 16
FREELY = Rate(1e9, 1e9)
# High limits, and bots that answer at once.
GENEROUS = Settings(
    connections_per_address=20_000,
    connection_rate=FREELY,
    sockets_per_address=20_000,
    champions_per_address=20_000,
    frame_rate=FREELY,
    seat_rate=FREELY,
    address_rate=FREELY,
    request_rate=FREELY,
    page_rate=FREELY,
    guess_rate=FREELY,
    opening_rate=FREELY,
    hint_rate=FREELY,
    offline_seconds=3600,  # entries that no test expects
    bot_wait_seconds=0,
    champion_wait_seconds=0,
    hint_seconds=0.2,
)


@dataclass
class Address:
    """The address of a server, and methods to talk to it."""

    url: str

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        # There is no TLS here; not loading certificates saves 40 ms per request.
        return httpx.request(method, self.url + path, timeout=PATIENCE, verify=False, **more)

    def get(self, path: str, **more: Any) -> Any:
        answer = self.request("GET", path, **more)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, body: Any, **more: Any) -> Any:
        answer = self.request("POST", path, json=body, **more)
        assert answer.is_success, answer.text
        return answer.json()

    def open_table(self, game: str = "kings_tournament", **wanted: Any) -> Any:
        return self.post("/api/tables", {"game": game, **wanted})

    def sit(self, code: str, name: str, **wanted: Any) -> Any:
        return self.post(f"/api/tables/{code}/seats", {"name": name, "seed": SEED, **wanted})

    def client(
        self, code: str, token: str | None = None, since: int | None = None, **more: Any
    ) -> Client:
        """A connection that has said hello; `more` is passed to the handshake, such as `origin`."""
        return Client(self.url, code, token, since, **more)


class Client:
    """One connection. `update` is the last update received; `frames` has all frames."""

    def __init__(
        self, url: str, code: str, token: str | None, since: int | None, **more: Any
    ) -> None:
        where = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
        opening = connect(where, compression=None, max_size=None, ping_interval=None, **more)
        self.socket: ClientConnection = opening.__enter__()
        self.frames: list[Any] = []
        self.texts: list[str] = []  # the same, byte for byte
        self.update: Any = None
        self.send("hello", token=token, since=since)

    def send(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def receive(self, timeout: float = PATIENCE) -> Any:
        """The next frame; it must be valid in the protocol."""
        text = self.socket.recv(timeout=timeout, decode=True)
        server_frames.validate_json(text)
        self.texts.append(text)
        frame = json.loads(text)
        self.frames.append(frame)
        if frame["type"] == "update":
            self.update = frame
        return frame

    def expect(self, type: str, **fields: Any) -> Any:
        """Wait for a frame of this type with these fields."""
        deadline = time.monotonic() + PATIENCE
        while True:
            frame = self.receive(max(0.01, deadline - time.monotonic()))
            if frame["type"] == type and fields.items() <= frame.items():
                return frame

    def wait_for(self, condition: Any) -> Any:
        """The first update, starting with the current one, for which the condition holds."""
        while self.update is None or not condition(self.update):
            self.receive()
        return self.update

    def reach(self, version: int) -> Any:
        """The first update with at least this version."""
        return self.wait_for(lambda update: update["version"] >= version)

    def play(self, *actions: str, id: str | None = None) -> Any:
        """Play after seeing the last update; returns the answer, `done` or `refused`."""
        id = id or secrets.token_hex(8)
        version = self.update["version"]
        self.send("play", id=id, version=version, actions=list(actions))
        while True:
            frame = self.receive()
            if frame["type"] in ("done", "refused") and frame["id"] == id:
                return frame

    def first_choice(self) -> list[str]:
        """A whole choice, made of the first legal action each time."""
        actions = [self.update["legal"][0]]
        while True:
            self.send("ask", id="first", actions=actions)
            answer = self.expect("answer", id="first")
            if answer["whole"]:
                return actions
            actions.append(answer["legal"][0])

    def closed(self) -> int:
        """Wait until the server closes the connection; returns the close code."""
        with pytest.raises(ConnectionClosed) as closed:
            self.wait_for(lambda update: False)
        return closed.value.rcvd.code if closed.value.rcvd else 1006

    def close(self) -> None:
        self.socket.close()


def until(condition: Callable[[], object]) -> None:
    """Wait for something that nobody reports."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def play_out(clients: list[Client]) -> Any:
    """Play a match to the end with first choices; returns the first client's last update."""
    for client in clients:
        client.wait_for(lambda update: update["match"] > 0)
    while True:
        while len(versions := {client.update["version"] for client in clients}) > 1:
            for client in clients:
                client.reach(max(versions))
        if clients[0].update["phase"] != "playing":
            return clients[0].update
        mover = next((client for client in clients if client.update["legal"]), None)
        if mover is None:
            clients[0].receive()  # a bot's turn
        else:
            done = mover.play(*mover.first_choice())
            assert done["type"] == "done", done
            mover.reach(done["version"])


class Clockwork:
    """A time in milliseconds that only the test advances."""

    def __init__(self) -> None:
        self._now = 1_000_000

    def now(self) -> int:
        return self._now

    def passes(self, seconds: float) -> None:
        self._now += int(1000 * seconds)


def lasting_port() -> int:
    """A free port for a server that stops and comes back. Outgoing connections never get it: the
    ports that systems give them are higher. Any other port may be in use when the server is back,
    and more likely the slower the machine is."""
    for port in random.sample(range(20_000, 32_768), 100):
        with closing(socket.socket()) as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Process:
    """A server process, started as users start it."""

    def __init__(self, database: Path | str, *arguments: str, port: int = 0) -> None:
        where = ["--port", str(port), "--database", str(database)]
        self.command = [*COMMAND, "serve", *where, *arguments]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        out, err = self.process.stdout, self.process.stderr
        for stream, lines in ((err, self.errors), (out, self.lines)):
            threading.Thread(target=_read, args=(stream, lines), daemon=True).start()
        deadline = time.monotonic() + 10 * PATIENCE  # the first start on a machine compiles
        while not any("http://" in line for line in self.lines):
            assert self.process.poll() is None, "".join(self.errors)
            assert time.monotonic() < deadline
            time.sleep(0.01)
        last = next(line for line in self.lines if "http://" in line)
        self.address = Address("http://" + last.split("http://")[1].strip().rstrip("."))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def terminate(self) -> int:
        """Ask it to stop; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def _read(stream: Any, lines: list[str]) -> None:
    with stream:
        lines.extend(stream)


@contextmanager
def process(database: Path | str, *arguments: str, port: int = 0) -> Iterator[Process]:
    running = Process(database, *arguments, port=port)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.terminate()
        for stream in (running.process.stdout, running.process.stderr):
            if stream:
                stream.close()


@contextmanager
def in_thread(
    settings: Settings, time: Time | None = None, sources: Sources | None = None, port: int = 0
) -> Iterator[Address]:
    """A server inside the test process, so that tests can provide time and secrets."""
    app = create_app(settings, time, sources)
    app.state.house.store.migrate()
    listener = bind(replace(settings, port=port))
    server = uvicorn.Server(config_of(app, settings))
    server.config.lifespan = "on"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            threading.Event().wait(0.01)
        yield Address(f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@contextmanager
def limited(folder: Path, **limits: Any) -> Iterator[Address]:
    """A server in a thread with only these limits."""
    with in_thread(replace(GENEROUS, database=str(folder / "tables.db"), **limits)) as server:
        yield server
