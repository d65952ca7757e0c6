"""HTTP connections: uvicorn's, with the limits that uvicorn lacks.

An incomplete request costs memory and an open file, and never reaches the application. So this
module limits the size of a request's head and body, the time for both, and the number of requests
sent ahead, before anything is parsed.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from hastilude.messages import Message
from hastilude.server.answers import HEADERS, refusal
from hastilude.server.connections import Connections
from hastilude.server.metrics import CLOSED
from hastilude.server.settings import Settings

PIECE = 1024  # bytes parsed at once; sizes are checked after each piece
AHEAD = 8  # requests that may wait for an earlier answer; browsers send none ahead
FAREWELL_SECONDS = 1.0  # to finish an answer when the server stops


class HttpConnection(HttpToolsProtocol):
    settings: ClassVar[Settings]
    all: ClassVar[Connections]

    _read = 0  # bytes of the current request so far
    _head_read = False  # whether they include its whole head
    _upgraded = False
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.all.add(transport, self.client[0] if self.client else ""):
            self._set_deadline()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.all.remove(self.transport)
        self._clear_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    # --- receiving a request --------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        for start in range(0, len(data), PIECE):
            if self._upgraded or self.transport.is_closing():
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
            self._refuse(HTTPStatus.BAD_REQUEST)

    def _check_size(self) -> None:
        if not self._head_read and self._read > self.settings.head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._read > self.settings.head_bytes + 2 * self.settings.frame_bytes:
            # The application refuses a long body sooner; this is for bodies that it does not read.
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= AHEAD:
            raise ConnectionError("too many requests sent ahead")  # the parser stops
        self._head_read = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._read, self._head_read = 0, False
        self._clear_deadline()

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
        """Stop: finish the answer to a complete request, and wait for nothing else."""
        if self._is_answering and not self.cycle.more_body:
            super().shutdown()
        else:
            self.transport.close()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)


def http_connection(settings: Settings, connections: Connections) -> type[HttpConnection]:
    """The class of connections with these settings, which are counted together."""
    return type("HttpConnection", (HttpConnection,), {"settings": settings, "all": connections})
