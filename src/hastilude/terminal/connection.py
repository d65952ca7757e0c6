"""The connection to a table on a server: a WebSocket that reconnects whenever it breaks.

It keeps the latest update and the events of the match. Wait for news with `changed`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from hastilude import protocol
from hastilude.core.errors import HastiludeError, IllegalAction, OptionError
from hastilude.core.events import Event
from hastilude.core.frozen import frozen
from hastilude.core.game import Game
from hastilude.games.registry import load
from hastilude.messages import Message, catalogue, visible

FIRST_WAIT, LONGEST_WAIT = 0.2, 10.0  # seconds between two attempts to connect
REPLY_SECONDS = 30.0
LARGEST = 4 * 2**20  # bytes of an update
JSON: TypeAdapter[Any] = TypeAdapter(Any)
# The table itself chose the close codes from here on. Reconnecting would give the same answer …
TABLES_OWN = 4000
# … except for these reasons, which pass with time.
TEMPORARY = ("too_many", "too_many_guesses", "too_slow", "hello_late", "failed")
PLAIN_REASONS = (*TEMPORARY, "bad_frame", "closing", "origin_refused", "seat_lost", "table_closed")


@frozen
class Said(Event, clause=""):
    """Somebody at the table said a phrase."""

    seat: int
    phrase: str


@frozen
class StoodIn(Event, clause=""):
    """A bot plays for somebody who is absent or out of time."""

    seat: int


@frozen
class WentOffline(Event, clause=""):
    seat: int


@frozen
class CameBack(Event, clause=""):
    seat: int


@frozen
class Left(Event, clause=""):
    """Somebody left the table for good."""

    seat: int


@frozen
class TookSeat(Event, clause=""):
    """Somebody sat down in place of a bot."""

    seat: int


@frozen
class Ended(Event, clause=""):
    """The host ended the match without a winner."""

    seat: int


NEWS: dict[protocol.NewsKind, Callable[[int], Event]] = {
    "went_offline": WentOffline,
    "stood_in": StoodIn,
    "came_back": CameBack,
    "left": Left,
    "took_seat": TookSeat,
    "ended": Ended,
}


@frozen
class WantsPause(Event, clause=""):
    seat: int


@frozen
class Scripted(Event, clause=""):
    """The deals of the match were written in advance."""


class Connection:
    """A connection to a seat if there is a `token`, otherwise a spectator's.

    With `queue` the spectator waits for a seat. Once there is one, `keep` gets its token, and the
    connection is the player's.
    """

    def __init__(
        self,
        address: str,
        token: str | None,
        queue: protocol.Queue | None = None,
        keep: Callable[[str], None] = lambda token: None,
    ) -> None:
        self.welcome: protocol.Welcome | None = None
        self.update: protocol.Update | None = None
        self.updated = 0.0  # when the update arrived, by this machine's clock
        self.view: Any = None
        self.events: list[Event] = []  # of the current match
        self.version = 0
        self.failure: HastiludeError | None = None  # why the connection ended for good
        self._address = address
        self._token = token
        self._queue = queue
        self._keep = keep
        self._seen_events = 0  # those of the match; the rest of `events` is about people
        self._seen_news = 0  # the version of the last news
        self.is_lost = False
        self._notice: Message | None = None  # from the server, about itself
        self._refusal: Message | None = None  # of a frame that has no id
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, tuple[BaseModel, asyncio.Future[Any]]] = {}
        self._news = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    # --- to look at -----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self._game

    @property
    def seat(self) -> int | None:
        return self.welcome.seat if self.welcome else None

    @property
    def trouble(self) -> Message | None:
        if self.is_lost:
            return Message("join_cut")
        if self._notice:
            return self._notice
        if self.update and self.update.paused:
            return Message("table_paused")
        if self._refusal:
            return self._refusal
        if self.update and self.seat is not None and self.update.seats[self.seat].stand_in:
            return Message("join_stand_in")
        return None

    @property
    def place_in_queue(self) -> Message | None:
        """How long the queue for a seat is; None if this is not its table's spectator in it."""
        waiting = self.update.queue if self.update else []
        if self._token or not self._queue or self._queue.name not in waiting:
            return None
        return Message("web_queue_place", {"number": waiting.index(self._queue.name) + 1})

    @property
    def playable(self) -> bool:
        """Whether a match has begun."""
        return bool(self.update and self.update.match)

    @property
    def gathered(self) -> Message:
        """Who sits at the table, and how many are missing."""
        seats = self.update.seats if self.update else []
        here = tuple(seat.name or seat.level or "" for seat in seats if seat.kind != "empty")
        return Message("join_waiting", {"here": here, "count": len(seats) - len(here)})

    async def changed(self, since: int) -> int:
        """Wait until the version is above `since`; raises `failure` if the connection ended."""
        while self.version <= since and not self.failure:
            await self._news.wait()
        if self.failure:
            raise self.failure
        return self.version

    def notify(self) -> None:
        self.version += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    # --- to speak -------------------------------------------------------------------------------

    async def request(self, frame: Any) -> Any:
        """Send a frame that has an id and return the answer; a refusal is an IllegalAction.

        If the connection breaks meanwhile, the frame is sent again. Its id keeps the server from
        doing the same thing twice.
        """
        if self.failure:
            raise self.failure
        if self.is_lost:
            raise IllegalAction.of("join_cut")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[frame.id] = frame, answer
        try:
            await self.send(frame)
            reply = await asyncio.wait_for(answer, REPLY_SECONDS)
        except TimeoutError:
            raise IllegalAction.of("join_no_answer") from None
        finally:
            del self._waiting[frame.id]
        if isinstance(reply, protocol.Refused):
            raise IllegalAction(message_of(reply.reason))
        return reply

    async def send(self, frame: BaseModel) -> None:
        if self._socket:
            with suppress(ConnectionClosed):  # the reader notices it too
                await self._socket.send(frame.model_dump_json())

    # --- the connection -------------------------------------------------------------------------

    async def open(self) -> None:
        """Connect and wait for the first update; OptionError if that fails."""
        self._work = asyncio.create_task(self._run())
        try:
            while not self.update:
                await self.changed(self.version)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        if self._work:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self) -> None:
        wait = FIRST_WAIT
        try:
            while True:
                try:
                    async with connect(self._address, compression=None, max_size=LARGEST) as socket:
                        await self._attend(socket)
                        continue  # as a player
                except ConnectionClosed as closed:
                    self._raise_if_final(closed)
                except (OSError, TimeoutError, WebSocketException):
                    if not self.update:
                        raise OptionError.of(
                            "join_server_gone", address=urlsplit(self._address).netloc
                        ) from None
                if self._socket:  # the connection worked for a while
                    wait = FIRST_WAIT
                self._break()
                await asyncio.sleep(wait * random.uniform(0.5, 1))
                wait = min(2 * wait, LONGEST_WAIT)
        except HastiludeError as error:
            self._fail(error)
        except ValidationError:
            self._fail(OptionError.of("join_other_version"))
        except Exception as error:
            self._fail(OptionError.of("join_failed", problem=repr(error)))

    async def _attend(self, socket: ClientConnection) -> None:
        """Say hello, then listen until the connection ends, or a spectator gets a seat."""
        since = self.update.version if self.update else 0
        hello = protocol.Hello(type="hello", token=self._token, since=since)
        await socket.send(hello.model_dump_json())
        if self._queue and not self._token:  # a place in the queue ends with its connection
            await socket.send(self._queue.model_dump_json())
        while True:
            content = JSON.validate_json(await socket.recv())
            frame = protocol.server_frames.validate_python(made_visible(content))
            if isinstance(frame, protocol.Welcome):
                self._greet(frame)
            elif isinstance(frame, protocol.Update):
                self._see(frame)
                await self._reconnected(socket)
                if self._is_behind(frame):
                    await self.send(protocol.Since(type="since", version=0))
            elif isinstance(frame, protocol.Notice):
                reason = message_of(frame.reason)
                self._notice = None if reason.key == "store_back" else reason
                self.notify()
            elif getattr(frame, "id", None) in self._waiting:
                answer = self._waiting[frame.id][1]
                if not answer.done():
                    answer.set_result(frame)
            elif isinstance(frame, protocol.Seated):
                self._token = frame.token
                self._keep(frame.token)
                return
            elif isinstance(frame, protocol.Refused) and frame.id is None:
                self._refusal = message_of(frame.reason)
                if self._queue and not self._token:
                    raise OptionError(self._refusal)
                self.notify()

    def _greet(self, welcome: protocol.Welcome) -> None:
        if not self.welcome:
            self._game = load(welcome.game, **welcome.options)
            self._reading = Reading(self._game)
            self.events = first_events(welcome)
        self.welcome = welcome

    async def _reconnected(self, socket: ClientConnection) -> None:
        """Send unanswered frames again, now that the table answers."""
        if self._socket is socket:
            return
        self._socket = socket
        if self.is_lost or self._notice:
            self.is_lost, self._notice = False, None
            self.notify()
        for frame, _ in list(self._waiting.values()):
            await self.send(frame)

    def _break(self) -> None:
        self._socket = None
        if not self.is_lost and self.update:
            self.is_lost = True
            self.notify()

    def _raise_if_final(self, closed: ConnectionClosed) -> None:
        """Raise the reason for which the table closed the connection, unless it is temporary."""
        code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (0, "")
        if self.update and (code < TABLES_OWN or reason in TEMPORARY):
            return
        if self._refusal and self._refusal.key == reason:
            raise OptionError(self._refusal)
        if reason in PLAIN_REASONS:
            raise OptionError.of(reason)
        raise OptionError.of("join_server_gone", address=urlsplit(self._address).netloc)

    def _fail(self, error: HastiludeError) -> None:
        self.failure = error
        self._socket = None
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self.notify()

    # --- what is heard --------------------------------------------------------------------------

    def _see(self, update: protocol.Update) -> None:
        before, self.update, self.updated = self.update, update, monotonic()
        if before and before.match != update.match and self.welcome:
            self.events = first_events(self.welcome)  # a new list: the old match keeps its own
            self._seen_events = 0
        self.view = self._reading.view(update.view) if update.view else None
        fresh = [one for one in update.news if one.version > self._seen_news]
        for event in update.events:
            if event.index == self._seen_events:
                self._hear([one for one in fresh if one.after <= event.index])
                self.events.append(self._reading.event(event))
                self._seen_events += 1
        self._hear(fresh)
        talk = people_news(before, update) if before else []
        self.events += talk
        self._refusal = None
        moved = not before or any(
            getattr(before, what) != getattr(update, what) for what in ("version", "seats", "queue")
        )
        if moved or update.events or talk:
            self.notify()

    def _hear(self, news: list[protocol.News]) -> None:
        """Add news about the players to the events, once."""
        for one in news:
            if one.version > self._seen_news:
                self._seen_news = one.version
                self.events.append(NEWS[one.kind](one.seat))

    def _is_behind(self, update: protocol.Update) -> bool:
        return bool(update.events) and update.events[-1].index >= self._seen_events


def made_visible(content: Any) -> Any:
    """A server's JSON, with `visible` applied to every text in it."""
    if isinstance(content, str):
        return visible(content)
    if isinstance(content, list):
        return [made_visible(item) for item in content]
    if isinstance(content, dict):
        return {visible(name): made_visible(item) for name, item in content.items()}
    return content


def first_events(welcome: protocol.Welcome) -> list[Event]:
    """The events that come before those of the match."""
    return [Scripted()] if welcome.scripted else []


def people_news(before: protocol.Update, now: protocol.Update) -> list[Event]:
    """Events about people that are not in the table's news: who spoke, and wants a pause."""
    news: list[Event] = [
        Said(said.seat, said.phrase) for said in now.said if said.version > before.version
    ]
    return news + [WantsPause(seat) for seat in now.pausing if seat not in before.pausing]


class Reading:
    """Turns the views and events in frames into the game's own dataclasses."""

    def __init__(self, game: Game) -> None:
        self._view = TypeAdapter(get_type_hints(type(game).view_of)["return"])
        self._events = {
            kind.key: TypeAdapter(kind) for kind in kinds_of_event(Event) if hasattr(kind, "key")
        }

    def view(self, content: dict[str, Any]) -> Any:
        return self._view.validate_python(content)

    def event(self, frame: protocol.Told) -> Event:
        if frame.event not in self._events:
            raise OptionError.of("join_other_version")
        return self._events[frame.event].validate_python(frame.values)


def kinds_of_event(base: type[Event]) -> list[type[Event]]:
    direct = base.__subclasses__()
    return [kind for child in direct for kind in (child, *kinds_of_event(child))]


def message_of(sentence: protocol.Sentence | dict[str, Any]) -> Message:
    """The message of a frame. A value may itself be a sentence, as an object."""
    if isinstance(sentence, dict):
        sentence = protocol.Sentence(**sentence)
    if sentence.key not in catalogue("en"):
        return Message("join_other_version")
    values = {
        name: message_of(value) if isinstance(value, dict) else value
        for name, value in sentence.values.items()
    }
    return Message(sentence.key, values, sentence.clause)


def new_id() -> str:
    return secrets.token_hex(8)
