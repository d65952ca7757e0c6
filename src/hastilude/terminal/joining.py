"""Joining a table on a server by its link: a new seat, a seat from before, or as a spectator, who
may wait for a seat."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import ValidationError

from hastilude import protocol
from hastilude.core.errors import HastiludeError, OptionError
from hastilude.core.names import clean_name
from hastilude.messages import Message
from hastilude.terminal.connection import Connection, message_of
from hastilude.terminal.remote import SEED_BYTES
from hastilude.terminal.seats import Seats

ANSWER_SECONDS = 20.0
_PATH = re.compile(r"(?P<before>.*)/t/(?P<code>[a-z0-9]{4,12})/?")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")

Entered = TypeVar("Entered")
AskName = Callable[[Message | None], Awaitable[str]]  # given what was wrong with the last answer


@dataclass(frozen=True)
class Link:
    """The address of a table; with a token, of a seat at it."""

    server: str
    code: str
    token: str | None = None

    @property
    def table(self) -> str:
        return f"{self.server}/api/tables/{self.code}"

    @property
    def socket(self) -> str:
        return f"{self.table.replace('http', 'ws', 1)}/socket"


def read_link(text: str) -> Link:
    """Parse a link; OptionError says what one looks like."""
    with suppress(ValueError):  # such as a port that is not a number
        parts = urlsplit(text.strip())
        path = _PATH.fullmatch(parts.path)
        token = parts.fragment or None
        if (
            parts.scheme in ("http", "https")
            and parts.hostname
            and (parts.port is None or parts.port)
            and path
            and (token is None or _TOKEN.fullmatch(token))
        ):
            return Link(f"{parts.scheme}://{parts.netloc}{path['before']}", path["code"], token)
    raise OptionError.of("join_link", text=text.partition("#")[0])


@dataclass(frozen=True)
class Joining:
    """What the command line asked for."""

    link: Link
    name: str | None = None
    watch: bool = False
    wait: bool = False  # for a seat, if all are taken
    language: str = "en"
    seats: Seats = field(default_factory=Seats)

    async def arrive(self, ask_name: AskName) -> Connection:
        """An open connection to the right seat; OptionError says why it failed."""
        if self.watch:
            return await self._open(None)
        if self.link.token:
            return await self._open(self.link.token)
        token = self.seats.token(self.link.table, self.name)
        if token:
            try:
                return await self._open(token)
            except OptionError as error:
                if error.message.key != "token_unknown":
                    raise
                self._forget(token)  # the seat is no longer ours
        table = await fetch(self.link.table)
        if any(seat["kind"] == "empty" or seat["offered"] for seat in table["seats"]):
            return await self._open(await self._named(self._take_seat, ask_name))
        if self.wait:
            return await self._named(self._queue, ask_name)
        raise OptionError.of("join_full")

    async def _open(self, token: str | None) -> Connection:
        connection = Connection(self.link.socket, token)
        await connection.open()
        if token and connection.update and connection.seat is not None:
            self._keep(connection.update.seats[connection.seat].name, token)
        return connection

    async def _named(
        self, enter: Callable[[str], Awaitable[Entered]], ask_name: AskName
    ) -> Entered:
        """Enter under a name. If a typed one is refused, ask again."""
        problem = None
        while True:
            name = self.name or await ask_name(problem)
            try:
                return await enter(name)
            except OptionError as error:
                if self.name or not error.message.key.startswith("name_"):
                    raise
                problem = error.message

    async def _take_seat(self, name: str) -> str:
        """The token of a new seat."""
        body = {"name": name, "seed": secrets.token_hex(SEED_BYTES)}
        sitting = await fetch(f"{self.link.table}/seats", body)
        token = str(sitting["token"])
        self._keep(name, token)
        return token

    async def _queue(self, name: str) -> Connection:
        """A spectator's connection that waits for a seat."""
        name = clean_name(name)
        queue = protocol.Queue(type="queue", name=name, seed=secrets.token_hex(SEED_BYTES))
        connection = Connection(
            self.link.socket, None, queue, lambda token: self._keep(name, token)
        )
        await connection.open()
        while connection.place_in_queue is None and connection.seat is None:
            await connection.changed(connection.version)
        return connection

    def _keep(self, name: str, token: str) -> None:
        with suppress(OSError):  # then only the private link leads back to the seat
            self.seats.keep(self.link.table, name, token)

    def _forget(self, token: str) -> None:
        with suppress(OSError):
            self.seats.forget(self.link.table, token)


async def fetch(address: str, body: Any = None) -> Any:
    """The server's answer as JSON; OptionError if it refuses or cannot be reached."""
    return await asyncio.to_thread(_fetch, address, body)


def _fetch(address: str, body: Any) -> Any:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, content, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            raise refusal(error.read()) from None
    except ValueError:
        raise OptionError.of("join_not_a_table", address=urlsplit(address).netloc) from None
    except OSError:
        raise OptionError.of("join_server_gone", address=urlsplit(address).netloc) from None


def refusal(body: bytes) -> HastiludeError:
    try:
        reason = protocol.Sentence.model_validate(json.loads(body)["reason"])
        return OptionError(message_of(reason))
    except (ValueError, KeyError, TypeError, ValidationError):
        return OptionError.of("join_other_version")
