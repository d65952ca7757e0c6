"""Workers on a Ray cluster. This is the only module that knows Ray.

Ray does a task again elsewhere if its process or its machine dies. It does not send this package
to other machines: they must have it already, in the same version.
"""
# ruff: noqa: PLC0415  # importing Ray takes more than a second, and it reads the environment then

from __future__ import annotations

import math
import os
import pickle
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import islice
from time import monotonic
from typing import Any, TypeAlias

from hastilude.core.errors import OptionError
from hastilude.workers.job import Finished, Job, Result
from hastilude.workers.local import cores
from hastilude.workers.versions import versions

ADDRESS = re.compile(r"([^\s/:]+|\[[0-9a-fA-F:]+\]):\d{1,5}")
ANSWER_SECONDS = 6  # for a first answer from an address
TRIAL_SECONDS = 60  # for importing Ray and joining a cluster, on a busy machine too
TRIES = 5  # of one task, if its process or its machine dies
PER_CORE = 2  # tasks that are sent at once, so that no core waits for the next
COUNTING_SECONDS = 1  # how often the cores of a cluster are counted: machines come and go
STORE = 100_000_000  # bytes for a job and its results
LONGEST_PROBLEM = 300
# Ray tries to join a cluster for minutes, so processes that can be ended try two things first:
# Does anything answer? A head speaks HTTP/2, which begins with this greeting and settings (frame 4)
# from both sides. If connections are encrypted, the head hangs up, which is an answer too. Whatever
# answers with text is something else, such as a web server.
GREETING = r"""
import contextlib, socket, sys
host, _, port = sys.argv[1].rpartition(":")
try:
    with socket.create_connection((host.strip("[]"), int(port))) as head:
        with contextlib.suppress(ConnectionError):
            head.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
            answer = head.recv(100)
            if answer[:1] >= b" ":
                sys.exit(ascii(answer))
except Exception as error:
    sys.exit(str(error))
"""
# Can this machine join?
TRIAL = """
import sys
try:
    import ray
    ray.init(sys.argv[1], log_to_driver=False, logging_level="CRITICAL")
except Exception as error:
    sys.exit(str(error))
"""

Refusal: TypeAlias = tuple[str, dict[str, str]]  # the key of a sentence and its values
Outcome: TypeAlias = tuple[Refusal | None, Any]  # why a task was not done, or its result


class Cluster:
    """The cores of a Ray cluster, or at most `count` of them.

    Without an address it is the cluster that RAY_ADDRESS names, or a Ray that is started on this
    machine. It is connected or started when there is something to do.
    """

    def __init__(self, address: str | None = None, count: int | None = None) -> None:
        if find_spec("ray") is None:
            raise OptionError.of("cluster_missing")
        self._address = address or os.environ.get("RAY_ADDRESS")
        if self._address and not ADDRESS.fullmatch(self._address):
            raise OptionError.of("cluster_address", address=self._address)
        self._count = count
        self._most = count  # tasks at once
        self._closing = ExitStack()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def share_out(self, job: Job[Result], tasks: Iterable[int]) -> Finished[Result]:
        waiting = iter(tasks)
        for first in islice(waiting, 1):
            self._connect()
            yield from self._share_out(job, first, waiting)

    def _share_out(self, job: Job[Result], first: int, tasks: Iterator[int]) -> Finished[Result]:
        import ray

        if ray.cluster_resources().get("CPU", 0) < 1:
            raise OptionError.of("cluster_no_cores")
        send, room = _sender(job), _Room(self._most)
        running = {send(first): first}
        # What nobody waits for any more is still done: with ray.cancel, Ray 2.60 sometimes ends
        # this process if a task is finished at the same moment.
        while running:
            for task in islice(tasks, room.beside(len(running))):
                running[send(task)] = task
            done = ray.wait(list(running))[0][0]
            result = _receive(done, running[done])
            yield running.pop(done), result

    def _connect(self) -> None:
        if "ray" in sys.modules and sys.modules["ray"].is_initialized():
            if self._address:
                _check_address(self._address)
            return
        _prepare_environment(alone=not self._address)
        if self._address:
            check_answer(self._address)
        import ray

        _silence()
        if self._address:
            self._closing.callback(ray.shutdown)
            try:
                ray.init(self._address, log_to_driver=False, logging_level="ERROR")
            except Exception as error:  # Ray has no class for all that may go wrong
                raise _unreachable(self._address, str(error)) from error
        else:
            folder = tempfile.mkdtemp(prefix="ray-", dir=_folders())
            self._closing.callback(shutil.rmtree, folder, ignore_errors=True)
            self._closing.callback(ray.shutdown)
            try:
                _start(folder, self._count or cores())
            except Exception as error:
                raise OptionError.of("cluster_unstarted", problem=_short(str(error))) from error
            self._most = None  # it has no more cores


def _check_address(address: str) -> None:
    """OptionError if this process has already joined another cluster."""
    import ray
    from ray._private.services import canonicalize_bootstrap_address

    used = ray.get_runtime_context().gcs_address
    if canonicalize_bootstrap_address(address) != used:
        raise OptionError.of("cluster_other", address=address, used=used)


def check_answer(address: str) -> None:
    """OptionError if there is no Ray cluster that this machine and this Ray can join."""
    _attempt(GREETING, address, ANSWER_SECONDS)
    _attempt(TRIAL, address, TRIAL_SECONDS)


def _attempt(program: str, address: str, seconds: int) -> None:
    try:
        trial = subprocess.run(
            [sys.executable, "-c", program, address],
            timeout=seconds,
            capture_output=True,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OptionError.of("cluster_silent", address=address, seconds=seconds) from None
    if trial.returncode:
        raise _unreachable(address, trial.stderr)


def _unreachable(address: str, problem: str) -> OptionError:
    return OptionError.of("cluster_unreachable", address=address, problem=_short(problem))


def _short(problem: str) -> str:
    return " ".join(problem.split())[-LONGEST_PROBLEM:]


def _prepare_environment(alone: bool) -> None:
    """What Ray reads when it is imported: no statistics are sent to its makers. A Ray on this
    machine alone cannot be reached from others, and other users of the machine need a password."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if alone:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # on Linux, too: listen to 127.0.0.1
        os.environ.setdefault("RAY_worker_niceness", "0")  # bots with a time limit need their core
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        if "RAY_AUTH_TOKEN_PATH" not in os.environ:  # else Ray would write one to the home folder
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _silence() -> None:
    """Ray prints what goes wrong elsewhere to stdout, where nothing but results belongs."""
    from ray._private import worker

    worker.print_to_stdstream = lambda *_, **__: None


def _folders() -> str | None:
    """Where the folder of a Ray is made. The paths of the sockets in it must be short."""
    return os.environ.get("RAY_TMPDIR") or ("/tmp" if os.name == "posix" else None)


def _start(folder: str, count: int) -> None:
    """Start a Ray. The folder is for its sockets and logs."""
    import ray

    ray.init(
        "local",
        num_cpus=count,
        object_store_memory=STORE,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _temp_dir=folder,
    )


class _Room:
    """How many tasks may be at the cluster at once: `most`, or enough for all its cores."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._all = 0
        self._counted = -math.inf

    def beside(self, running: int) -> int:
        """For how many more there is room."""
        return max((self._most or self._for_all()) - running, 0)

    def _for_all(self) -> int:
        import ray

        if monotonic() - self._counted > COUNTING_SECONDS:
            self._all = PER_CORE * int(ray.cluster_resources().get("CPU", 0))
            self._counted = monotonic()
        return self._all


def _sender(job: Job[Any]) -> Callable[[int], Any]:
    """A function that sends a task away and returns a reference to its outcome."""
    import ray

    name, wanted = secrets.token_hex(8), versions()
    # In a list, so that Ray does not fetch the job for every task.
    place = [ray.put(ray.cloudpickle.dumps(job))]
    remote = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_worker())
    return lambda task: remote.remote(name, place, wanted, task)


def _receive(reference: Any, task: int) -> Any:
    import ray

    try:
        refusal, result = ray.get(reference)
    except ray.exceptions.RayTaskError:  # an error of the job itself
        raise
    except ray.exceptions.RayError:
        raise OptionError.of("worker_died", task=task) from None
    if refusal:
        key, values = refusal
        raise OptionError.of(key, **values)
    return result


# --- in the processes of the cluster --------------------------------------------------------------

_prepared: dict[str, Job[Any]] = {}  # the job that this process works on, by name


def _worker() -> Callable[..., Outcome]:
    """What is sent to the cluster. A function of a module would be sent as a name, and fail
    without a clear reason where this package is missing or older."""

    def work(name: str, place: Sequence[Any], wanted: dict[str, str], task: int) -> Outcome:
        try:
            from hastilude.workers.cluster import do
        except ImportError as error:
            from platform import node

            return ("cluster_unable", {"machine": node(), "problem": str(error)}), None
        return do(name, place, wanted, task)

    return work


def do(name: str, place: Sequence[Any], wanted: dict[str, str], task: int) -> Outcome:
    """Do a task of the job with this name."""
    if name not in _prepared and (refusal := _difference(wanted) or _take_on(name, place)):
        return refusal, None
    return None, _prepared[name].do(task)


def _difference(wanted: dict[str, str]) -> Refusal | None:
    """What is not as it is where the results are wanted."""
    for what, found in versions().items():
        if found != wanted.get(what):
            values = {"what": what, "found": found, "wanted": wanted.get(what, "-")}
            return "cluster_other_version", {"machine": platform.node(), **values}
    return None


def _take_on(name: str, place: Sequence[Any]) -> Refusal | None:
    """Prepare for the job, in place of the one before."""
    import ray

    _prepared.clear()
    try:
        job: Job[Any] = pickle.loads(ray.get(place[0]))
    except (ImportError, AttributeError) as error:  # of somebody's own bot
        return "cluster_unable", {"machine": platform.node(), "problem": str(error)}
    job.prepare()
    _prepared[name] = job
    return None
