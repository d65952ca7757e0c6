"""Starts a server's workers, replaces those that die, restarts them one by one, and stops them.

The supervisor brings everything into memory that answers need before it forks the workers. So they
share that memory, and one that is replaced is back at once.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from hastilude.core.errors import HastiludeError, OptionError
from hastilude.server import metrics, run
from hastilude.server.board import Board
from hastilude.server.doors import Doors
from hastilude.server.settings import Settings
from hastilude.server.store import Store
from hastilude.server.worker import Place, work

LOOK_SECONDS = 0.05  # between two looks at the workers while something changes
CALM_SECONDS = 1.0  # the same otherwise; a signal, and a worker's end, wake the supervisor at once
STOP_SECONDS = 5.0  # after this, a worker that was asked to stop is killed
STEADY_SECONDS = 10.0  # a worker that dies sooner is replaced later and later
SHORTEST_WAIT, LONGEST_WAIT = 0.5, 30.0
SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD}
LASTING = ("database", "host", "port", "workers")  # until the whole server stops
FAILED = 1

logger = logging.getLogger("hastilude")


def serve(
    read: Callable[[], Settings], preparing: Callable[[], None], ready: Callable[[str], None]
) -> int:
    """Serve until a signal arrives; returns the exit code."""
    settings = read()
    with run.bind(settings) as listener:
        store = Store(settings.database)
        store.migrate()
        store.close()
        run.get_ready(preparing)
        listener.listen(run.BACKLOG)  # from now on a client waits, whatever happens to the workers
        address = run.address_of(listener)
        return Supervisor(settings, read, listener).run(lambda: ready(address))


@dataclass
class Process:
    slot: int
    row: int
    began: float
    settings: Settings
    stopped: float | None = None  # when it was asked to stop


class Supervisor:
    def __init__(
        self, settings: Settings, read: Callable[[], Settings], listener: socket.socket
    ) -> None:
        self._settings = settings  # with which a worker has been up
        self._wanted = settings  # those of a restart; kept once a worker is up with them
        self._read = read
        self._listener = listener
        self._board = Board(settings.workers)
        self._doors = Doors(settings.workers)
        self._alive, self._death = os.pipe()  # its end tells the workers that this process died
        self._workers: dict[int, Process] = {}  # by their process ids
        self._due = dict.fromkeys(range(settings.workers), 0.0)  # when slots get a new worker
        self._deaths = [0] * settings.workers  # one soon after another, of each slot
        self._restarts: list[int] = []  # slots whose workers are still to be restarted
        self._begun = False

    def run(self, ready: Callable[[], None]) -> int:
        """Keep the workers running until a signal arrives; returns the exit code."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        failed = 0
        while not (self._board.closing or failed):
            self._start_due()
            self._take_signal()
            for worker, code in self._ended():
                failed = failed or self._replace(worker, code)
            self._retire()
            if self._is_whole and not self._begun:
                self._begun = True
                ready()
        self._stop()
        return failed

    @property
    def _is_whole(self) -> bool:
        """Whether each slot has one worker, which is up."""
        return self._board.up == self._board.workers == len(self._workers)

    def _take_signal(self) -> None:
        calm = self._is_whole and not self._restarts
        taken = signal.sigtimedwait(SIGNALS, CALM_SECONDS if calm else LOOK_SECONDS)
        if taken and taken.si_signo in (signal.SIGINT, signal.SIGTERM):
            self._board.close()
        elif taken and taken.si_signo == signal.SIGHUP:
            self._restart()

    # --- starting -------------------------------------------------------------------------------

    def _start_due(self) -> None:
        now = time.monotonic()
        for slot in [slot for slot, when in self._due.items() if when <= now]:
            del self._due[slot]
            if not self._start(slot, self._settings):
                self._wait_longer(slot, soon=True)

    def _start(self, slot: int, settings: Settings) -> bool:
        """Start a worker; False if the system does not allow it now."""
        row = min({*range(self._board.rows)} - {worker.row for worker in self._workers.values()})
        try:
            process = os.fork()
        except OSError as error:
            logger.error("worker %d cannot be started: %s", slot + 1, error.strerror)
            return False
        if not process:
            self._become_worker(slot, row, settings)
        self._workers[process] = Process(slot, row, time.monotonic(), settings)
        return True

    def _wait_longer(self, slot: int, soon: bool) -> None:
        """Start a worker at once, or later and later if that was necessary soon before."""
        deaths = self._deaths[slot] = 1 + soon * self._deaths[slot]
        wait = min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** min(deaths - 2, 8)) if deaths > 1 else 0.0
        self._due[slot] = time.monotonic() + wait
        if wait:
            self._board.put_off(slot)

    def _become_worker(self, slot: int, row: int, settings: Settings) -> NoReturn:
        code = FAILED
        try:
            os.close(self._death)
            for other in (signal.SIGINT, signal.SIGHUP):  # they are for the supervisor
                signal.signal(other, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            _number_lines(slot)
            place = Place(slot, row, self._board, self._doors, self._listener, self._alive)
            work(settings, place)
            code = 0
        except HastiludeError as error:
            logger.error("%s", error)
        except Exception:
            logger.exception("failed")
        finally:
            os._exit(code)  # nothing of the supervisor's is cleaned up here

    # --- ends -----------------------------------------------------------------------------------

    def _ended(self) -> Iterator[tuple[Process, int]]:
        """The workers that have ended since the last look, and their exit codes."""
        while self._workers:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            worker = self._workers.pop(process, None)
            if worker is not None:  # not a process that compiled
                self._board.set_down(worker.slot, worker.row)
                self._board.clear(worker.row)
                metrics.forget(str(worker.row))
                yield worker, os.waitstatus_to_exitcode(status)

    def _replace(self, ended: Process, code: int) -> int:
        """Replace a worker that died: at once, or later and later if none lives long. Returns an
        exit code if the server cannot even start."""
        if ended.stopped is not None:
            return 0
        logger.warning("worker %d ended with code %d", ended.slot + 1, code)
        if not self._begun:
            return max(code, FAILED)
        for other in self._workers.values():
            if other.slot == ended.slot and other.stopped is None:
                if ended.began > other.began:  # that one goes on, as it was not succeeded
                    self._board.set_up(other.slot, other.row)
                    self._give_up_restart()
                return 0
        self._wait_longer(ended.slot, soon=time.monotonic() - ended.began < STEADY_SECONDS)
        return 0

    # --- restarting and stopping ----------------------------------------------------------------

    def _restart(self) -> None:
        """Restart all workers one by one, with the settings as they are now."""
        try:
            settings = self._read()
        except OptionError as error:
            logger.error("no restart: %s", error)
            return
        lasting = {name: getattr(self._settings, name) for name in LASTING}
        self._wanted = replace(settings, **lasting)
        self._restarts = [*range(self._board.workers)]
        logger.info("restarting the workers one by one")

    def _give_up_restart(self) -> None:
        self._restarts = []
        self._wanted = self._settings
        logger.error("the restart ends here: a new worker failed")

    def _retire(self) -> None:
        """Ask a worker to stop once its successor is up; then the next one gets a successor."""
        for process, worker in self._workers.items():
            if worker.settings is self._wanted and self._board.is_up(worker.slot, worker.row):
                self._settings = self._wanted
            if worker.stopped is not None or self._is_succeeded(worker):
                self._ask(process, worker)
        if not (self._restarts and self._is_whole):
            return
        if not self._start(self._restarts.pop(0), self._wanted):
            self._give_up_restart()

    def _is_succeeded(self, worker: Process) -> bool:
        up = self._board.is_up(worker.slot)
        own = self._board.is_up(worker.slot, worker.row)
        newest = max(w.began for w in self._workers.values() if w.slot == worker.slot)
        return up and not own and worker.began < newest

    def _stop(self) -> None:
        """Stop all workers, and wait until they have ended."""
        self._board.close()
        while self._workers:
            for process, worker in self._workers.items():
                self._ask(process, worker)
            signal.sigtimedwait(SIGNALS, LOOK_SECONDS)
            for _ in self._ended():
                pass

    def _ask(self, process: int, worker: Process) -> None:
        """Ask a worker to stop; kill it if it has not done so in time."""
        now = time.monotonic()
        if worker.stopped is None:
            worker.stopped = now
            os.kill(process, signal.SIGTERM)
        elif now - worker.stopped > STOP_SECONDS:
            os.kill(process, signal.SIGKILL)


def _number_lines(slot: int) -> None:
    """Say in each line of the log which worker wrote it."""
    form = f"%(asctime)s %(levelname)s worker {slot + 1}: %(message)s"
    for handler in logging.getLogger().handlers:
        handler.setFormatter(logging.Formatter(form))
