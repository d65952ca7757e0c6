"""Reads lines from standard input while other tasks run."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections import deque
from contextlib import suppress
from types import FrameType

INTERRUPT = "\x03"
MOST_BYTES = 4096


class Keyboard:
    """Reads in its own thread, directly from the file descriptor: a thread that waits for
    `sys.stdin` would hold its lock when the program ends."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lines: deque[str | None] = deque()  # None: the end of the input
        self._interrupts = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._before = signal.signal(signal.SIGINT, self._interrupted)

    def close(self) -> None:
        signal.signal(signal.SIGINT, self._before)

    async def line(self, listen: bool = True) -> str | None:
        """The next line, INTERRUPT, or None at the end of the input. Without `listen`, lines wait
        and only an interrupt is returned."""
        if listen and not self._reader.ident:
            self._reader.start()
        while True:
            if self._interrupts:
                self._interrupts -= 1
                return INTERRUPT
            if listen and self._lines:
                return self._lines.popleft()
            self._news.clear()
            await self._news.wait()

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self._interrupts += 1
        self._loop.call_soon_threadsafe(self._news.set)

    def _read(self) -> None:
        rest = b""
        while more := os.read(sys.stdin.fileno(), MOST_BYTES):
            *lines, rest = (rest + more).split(b"\n")
            for line in lines:
                self._receive(line.decode(errors="replace"))
        if rest:
            self._receive(rest.decode(errors="replace"))
        self._receive(None)

    def _receive(self, line: str | None) -> None:
        self._lines.append(line)
        with suppress(RuntimeError):  # the dialogue has ended
            self._loop.call_soon_threadsafe(self._news.set)
