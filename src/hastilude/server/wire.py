"""The connection under a socket: uvicorn's, bounded where uvicorn is not.

Pings and fragments never reach the application, and so none of its rates; they have one here. One
read may bring thousands of frames; whoever has sent more than may wait is cut off before they are
all taken apart. And a client that no longer reads would be kept for ever, even after it was
closed: once nothing has moved for long, the connection is dropped without a farewell.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from hastilude.server.limits import Bucket
from hastilude.server.settings import Settings

PIECE = 1024  # bytes taken apart at once; a frame has at least six
FAREWELL_SECONDS = 1.0  # for the client's side of a closing
TOO_MANY, NOT_UTF8 = 4429, 1007


class Wire(WebSocketsSansIOProtocol):
    settings: ClassVar[Settings]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.close_timeout = FAREWELL_SECONDS
        self._small = Bucket(self.settings.frame_rate, time.monotonic())
        self._stalled: asyncio.TimerHandle | None = None
        self._late = 0  # bytes that came after the closing

    # --- who sends too much ---------------------------------------------------------------------

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
            if self.queue.qsize() > self.settings.frame_rate.burst:
                self._cut_off(TOO_MANY, "too_many")

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
        """uvicorn would log a client's bad UTF-8 as an error of ours."""
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.frames = []
            self._cut_off(NOT_UTF8, "bad_frame")
        else:
            super().send_receive_event_to_app()

    def _cut_off(self, code: int, reason: str) -> None:
        if not self.handshake_complete:
            self.transport.abort()
        elif not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()
            self._drop_later(FAREWELL_SECONDS)

    # --- who does not read ----------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self._drop_later(self.settings.ping_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close":
            self._drop_later(2 * FAREWELL_SECONDS)

    def shutdown(self) -> None:
        """The server goes; it does not wait for who does not read."""
        super().shutdown()
        self._drop_later(FAREWELL_SECONDS)

    def _drop_later(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def wire(settings: Settings) -> type[Wire]:
    """Connections with these settings."""
    return type("Wire", (Wire,), {"settings": settings})
