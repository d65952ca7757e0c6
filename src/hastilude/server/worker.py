"""One of several processes that serve together (`supervisor.py`)."""

from __future__ import annotations

import asyncio
import signal
import socket
from dataclasses import dataclass, replace
from types import FrameType

import uvicorn
from fastapi import FastAPI

from hastilude.server import metrics, run, store
from hastilude.server.app import create_app
from hastilude.server.board import Board
from hastilude.server.doors import Doors, Exchange, OwnCodes
from hastilude.server.http_connection import HttpConnection
from hastilude.server.peers import BUCKETS
from hastilude.server.settings import Settings


@dataclass(frozen=True)
class Place:
    """Where a worker works: its slot has the same tables again when it is replaced, and its row of
    the board is only this process's. The descriptor `alive` ends with the supervisor."""

    slot: int
    row: int
    board: Board
    doors: Doors
    listener: socket.socket
    alive: int


def work(settings: Settings, place: Place) -> None:
    """Serve until a signal arrives, or the supervisor has died."""
    run.tune_collector()
    metrics.keep_as(str(place.row))
    store.choose_nonces()  # this process was forked: the others have the same ones
    board = place.board
    threads = max(1, settings.bot_threads // board.workers)
    settings = replace(settings, bot_threads=threads)
    sources = OwnCodes(place.slot, board.workers)
    buckets = range(place.slot, BUCKETS, board.workers)
    app = create_app(settings, sources=sources, ledger=board.ledger(place.row), buckets=buckets)
    app.state.board = board
    exchange = Exchange(place.slot, place.doors, board)
    config = run.config_of(app, settings, exchange)
    run.run(Worker(config, app, place, exchange), place.listener)


class Worker(run.Server):
    """Takes connections from the other workers too, and leaves its own to them when it stops."""

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, place: Place, exchange: Exchange
    ) -> None:
        super().__init__(config, app, self._begin)
        self._place = place
        self._exchange = exchange
        self._arriving: set[asyncio.Task[object]] = set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, unless it is for Ctrl-C: that reaches all processes of a terminal, and the
        supervisor stops its workers."""
        if sig != signal.SIGINT:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().add_reader(self._place.alive, self._end)
        await super().startup(sockets)

    def _begin(self) -> None:
        self._exchange.open(self._arrive)
        self._place.board.set_up(self._place.slot, self._place.row)

    def _end(self) -> None:
        """The supervisor has died."""
        asyncio.get_running_loop().remove_reader(self._place.alive)
        self._place.board.close()
        self.should_exit = True

    def _arrive(self, connection: socket.socket, read: bytes, settled: bool) -> None:
        """Go on with a connection that another worker has passed on."""
        task = asyncio.create_task(self._resume(connection, read, settled))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)

    async def _resume(self, connection: socket.socket, read: bytes, settled: bool) -> None:
        connection_class = self.config.http_protocol_class
        assert issubclass(connection_class, HttpConnection)
        protocol = connection_class(self.config, self.server_state, self.lifespan.state)
        protocol.arrived, protocol.settled = read, settled
        try:
            connection.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: protocol, connection)
        except OSError:  # the client is gone
            connection.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. What comes now is accepted by the other workers."""
        self._place.board.set_down(self._place.slot, self._place.row)
        self._exchange.close()
        for server in self.servers:
            server.close()
        await super().shutdown(sockets)
