"""Starting the server: database, rules, port, and a last sign of life."""

from __future__ import annotations

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
from hastilude.server.settings import Rate, Settings

DRAIN_SECONDS = 10


def read_settings(path: Path, settings: Settings) -> Settings:
    """Settings with those of a TOML file; OptionError names what cannot be set."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError.of("settings_unreadable", path=str(path), problem=str(error)) from None
    known = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    changes: dict[str, Any] = {}
    for name, value in content.items():
        if name not in known:
            near = nearest(name, list(known))
            key = "settings_unknown_near" if near else "settings_unknown"
            raise OptionError.of(key, setting=name, near=near)
        changes[name] = _read(name, value, known[name])
    return replace(settings, **changes)


def _read(name: str, value: Any, default: Any) -> Any:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match default:
        case bool() | str():
            fits = isinstance(value, type(default))
        case int() | float():
            fits = number and value >= 0
        case Rate():
            fits = isinstance(value, list) and len(value) == 2 and min(value) >= 0  # noqa: PLR2004
            value = Rate(*map(float, value)) if fits else value
        case tuple():
            fits = isinstance(value, list)
            value = tuple(value) if fits else value
        case _:
            fits, value = isinstance(value, str), Path(str(value))
    if not fits:
        raise OptionError.of("settings_form", setting=name, value=str(value))
    return value


def bind(settings: Settings) -> socket.socket:
    """The port; OptionError if it is taken or not ours to open."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise OptionError.of(
            "port_unusable", host=settings.host, port=settings.port, problem=error.strerror
        ) from None
    return listener


def serve(settings: Settings, preparing: Callable[[], None], ready: Callable[[str], None]) -> None:
    """Serve until a signal; `ready` is called with the address as soon as it answers, and before
    that `preparing` if the games have to be compiled."""
    app = create_app(settings)
    app.state.house.store.migrate()
    listener = bind(settings)
    prepare(preparing)
    server = _Server(config_of(app, settings), app, ready, listener)
    server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)


def config_of(app: FastAPI, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.ping_seconds,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="*" if settings.behind_proxy else None,
        server_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        backlog=2048,
    )


class _Server(uvicorn.Server):
    """Says when it answers, and tells its guests before it goes."""

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
        await super().startup(sockets)
        if self.started:
            host, port = self._listener.getsockname()[:2]
            self._ready(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for guest in self._house.everyone():
            guest.dismiss("closing")
        self._house.store.give_up()
        await super().shutdown(sockets)
