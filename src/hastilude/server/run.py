"""Starts and stops the server process: settings, database, games and port."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from hastilude.core.errors import OptionError
from hastilude.prepare import prepare
from hastilude.server.app import create_app
from hastilude.server.background import Background
from hastilude.server.connections import Connections, raise_file_limit
from hastilude.server.database import unusable
from hastilude.server.doors import Exchange
from hastilude.server.house import House
from hastilude.server.http_connection import http_connection
from hastilude.server.metrics import WORKERS
from hastilude.server.puzzle_api import read_all
from hastilude.server.settings import Settings
from hastilude.server.wire import wire

ANSWER_SECONDS = 1  # to finish requests when the server stops
BACKLOG = 2048  # connections that wait to be accepted
GARBAGE = 10_000  # new objects before the garbage collector looks at them
NEVER = 1_000_000_000
COLLECT_SECONDS = 60.0  # between two checks whether it should look at all objects


def bind(settings: Settings) -> socket.socket:
    """Open the port; OptionError if it is in use or not allowed."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, settings.send_bytes)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listener.close()
        problem = getattr(error, "strerror", None) or str(error)
        raise OptionError.of(
            "port_unusable", host=settings.host, port=settings.port, problem=problem
        ) from None
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(settings: Settings, preparing: Callable[[], None], ready: Callable[[str], None]) -> None:
    """Serve until a signal arrives. `ready` is called with the address as soon as the server
    answers; before that, `preparing` is called if games must be compiled."""
    with bind(settings) as listener:  # first: a server that has the port may use the database too
        app = create_app(settings)
        app.state.house.store.migrate()
        get_ready(preparing)
        address = address_of(listener)
        run(Server(config_of(app, settings), app, lambda: ready(address)), listener)


def get_ready(preparing: Callable[[], None]) -> None:
    """Bring everything into memory that answers need."""
    prepare(preparing)
    read_all()
    gc.collect()
    gc.freeze()  # the compiler's and the puzzles' objects stay; scanning them would take long
    tune_collector()


def tune_collector() -> None:
    """Let the garbage collector look at each object once, while it is new. Connections and tables
    leave memory without it, and looking at all objects of thousands of tables would stop everything
    for long: `Server` does that while nobody is connected, or if memory has doubled."""
    gc.set_threshold(GARBAGE, NEVER)


def run(server: Server, listener: socket.socket) -> None:
    """Answer at the listener until a signal arrives."""
    for asked_to_stop in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises the signal again at the end, but the exit code should be 0.
        signal.signal(asked_to_stop, lambda *_: None)
    server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)
    store = server.house.store
    if store.damaged and not server.house.is_open:
        raise unusable(store.where, store.damaged)


def config_of(app: FastAPI, settings: Settings, exchange: Exchange | None = None) -> uvicorn.Config:
    connections = Connections(settings, raise_file_limit(), app.state.house.ledger)
    sockets = wire(settings, connections)
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=http_connection(settings, connections, sockets, exchange),
        ws=sockets,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        proxy_headers=False,  # the application reads them: see connections.py
        server_header=False,
        timeout_graceful_shutdown=ANSWER_SECONDS,
        backlog=BACKLOG,
    )


class Server(uvicorn.Server):
    """Reports when it answers, and says goodbye to its guests before it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.house: House = app.state.house
        self._ready = ready
        self._background = Background("server")
        self._blocks = sys.getallocatedblocks()  # after the last look at all objects

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        stop = asyncio.create_task(self._stop_waiting())
        await super().startup(sockets)
        stop.cancel()
        if not self.house.is_open:
            self.should_exit = True
        elif self.started and not self.should_exit:
            WORKERS.set(1)
            self._background.repeat(COLLECT_SECONDS, self._collect_garbage)
            self._ready()

    async def _stop_waiting(self) -> None:
        """If stopped before the database answers, do not wait for it any longer."""
        while not self.should_exit:
            await asyncio.sleep(0.1)
        self.house.store.give_up()

    async def _collect_garbage(self) -> None:
        quiet = gc.get_count()[1] > 0 and not self.house.everyone()
        if quiet or sys.getallocatedblocks() > 2 * self._blocks:
            gc.collect()
            self._blocks = sys.getallocatedblocks()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._background.cancel()
        await self.house.drain()
        self.house.store.give_up()
        await super().shutdown(sockets)
