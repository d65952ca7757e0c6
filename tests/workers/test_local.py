"""Workers on this machine."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from itertools import count, islice

import pytest

from hastilude.core.errors import OptionError
from hastilude.workers import Local
from tests.arena.test_results import alive
from tests.workers.jobs import DEADLY, Deadly, Squares
from tests.workers.waiting import PATIENCE, wait_until

TASKS = range(2, 12)


@pytest.mark.parametrize("workers", [1, 2, 20])
def test_every_task_is_done_once_by_a_prepared_worker(workers):
    done = sorted(Local(workers).share_out(Squares(), TASKS))
    assert [(task, square) for task, (square, _, _) in done] == [(n, n * n) for n in TASKS]
    assert {prepared for _, (_, _, prepared) in done} == {1}


def test_one_worker_is_this_process():
    done = Local(1).share_out(Squares(), TASKS)
    assert {process for _, (_, process, _) in done} == {os.getpid()}


def test_two_workers_are_two_other_processes():
    done = list(Local(2).share_out(Squares(), range(50)))
    processes = {process for _, (_, process, _) in done}
    assert os.getpid() not in processes
    assert len(processes) == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_without_tasks_nothing_is_prepared(workers):
    job = Squares()
    assert list(Local(workers).share_out(job, [])) == []
    assert job.prepared == 0


def test_tasks_may_be_endless_and_workers_end_when_nobody_wants_more():
    with closing(Local(2).share_out(Squares(), count())) as done:
        some = list(islice(done, 20))
    assert len({task for task, _ in some}) == 20
    wait_until(lambda: not any(alive(process) for _, (_, process, _) in some))


def test_a_worker_that_dies_is_reported_with_its_task():
    with pytest.raises(OptionError, match=f"worked on number {DEADLY} ended without a result"):
        list(Local(2).share_out(Deadly(), TASKS))


def test_an_interrupt_while_workers_start_reaches_only_this_process(tmp_path):
    script = """
import pathlib, signal, sys
from hastilude.workers import Local
from tests.workers.jobs import Loading
signal.signal(signal.SIGINT, lambda *_: print("interrupted"))
print(len(list(Local(2).share_out(Loading(pathlib.Path(sys.argv[1])), range(4)))))
"""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            wait_until(lambda: len(list(tmp_path.glob("*.begun"))) == 2)
            os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C in a terminal does
            (tmp_path / "go").touch()
            said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert said == ("interrupted\n4\n", "")
