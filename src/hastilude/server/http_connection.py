"""HTTP connections: uvicorn's, with the limits that uvicorn lacks.

An incomplete request costs memory and an open file, and never reaches the application. So this
module limits the size of a request's head and body, the time for both, and the number of requests
sent ahead, before anything is parsed.

If the server has several workers, a request for another worker's table is passed on here, with its
connection (`doors.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from hastilude.messages import Message
from hastilude.server.answers import HEADERS, refusal
from hastilude.server.connections import Connections
from hastilude.server.doors import Exchange
from hastilude.server.metrics import CLOSED
from hastilude.server.settings import Settings
from hastilude.server.wire import Wire, usual_key

PIECE = 1024  # bytes parsed at once; sizes are checked after each piece
AHEAD = 8  # requests that may wait for an earlier answer; browsers send none ahead
FAREWELL_SECONDS = 1.0  # to finish an answer when the server stops
PATIENCE_SECONDS = 3.0  # for another worker that is being replaced, before its request is answered
RETRY_SECONDS = 0.02


class Together:
    """Stands in for a transport while the head of an answer waits for the first piece of its body:
    two writes would be two system calls, and wake the client twice."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.is_closing = transport.is_closing
        self._pieces: list[bytes] = []
        self.write = self._pieces.append

    def flush(self) -> None:
        if self._pieces:  # otherwise the client is gone
            self.transport.write(b"".join(self._pieces))
            self._pieces.clear()

    def close(self) -> None:
        self.flush()
        self.transport.close()


class Cycle(RequestResponseCycle):
    """A request and its answer."""

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.transport = Together(self.transport)  # type: ignore[assignment]
        await super().send(message)
        if message["type"] == "http.response.body" and isinstance(self.transport, Together):
            self.transport.flush()
            self.transport = self.transport.transport


class HttpConnection(HttpToolsProtocol):
    settings: ClassVar[Settings]
    all: ClassVar[Connections]
    wire: ClassVar[type[Wire]]
    exchange: ClassVar[Exchange | None]

    arrived: bytes | None = None  # what another worker read of the connection before passing it on
    settled = False  # whether the current request must be answered here
    _head: bytearray | None = None  # the bytes of the request while it may be passed on
    _begun = False  # whether a part of the current request was parsed
    _leaving: bytearray | None = None  # what is to be passed on with the connection
    _read = 0  # bytes of the current request so far
    _head_read = False  # whether they include its whole head
    _upgraded = False
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self.all.add(transport, self._address, new=self.arrived is None):
            transport.abort()
            return
        self._set_deadline()
        if self.arrived:
            self.data_received(self.arrived)

    def connection_lost(self, exc: Exception | None) -> None:
        self.all.remove(self.transport)
        self._clear_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    # --- receiving a request --------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self.exchange:
            self._keep_head(data)
        for start in range(0, len(data), PIECE):
            if self._upgraded or self._leaving is not None or self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._read += len(piece)
            self._parse(piece)
            self._check_size()
        if self._read and self._deadline is None:
            self._set_deadline()

    def _parse(self, piece: bytes) -> None:
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            if not self._should_upgrade():  # the client offers another protocol, which we ignore
                self.cycle.keep_alive = False
            elif (
                self._is_answering
            ):  # an unfinished answer and its timers would disturb a WebSocket
                self._refuse(HTTPStatus.BAD_REQUEST)
            else:
                self._upgraded = True
                self._clear_deadline()
                self.handle_websocket_upgrade()
        except httptools.HttpParserError:
            if self._leaving is None:
                self._refuse(HTTPStatus.BAD_REQUEST)

    def handle_websocket_upgrade(self) -> None:
        key = usual_key(self.scope, self.url)
        if key:
            self.connections.discard(self)
            wire = self.wire(self.config, self.server_state, self.app_state, key=key)
            wire.begin(self.transport, self.scope, self.url)
            self.transport.set_protocol(wire)
        else:
            super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it refers to this connection

    def _check_size(self) -> None:
        if not self._head_read and self._read > self.settings.head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._read > self.settings.head_bytes + 2 * self.settings.frame_bytes:
            # The application refuses a long body sooner; this is for bodies that it does not read.
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= AHEAD:
            raise ConnectionError("too many requests sent ahead")  # the parser stops
        if self._passes_on():
            raise ConnectionError("another worker answers")
        self._head_read = True
        super().on_headers_complete()
        if self.cycle is not None:
            self.cycle.__class__ = Cycle  # uvicorn does not let us choose; it has only just begun

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._read, self._head_read = 0, False
        self._begun = self.settled = False
        self._clear_deadline()

    # --- passing a request on -------------------------------------------------------------------

    def _keep_head(self, data: bytes) -> None:
        """Keep the bytes of a request until its head is whole. One that follows another in the same
        piece of data, or before an answer, is answered here."""
        if not self._begun:
            self._head = None if self._is_answering or self.settled else bytearray()
        if self._head is not None:
            self._head += data

    def on_message_begin(self) -> None:
        self._begun = True
        super().on_message_begin()

    def _passes_on(self) -> bool:
        """Pass the request on if another worker should answer it."""
        head, self._head = self._head, None
        if self.exchange is None or head is None or self._is_sending:
            return False
        worker = self.exchange.worker_for(self.parser.get_method(), self.url)
        if worker == self.exchange.slot:
            return False
        self._leaving = head
        self._clear_deadline()
        self.transport.pause_reading()
        # Not at once: the parser is still at work.
        self.loop.call_soon(self._leave, worker, self.loop.time() + PATIENCE_SECONDS)
        return True

    def _leave(self, worker: int, patience: float) -> None:
        assert self.exchange is not None
        assert self._leaving is not None
        if self.transport.is_closing():
            return
        if self._hand_over(partial(self.exchange.pass_on, worker), self._leaving):
            return
        if self.loop.time() < patience and self.exchange.may_take(worker, self._leaving):
            self.loop.call_later(RETRY_SECONDS, self._leave, worker, patience)
        else:
            self._stay(bytes(self._leaving))

    def _stay(self, request: bytes) -> None:
        """Answer the request here after all."""
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as in uvicorn
        self._begun, self._read, self._leaving, self.settled = False, 0, None, True
        self.transport.resume_reading()
        self.data_received(request)

    def _hand_over(self, send: Callable[[int, bytes], bool], read: bytes | bytearray) -> bool:
        """Send the connection to another worker, which counts it from then on; False if that is
        not possible now."""
        self.all.remove(self.transport)
        if not send(self.transport.get_extra_info("socket").fileno(), bytes(read)):
            self.all.add(self.transport, self._address, new=False)
            return False
        self.transport.abort()  # only this process's end
        return True

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _is_sending(self) -> bool:
        """Whether a part of the last answer is still in this process."""
        return self.transport.get_write_buffer_size() > 0

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer with an error, unless another answer was sent already, and close."""
        if self.transport.is_closing():
            return
        CLOSED.labels("bad_request").inc()
        if self._is_answering:
            self.transport.abort()
            return
        if not self._is_answered:
            self._answer(status)
        self.transport.close()

    def _answer(self, status: HTTPStatus) -> None:
        answer = refusal(Message("request_http", {"problem": status.phrase}), status)
        headers = [*answer.raw_headers, *HEADERS, (b"connection", b"close")]
        lines = [name + b": " + value + b"\r\n" for name, value in headers]
        self.transport.write(b"".join([STATUS_LINE[status], *lines, b"\r\n", answer.body]))

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _is_answered(self) -> bool:
        """Whether the current request was answered before its whole body arrived."""
        return self._head_read and self.cycle is not None and self.cycle.response_complete

    # --- slow clients ---------------------------------------------------------------------------

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(self.settings.request_seconds, self._time_out)

    def _time_out(self) -> None:
        if self._read:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:  # a browser's spare connection, or a silent client
            self.transport.close()

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def _watch_reader(self) -> None:
        """Close stalled connections: at each check, half of the answer must have been sent."""
        unsent = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self.settings.ping_seconds, self._check_reader, unsent)

    def _check_reader(self, before: int) -> None:
        if 2 * self.transport.get_write_buffer_size() > before:
            self.transport.abort()
        else:
            self._watch_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def shutdown(self) -> None:
        """Stop: finish the answer to a complete request, and wait for nothing else. The next worker
        gets a connection that waits for a request."""
        if self._is_left_behind():
            return
        if self._is_answering and not self.cycle.more_body:
            super().shutdown()
        else:
            self.transport.close()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)

    def _is_left_behind(self) -> bool:
        if self.exchange is None or self.transport.is_closing():
            return False
        if self._is_answering or self._is_sending:
            return False
        read = self._leaving or (self._head if self._begun else b"")
        return read is not None and self._hand_over(self.exchange.leave_behind, read)


def http_connection(
    settings: Settings,
    connections: Connections,
    wire: type[Wire],
    exchange: Exchange | None = None,
) -> type[HttpConnection]:
    """The class of connections with these settings, which are counted together. Those that upgrade
    become a `wire`."""
    shared = {"settings": settings, "all": connections, "wire": wire, "exchange": exchange}
    return type("HttpConnection", (HttpConnection,), shared)
