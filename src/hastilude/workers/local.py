"""Workers on this machine.

Each worker process shares only its own pipe with this process, so it ends when this process does,
even if that is killed. (The workers of a standard library pool would wait forever.)
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from typing import Any

from hastilude.core.errors import OptionError
from hastilude.workers.job import Finished, Job, Result


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Local:
    """So many processes, by default one per core; one worker is this process itself."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or cores()

    def share_out(self, job: Job[Result], tasks: Iterable[int]) -> Finished[Result]:
        if self._count == 1:
            return _alone(job, iter(tasks))
        return _team(job, iter(tasks), self._count)


def _alone(job: Job[Result], tasks: Iterator[int]) -> Finished[Result]:
    for first in islice(tasks, 1):
        job.prepare()
        for task in chain([first], tasks):
            yield task, job.do(task)


def _team(job: Job[Result], tasks: Iterator[int], count: int) -> Finished[Result]:
    team: dict[Connection, tuple[SpawnProcess, int]] = {}
    try:
        for task in islice(tasks, count):
            worker, process = _hire(job)
            team[worker] = (process, task)
            _order(worker, task)
        while team:
            for worker in _ready(team):
                process, task = team[worker]
                result = _receive(worker, task)
                following = next(tasks, None)
                if following is None:
                    worker.close()
                    del team[worker]
                else:
                    team[worker] = (process, following)
                    _order(worker, following)
                yield task, result
    finally:
        for worker, (process, _) in team.items():
            worker.close()
            process.terminate()


def _hire(job: Job[Any]) -> tuple[Connection, SpawnProcess]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, job), daemon=True)
    with _no_interrupts():
        process.start()
    theirs.close()
    return ours, process


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """For a process that is started meanwhile, there are none. For this one they come later."""
    if hasattr(signal, "pthread_sigmask"):
        ensure_running()  # it would be started with the first process, and allow interrupts
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield


def _ready(team: Iterable[Connection]) -> list[Connection]:
    return [pipe for pipe in wait(list(team)) if isinstance(pipe, Connection)]


def _receive(worker: Connection, task: int) -> Any:
    try:
        return worker.recv()
    except (EOFError, ConnectionError):
        raise OptionError.of("worker_died", task=task) from None


def _order(worker: Connection, task: int) -> None:
    with suppress(ConnectionError):  # the worker has died; receiving from it will report that
        worker.send(task)


def _work(orders: Connection, job: Job[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides
    with suppress(EOFError, ConnectionError):
        task = orders.recv()
        job.prepare()
        while True:
            orders.send(job.do(task))
            task = orders.recv()
