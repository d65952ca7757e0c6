"""How the workers of one server pass connections on, so that the guests of a table meet in one.

Every worker accepts connections of the same port. The code of a table decides which worker has it,
and a worker that reads a request for another's table passes it the connection, together with what
was read. Each slot has a door for that. It belongs to the supervisor: what arrives while a
worker is replaced waits for the new one.

Passing on only saves work. A worker may answer any request itself, as servers do that share a
database.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from hastilude.server.board import Board
from hastilude.server.peers import bucket_of
from hastilude.server.tokens import CODE, Sources

AT_TABLE = re.compile(rf"(?i:[a-z]+://[^/]*)?/api/tables/({CODE})(?:/|$)".encode())
OPENING = (b"POST", b"/api/tables")
MOST = 64 * 1024  # bytes that are passed on with a connection
BATCH = 64  # connections that are taken before anything else gets its turn
READ, FRESH = b"r", b"f"  # a request that is to be answered here; a connection without any

Arrival = Callable[[socket.socket, bytes, bool], None]


def slot_of(code: str, workers: int) -> int:
    """The slot of the worker where the guests of a table meet."""
    return bucket_of(code) % workers


class Doors:
    """Made by the supervisor before the workers are forked."""

    def __init__(self, workers: int) -> None:
        pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(workers)]
        for end in (end for pair in pairs for end in pair):
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)  # or what is allowed
        self.outside = [outside for outside, _ in pairs]
        self.inside = [inside for _, inside in pairs]


class Exchange:
    """A worker's way to the others."""

    def __init__(self, slot: int, doors: Doors, board: Board) -> None:
        self.slot = slot
        self._doors = doors
        self._board = board

    def worker_for(self, method: bytes, url: bytes) -> int:
        """The slot of the worker that should answer a request. New tables are spread over all."""
        path = unquote_to_bytes(url.partition(b"?")[0])  # the application compares that
        if (method, path) == OPENING:
            return secrets.randbelow(self._board.workers)
        at = AT_TABLE.match(path)
        return slot_of(at[1].decode(), self._board.workers) if at else self.slot

    def pass_on(self, slot: int, connection: int, read: bytes) -> bool:
        """Pass on a connection and what was read of its request; False if it cannot be now."""
        return self._board.is_up(slot) and self._send(slot, connection, READ + read)

    def may_take(self, slot: int, read: bytes | bytearray) -> bool:
        """Whether a connection that could not be passed on may be passed on soon."""
        return len(READ) + len(read) <= MOST and not self._board.is_put_off(slot)

    def leave_behind(self, connection: int, read: bytes) -> bool:
        """Leave a connection without a whole request to the next worker of this slot; False if
        there is none."""
        return not self._board.closing and self._send(self.slot, connection, FRESH + read)

    def _send(self, slot: int, connection: int, message: bytes) -> bool:
        if len(message) > MOST:
            return False
        try:
            socket.send_fds(self._doors.outside[slot], [message], [connection])
        except OSError:  # usually, too much is waiting there
            return False
        return True

    # --- arrivals -------------------------------------------------------------------------------

    def open(self, arrive: Arrival) -> None:
        """Take what arrives: `arrive` gets a connection, what was read of it, and whether that
        must be answered here."""
        self._arrive = arrive
        asyncio.get_running_loop().add_reader(self._doors.inside[self.slot].fileno(), self._take)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._doors.inside[self.slot].fileno())

    def _take(self) -> None:
        for _ in range(BATCH):
            try:
                message, passed, _, _ = socket.recv_fds(self._doors.inside[self.slot], MOST, 1)
            except OSError:  # nothing is left, or another worker of this slot was faster
                return
            for connection in passed:
                self._arrive(socket.socket(fileno=connection), message[1:], message[:1] == READ)


class OwnCodes(Sources):
    """Chooses the codes of new tables so that the tables belong to this worker."""

    def __init__(self, slot: int, workers: int) -> None:
        self._slot, self._workers = slot, workers

    def code(self) -> str:
        while slot_of(code := super().code(), self._workers) != self._slot:
            pass
        return code
