"""Runs bots in a few threads, in fair turns."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import ceil
from typing import Any, TypeVar

from hastilude import bots
from hastilude.bots.hints import Adviser, Hints
from hastilude.bots.levels import budget_seconds
from hastilude.core.game import Game
from hastilude.core.match import Rehearsal
from hastilude.server.turns import Turns

NICENESS = 5  # of the threads; the event loop has 0 and gets about three times as much CPU time
MARGIN_SECONDS = 0.05  # a search may exceed its time by this much without anybody noticing
HINT_SLICE_SECONDS = 0.05  # a hint thinks in many short turns, so that bots need not wait for it

Result = TypeVar("Result")
Thought = tuple[Callable[[], Any], asyncio.Future[Any]]


class Thinkers:
    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "thinker", _give_way)
        self._free = threads
        self._waiting: Turns[Thought] = Turns()

    async def think(self, address: str, table: str, work: Callable[[], Result]) -> Result:
        """Run work in a thread when it is its turn; if cancelled before that, it never runs."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.add(address, table, (work, done))
        self._fill()
        return await done

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _fill(self) -> None:
        while self._free and self._waiting:
            work, done = self._waiting.next()
            if not done.cancelled():
                self._free -= 1
                running = asyncio.get_running_loop().run_in_executor(self._pool, work)
                running.add_done_callback(partial(self._end, done))

    def _end(self, done: asyncio.Future[Any], running: asyncio.Future[Any]) -> None:
        self._free += 1
        if running.cancelled():  # the server stops
            done.cancel()
        elif done.cancelled():
            running.exception()  # nobody waits for it any more
        elif error := running.exception():
            done.set_exception(error)
        else:
            done.set_result(running.result())
        self._fill()


def _give_way() -> None:
    """Give the event loop priority over this thread, if the system has priorities per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def choose(level: str, game: Game, seat: int, rehearsal: Rehearsal, seed: int) -> list[str]:
    """The whole choice of a bot, which sees only what its seat sees.

    The bot exists only for this choice, because a search uses much memory. If it has a time limit
    it always uses all of it, and occupies its thread, even if it has only one legal action.
    Otherwise the time of this answer or the next would tell the others that it had no choice.
    """
    begun = time.monotonic()
    bot = bots.make(level, game, seed)
    actions = []
    while not rehearsal.whole:
        action = bot.choose(rehearsal.redacted(), seat)
        rehearsal.play(action)
        actions.append(game.text(action))
    budget = budget_seconds(level)
    if budget:
        took = time.monotonic() - begun
        budgets = max(1, ceil((took - MARGIN_SECONDS) / budget))
        time.sleep(max(0.0, budgets * budget + MARGIN_SECONDS - took))
    return actions


def advise(game: Game, seat: int, rehearsal: Rehearsal) -> Adviser:
    """Begin to think about a hint for a seat, which sees only what the seat knows."""
    return Adviser(game, rehearsal.redacted(), seat)


def think_of_hints(adviser: Adviser, deadline: float) -> Hints | None:
    """Think for a slice of time; the hints, if that is enough or the deadline has passed."""
    adviser.analysis.think(min(HINT_SLICE_SECONDS, deadline - time.monotonic()))
    if adviser.analysis.decided or time.monotonic() >= deadline:
        return adviser.hints()
    return None
