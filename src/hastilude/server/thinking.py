"""Where bots think: in a few threads, with fair turns.

Turns go around the addresses that have something to think about, and within an address around its
tables. So a client with many tables, or with many questions, delays mostly itself.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import ceil
from typing import Any, TypeVar

from hastilude import bots
from hastilude.bots.analyse import Candidate, analyse
from hastilude.bots.levels import budget_seconds
from hastilude.core.game import Game
from hastilude.core.match import Rehearsal

NICENESS = 5  # of the threads; the event loop has 0 and gets about three times as much
MARGIN_SECONDS = 0.05  # by which a search may overrun its budget without being seen to

Result = TypeVar("Result")
Turn = tuple[Callable[[], Any], asyncio.Future[Any]]


class Thinkers:
    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "thinker", _give_way)
        self._free = threads
        # By address and table, in the order in which they get their turns.
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Turn]]] = OrderedDict()

    async def think(self, address: str, table: str, work: Callable[[], Result]) -> Result:
        """Run something in a thread when it is its turn; cancelled before that, it never runs."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        tables = self._waiting.setdefault(address, OrderedDict())
        tables.setdefault(table, deque()).append((work, done))
        self._fill()
        return await done

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _fill(self) -> None:
        while self._free and self._waiting:
            work, done = self._next()
            if not done.cancelled():
                self._free -= 1
                running = asyncio.get_running_loop().run_in_executor(self._pool, work)
                running.add_done_callback(partial(self._end, done))

    def _next(self) -> Turn:
        """The next turn; its table and its address then come last."""
        address, tables = self._waiting.popitem(last=False)
        table, turns = tables.popitem(last=False)
        turn = turns.popleft()
        if turns:
            tables[table] = turns
        if tables:
            self._waiting[address] = tables
        return turn

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
    """Let this thread's work wait for the event loop's, where the system can tell threads apart."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def choose(level: str, game: Game, seat: int, rehearsal: Rehearsal, seed: int) -> list[str]:
    """The whole choice of a bot, which sees what its seat sees.

    The bot is made for this choice and gone after it: the memory of a search is large. If it has a
    time to think it takes all of it, also where its card is forced, and keeps its thread that long.
    Else the time of its answer, or of the next one, would tell the others that it had no choice.
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


def judge(game: Game, seat: int, rehearsal: Rehearsal) -> list[Candidate]:
    """What each action is worth that a seat may choose next, as far as the seat can know."""
    return analyse(game, rehearsal.redacted(), seat)
