"""Background tasks. Nobody waits for them, so their failures are logged here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from hastilude.server.errors import StoreFailed

logger = logging.getLogger("hastilude")


class Background:
    """The tasks of one owner. The owner's name appears in the log."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._tasks: set[asyncio.Task[None]] = set()
        self.closed = False  # whether new tasks are refused

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Start a task; None if new tasks are refused."""
        if self.closed:
            work.close()
            return None
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        self.start(self._repeat(seconds, work))

    def close(self) -> None:
        """Refuse new tasks."""
        self.closed = True

    def cancel(self) -> list[asyncio.Task[None]]:
        """Refuse new tasks and cancel the running ones, which are returned."""
        self.close()
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        return tasks

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            self._log(task.exception())

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception as error:  # log it and go on: the next attempt may succeed
                self._log(error)

    def _log(self, error: BaseException | None) -> None:
        if error and not isinstance(error, StoreFailed):  # the store has logged its own failure
            logger.error("%s: background work failed", self._owner, exc_info=error)
