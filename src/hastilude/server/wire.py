"""WebSocket connections: uvicorn's, with the limits that uvicorn lacks, and a direct way to send.

Pings and fragments never reach the application and its rate limits, so they are limited here. One
read may contain thousands of frames; a client that sends more than may wait is cut off before they
are all parsed. A client that stops reading would be kept forever, even after closing; once nothing
has moved for long, the connection is dropped.

A move causes two or three small frames, and ASGI's work around each costs more than the frame
itself. So the application finds the connection in its scope (`scope["wire"]`) and writes directly,
past the WebSocket library too, which takes three times as long for the header of a frame.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import unquote

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Response
from websockets.protocol import CONNECTING, OPEN
from websockets.server import ServerProtocol
from websockets.utils import accept_key

from hastilude.server.answers import HEADERS
from hastilude.server.connections import Connections
from hastilude.server.limits import Bucket
from hastilude.server.settings import Settings

PIECE = 1024  # bytes parsed at once; a frame has at least six
FAREWELL_SECONDS = 1.0  # for the client's part of closing
TOO_MANY, NOT_UTF8 = 4429, 1007
TEXT = 0x81  # the first byte of a frame: a text, not continued
LONG, VERY_LONG = 126, 1 << 16  # sizes from which a header has two or eight more bytes
KEY = re.compile(rb"[A-Za-z0-9+/]{22}==")  # 16 bytes
USUAL_BYTES, USUAL_HEADERS = 4096, 64  # less than the WebSocket library allows
UNUSUAL = {b"sec-websocket-protocol", b"content-length", b"transfer-encoding"}
ACCEPTED = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n%b\r\n"
)


class Handshake(ServerProtocol):
    """Answers a refused handshake over HTTP, with the headers of all answers."""

    def send_response(self, response: Response) -> None:
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            for name, value in HEADERS:
                response.headers[name.decode()] = value.decode()
        super().send_response(response)


def usual_key(scope: Any, url: bytes) -> bytes | None:
    """The key of a valid handshake in its usual form; others are left to the WebSocket library."""
    headers = dict(scope["headers"])
    key = headers.get(b"sec-websocket-key", b"")
    size = len(url) + sum(len(name) + len(value) for name, value in scope["headers"])
    usual = (
        scope["method"] == "GET"
        and url.startswith(b"/")
        and url.isascii()
        and size <= USUAL_BYTES
        and len(headers) == len(scope["headers"]) <= USUAL_HEADERS
        and headers.get(b"upgrade", b"").lower() == b"websocket"
        and headers.get(b"sec-websocket-version") == b"13"
        and KEY.fullmatch(key)
        and UNUSUAL.isdisjoint(headers)
    )
    return key if usual else None


def do_nothing() -> None:
    pass


class Wire(WebSocketsSansIOProtocol):
    settings: ClassVar[Settings]
    all: ClassVar[Connections]

    def __init__(self, *arguments: Any, key: bytes | None = None, **named: Any) -> None:
        """With a key, the handshake was read already: `begin`."""
        super().__init__(*arguments, **named)
        self.conn.parser.close()  # instead of uvicorn's; see `connection_lost`
        state = OPEN if key else CONNECTING
        self.conn = Handshake(state=state, max_size=self.settings.frame_bytes, logger=self.logger)
        self._key = key
        self.close_timeout = FAREWELL_SECONDS
        self._small = Bucket(self.settings.frame_rate, time.monotonic())
        self._stalled: asyncio.TimerHandle | None = None
        self._late = 0  # bytes received after closing
        self.on_writable: Callable[[], None] = do_nothing  # called when it can send again

    def begin(self, transport: asyncio.Transport, request: Any, url: bytes) -> None:
        """Begin with a usual handshake, given what is known of its request. uvicorn would write it
        again, and let the WebSocket library parse it."""
        self.connection_made(transport)
        path, _, query = url.partition(b"?")
        self.scope = request | {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "scheme": self.scheme,
            "path": self.root_path + unquote(path.decode()),
            "raw_path": self.root_path.encode() + path,
            "query_string": query,
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self.handshake_initiated = True
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def _accept(self, key: bytes) -> None:
        if self.transport.is_closing():
            return
        self.handshake_complete = True
        headers = [b"%b: %b\r\n" % header for header in self.default_headers]
        accept = accept_key(key.decode()).encode()
        self.transport.write(ACCEPTED % (accept, b"".join(headers)))
        self.start_keepalive()

    def connection_lost(self, exc: Exception | None) -> None:
        self.all.remove(self.transport)
        super().connection_lost(exc)
        # These refer to the protocol, and the protocol to them.
        self.conn.parser.close()
        self.conn.handshake_exc = None

    # --- clients that send too much -------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            if self.close_sent:
                self._late += len(piece)
                if self._late > self.settings.frame_bytes:
                    self.transport.abort()
            if self.transport.is_closing():
                return
            super().data_received(piece)
            if self.conn.handshake_exc and not self.transport.is_closing():
                self._refuse_handshake()
            if self.queue.qsize() > self.settings.frame_rate.burst:
                self._cut_off(TOO_MANY, "too_many")

    def _refuse_handshake(self) -> None:
        """Close after an invalid handshake, because the application never sees it."""
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def handle_ping(self) -> None:
        if self._count_small():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._count_small():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._count_small():
            super().handle_cont(event)

    def _count_small(self) -> bool:
        if self._small.take(self.settings.frame_rate, time.monotonic()):
            return True
        self._cut_off(TOO_MANY, "too_many")
        return False

    def send_receive_event_to_app(self) -> None:
        """As in uvicorn, but a client's invalid UTF-8 is not logged as our error, and reading stops
        only while frames are queued: pausing and resuming costs two system calls per frame."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "bytes":
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        else:
            try:
                self.queue.put_nowait({"type": "websocket.receive", "text": data.decode()})
            except UnicodeDecodeError:
                self._cut_off(NOT_UTF8, "bad_frame")
                return
        if self.queue.qsize() > 1 and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _cut_off(self, code: int, reason: str) -> None:
        if not self.handshake_complete:
            self.transport.abort()
        elif not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()
            self._drop_later(FAREWELL_SECONDS)

    # --- sending directly -----------------------------------------------------------------------

    async def run_asgi(self) -> None:
        self.scope["wire"] = self  # type: ignore[typeddict-unknown-key]  # ASGI allows extra keys
        try:
            await super().run_asgi()
        finally:
            del self.scope["wire"]  # type: ignore[typeddict-item]  # no cycle

    @property
    def full(self) -> bool:
        """Whether too much is waiting for the client to add anything."""
        return not self.writable.is_set()

    def write(self, texts: Iterable[bytes]) -> None:
        """Send several texts together; ConnectionError if the connection has ended."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            raise ConnectionError
        frames: list[bytes] = []
        for text in texts:
            frames += (_header(text), text)
        self.transport.write(b"".join(frames))

    # --- clients that do not read ---------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self._drop_later(self.settings.ping_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        self.on_writable()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: Any) -> None:
        if self._key and message["type"] == "websocket.accept":
            self._accept(self._key)
            return
        await super().send(message)
        if message["type"] == "websocket.close":
            self._drop_later(2 * FAREWELL_SECONDS)

    def shutdown(self) -> None:
        """Stop, without waiting for stalled clients."""
        super().shutdown()
        self._drop_later(FAREWELL_SECONDS)

    def _drop_later(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def _header(text: bytes) -> bytes:
    """The header of a whole text frame from a server (RFC 6455, 5.2)."""
    size = len(text)
    if size < LONG:
        return bytes((TEXT, size))
    if size < VERY_LONG:
        return bytes((TEXT, LONG, *size.to_bytes(2)))
    return bytes((TEXT, LONG + 1, *size.to_bytes(8)))


def wire(settings: Settings, connections: Connections) -> type[Wire]:
    """The class of connections with these settings, which are counted together."""
    return type("Wire", (Wire,), {"settings": settings, "all": connections})
