"""Plays deals in several processes at once.

Each worker shares only its own pipe with this process, so it ends when this process does, even if
that is killed. (The workers of a standard library pool would wait forever.)
"""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from hastilude.arena.contest import Contest
from hastilude.arena.deals import DealResult, play_deal, warm_up
from hastilude.core.errors import OptionError


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_deals(contest: Contest, deals: Sequence[int], workers: int) -> Iterator[DealResult]:
    """Yield the results of the deals in the order in which they finish."""
    if not deals:
        return
    if workers == 1:
        warm_up(contest)
        for deal in deals:
            yield play_deal(contest, deal)
        return
    yield from _share_out(contest, iter(deals), workers)


def _share_out(contest: Contest, deals: Iterator[int], workers: int) -> Iterator[DealResult]:
    team: dict[Connection, tuple[SpawnProcess, int]] = {}
    try:
        for deal in islice(deals, workers):
            worker, process = _hire(contest)
            team[worker] = (process, deal)
            _order(worker, deal)
        while team:
            for worker in _ready(team):
                process, deal = team[worker]
                result = _receive(worker, deal)
                following = next(deals, None)
                if following is None:
                    worker.close()
                    del team[worker]
                else:
                    team[worker] = (process, following)
                    _order(worker, following)
                yield result
    finally:
        for worker, (process, _) in team.items():
            worker.close()
            process.terminate()


def _hire(contest: Contest) -> tuple[Connection, SpawnProcess]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, contest), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _ready(team: Iterable[Connection]) -> list[Connection]:
    return [pipe for pipe in wait(list(team)) if isinstance(pipe, Connection)]


def _receive(worker: Connection, deal: int) -> DealResult:
    try:
        result: DealResult = worker.recv()
    except (EOFError, ConnectionError):
        raise OptionError.of("arena_worker_died", deal=deal) from None
    return result


def _order(worker: Connection, deal: int) -> None:
    with suppress(ConnectionError):  # the worker has died; receiving from it will report that
        worker.send(deal)


def _work(orders: Connection, contest: Contest) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides
    with suppress(EOFError, ConnectionError):
        deal = orders.recv()
        warm_up(contest)
        while True:
            orders.send(play_deal(contest, deal))
            deal = orders.recv()
