"""Starts and stops the server process: settings, database, games and port."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from hastilude.core.errors import OptionError, nearest
from hastilude.prepare import prepare
from hastilude.server.app import create_app
from hastilude.server.connections import Connections, raise_file_limit
from hastilude.server.database import unusable
from hastilude.server.http_connection import http_connection
from hastilude.server.puzzle_api import read_all
from hastilude.server.settings import Rate, Settings
from hastilude.server.wire import wire

ANSWER_SECONDS = 1  # to finish requests when the server stops
GARBAGE = 20_000  # new objects before the garbage collector runs
MAY_BE_0 = {"port", "listed", "watchers", "bot_wait_seconds", "champion_wait_seconds"}


def read_settings(path: Path, settings: Settings) -> Settings:
    """The settings, with those from a TOML file; OptionError names an invalid one."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError.of("settings_unreadable", path=str(path), problem=str(error)) from None
    known = {field.name: field.type for field in fields(Settings)}
    changes: dict[str, Any] = {}
    for name, value in content.items():
        if name not in known:
            near = nearest(name, list(known))
            key = "settings_unknown_near" if near else "settings_unknown"
            raise OptionError.of(key, setting=name, near=near)
        changes[name] = _read(name, value, known[name])
    return replace(settings, **changes)


def _read(name: str, value: Any, kind: Any) -> Any:
    least = 0 if name in MAY_BE_0 else 1e-9
    if kind in (str, bool) and type(value) is kind:
        return value
    if kind is int and type(value) is int and value >= least:
        return value
    if kind is float and _is_number(value) and value >= least:
        return value
    if kind is Rate and isinstance(value, list) and [*map(_is_number, value)] == [True, True]:
        return Rate(*value)
    if kind == tuple[str, ...] and isinstance(value, list) and {*map(type, value)} <= {str}:
        return tuple(value)
    if kind == Path | None and isinstance(value, str):
        return Path(value)
    raise OptionError.of("settings_form", setting=name, value=str(value))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


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


def serve(settings: Settings, preparing: Callable[[], None], ready: Callable[[str], None]) -> None:
    """Serve until a signal arrives. `ready` is called with the address as soon as the server
    answers; before that, `preparing` is called if games must be compiled."""
    with bind(settings) as listener:  # first: a server that has the port may use the database too
        app = create_app(settings)
        app.state.house.store.migrate()
        prepare(preparing)
        read_all()
        gc.collect()
        gc.freeze()  # the compiler's and the puzzles' objects stay; scanning them would take long
        gc.set_threshold(GARBAGE)
        server = _Server(config_of(app, settings), app, ready, listener)
        for asked_to_stop in (signal.SIGINT, signal.SIGTERM):
            # uvicorn raises the signal again at the end, but the exit code should be 0.
            signal.signal(asked_to_stop, lambda *_: None)
        server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)
    store = app.state.house.store
    if store.damaged and not app.state.house.is_open:
        raise unusable(store.where, store.damaged)


def config_of(app: FastAPI, settings: Settings) -> uvicorn.Config:
    connections = Connections(settings, raise_file_limit())
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=http_connection(settings, connections),
        ws=wire(settings, connections),
        ws_per_message_deflate=False,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        proxy_headers=False,  # the application reads them: see connections.py
        server_header=False,
        timeout_graceful_shutdown=ANSWER_SECONDS,
        backlog=2048,
    )


class _Server(uvicorn.Server):
    """Reports when it answers, and says goodbye to its guests before it stops."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Any,
        ready: Callable[[str], None],
        listener: socket.socket,
    ) -> None:
        super().__init__(config)
        self._house = app.state.house
        self._ready = ready
        self._listener = listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        stop = asyncio.create_task(self._stop_waiting())
        await super().startup(sockets)
        stop.cancel()
        if not self._house.is_open:
            self.should_exit = True
        elif self.started and not self.should_exit:
            host, port = self._listener.getsockname()[:2]
            self._ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")

    async def _stop_waiting(self) -> None:
        """If stopped before the database answers, do not wait for it any longer."""
        while not self.should_exit:
            await asyncio.sleep(0.1)
        self._house.store.give_up()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._house.drain()
        self._house.store.give_up()
        await super().shutdown(sockets)
