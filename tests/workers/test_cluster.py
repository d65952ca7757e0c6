"""Workers on a Ray that these tests start. They share it (tests/scheduling.py)."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import count, islice
from pathlib import Path

import pytest

import hastilude
from hastilude import lab
from hastilude.arena import Contest, compare, run
from hastilude.core.errors import OptionError
from hastilude.puzzles import mining
from hastilude.puzzles.making import make
from hastilude.reviews.estimate import BLOCK
from hastilude.workers import Local
from hastilude.workers import cluster as module
from hastilude.workers.cluster import Cluster
from tests.arena.players import Crashing, First
from tests.workers.jobs import DEADLY, Deadly, Squares, Waiting
from tests.workers.waiting import PATIENCE, wait_until

GAME = hastilude.load("triatri", players=2)
SEARCH = ["search:30", "reference"]
COMMAND = [sys.executable, "-m", "hastilude", "arena", "triatri", "--bots", "random,random"]
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


@pytest.fixture(scope="module")
def cluster():
    with Cluster(count=2) as started:
        try:
            list(started.share_out(Squares(), [0]))
        except ImportError as error:
            pytest.skip(f"NOTHING with a cluster was tested: Ray cannot be imported: {error}")
        yield started


@pytest.fixture(scope="module")
def address(cluster):
    import ray  # noqa: PLC0415  # not before the cluster has prepared its environment

    return ray.get_runtime_context().gcs_address


def matches(results):
    return {result.deal: result.matches for result in results}


def test_every_task_is_done_once_by_a_prepared_process(cluster):
    done = sorted(cluster.share_out(Squares(), range(40)))
    assert [(task, square) for task, (square, _, _) in done] == [(n, n * n) for n in range(40)]
    assert {prepared for _, (_, _, prepared) in done} == {1}
    assert os.getpid() not in {process for _, (_, process, _) in done}


def test_deals_have_the_results_that_they_have_on_one_machine(cluster):
    here, there = (compare(GAME, SEARCH, 4, seed=2, workers=workers) for workers in (1, cluster))
    assert matches(there.results) == matches(here.results)
    assert there.bots == here.bots
    assert there.ratings == here.ratings


def test_forfeits_are_results_too(cluster):
    bots = {"crashing": Crashing, "first": First}
    here, there = (compare(GAME, bots, 2, workers=workers) for workers in (1, cluster))
    assert matches(there.results) == matches(here.results)


def test_a_file_is_continued_here_and_there(cluster, tmp_path):
    contest, path = Contest.of(GAME, ["random", "random"]), tmp_path / "results"
    for deals, workers in ((2, 1), (5, cluster), (7, 1)):
        found = matches(run(contest, deals, path, workers))
    assert found == matches(run(contest, 7, workers=1))


def test_a_study_finds_what_it_finds_on_one_machine(cluster):
    table = {"question": "?", "game": "triatri", "measures": ["seats"], "bots": ["random"]}
    study = lab.of("who", table | {"deals": 20, "batch": 2})
    here, there = (lab.run(study, workers=workers) for workers in (1, cluster))
    assert there.to_json() == here.to_json()


def test_puzzles_are_those_that_one_machine_finds(cluster, tmp_path, monkeypatch):
    modest = mining.Demands((), 2 * BLOCK, 4 * BLOCK, lead=0.02, least_lead=-1.0)
    monkeypatch.setattr(mining, "DEMANDS", modest)
    game = hastilude.load("kings_tournament", best_of=1)
    paths = [tmp_path / "here.jsonl", tmp_path / "there.jsonl"]
    for path, workers in zip(paths, (Local(1), cluster), strict=True):
        list(make(game, 1, 5, path, workers))
    assert paths[1].read_bytes() == paths[0].read_bytes()


def test_a_task_whose_process_is_killed_is_done_again(cluster, tmp_path):
    with ThreadPoolExecutor(1) as helper:
        killing = helper.submit(kill_one, tmp_path)
        done = sorted(cluster.share_out(Waiting(tmp_path), range(4)))
        killed = killing.result()
    assert [(task, square) for task, (square, _, _) in done] == [(0, 0), (1, 1), (2, 4), (3, 9)]
    assert killed not in {process for _, (_, process, _) in done}


def kill_one(folder):
    """Kill one of the processes that wait in a task, and let the others go on."""
    try:
        wait_until(lambda: len(list(folder.glob("*.begun"))) == 2)
        victim = int(min(folder.glob("*.begun")).stem)
        os.kill(victim, signal.SIGKILL)
        return victim
    finally:
        (folder / "go").touch()


def test_a_task_that_kills_every_process_is_reported(cluster, monkeypatch, capsys):
    heard = record_what_ray_prints(monkeypatch)
    monkeypatch.setattr(module, "TRIES", 2)
    with pytest.raises(OptionError, match=f"worked on number {DEADLY} ended without a result"):
        list(cluster.share_out(Deadly(), range(2, 6)))
    assert len(list(cluster.share_out(Squares(), range(4)))) == 4  # the others go on working
    wait_until(lambda: heard)
    assert capsys.readouterr().out == ""


def record_what_ray_prints(monkeypatch):
    """Whether or not it is silenced."""
    from ray._private import worker  # noqa: PLC0415

    heard, silenced = [], worker.print_to_stdstream

    def record(*told, **options):
        silenced(*told, **options)
        heard.append(told)

    monkeypatch.setattr(worker, "print_to_stdstream", record)
    return heard


def test_tasks_may_be_endless(cluster):
    for _ in range(2):
        with closing(cluster.share_out(Squares(), count())) as finishing:
            assert len({task for task, _ in islice(finishing, 20)}) == 20


def test_results_may_be_given_up_after_the_cluster_was_left(folder):
    script = """
from hastilude.workers.cluster import Cluster
from tests.workers.jobs import Squares
with Cluster(count=1) as cluster:
    finishing = cluster.share_out(Squares(), range(100))
    next(finishing)
finishing.close()
import ray
print("running" if ray.is_initialized() else "ended")
"""
    with started([sys.executable, "-c", script], folder, **PIPES) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "ended\n", "")


def test_a_machine_with_another_version_is_refused(cluster, monkeypatch):
    here = module.versions()
    monkeypatch.setattr(module, "versions", lambda: here | {"Hastilude": "0.0.9 (0123456789ab)"})
    with pytest.raises(OptionError) as refusal:
        list(cluster.share_out(Squares(), range(3)))
    said = f"has Hastilude {here['Hastilude']}, this machine has 0.0.9 (0123456789ab)."
    assert said in str(refusal.value)


def test_a_machine_without_the_module_of_a_bot_is_refused(cluster, tmp_path, monkeypatch):
    (tmp_path / "my_jobs.py").write_text("from tests.workers.jobs import Squares as Base\n"
                                         "class Mine(Base): pass\n")  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path)
    import my_jobs  # noqa: PLC0415

    with pytest.raises(OptionError, match=r"cannot do its part: .*No module named 'my_jobs'"):
        list(cluster.share_out(my_jobs.Mine(), range(3)))


def test_a_cluster_without_cores_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("ray.cluster_resources", lambda: {"memory": 1e9})
    for most in (None, 2):
        with pytest.raises(OptionError, match="No machine in the Ray cluster offers a core"):
            list(Cluster(count=most).share_out(Squares(), range(2)))


def test_a_process_uses_one_cluster(cluster, address):
    port = address.rpartition(":")[2]
    for same in (None, address, f"localhost:{port}"):
        assert len(list(Cluster(same).share_out(Squares(), range(2)))) == 2
    with pytest.raises(OptionError, match=f"already uses the Ray cluster at {address}, so it"):
        list(Cluster("127.0.0.1:1").share_out(Squares(), range(2)))


def test_the_command_joins_a_cluster(address, run):
    there = finished([*COMMAND, "--deals", "3", "--ray", address, "--json"])
    _, (here,), _ = run(*COMMAND[3:], "--deals", 3, "--workers", 1, "--json")
    assert without_times(there.stdout) == without_times(here)
    assert there.stderr == ""


def test_the_command_runs_studies_on_a_cluster(address, run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("""
[mine]
question = { en = "Is one seat better off?", ja = "有利な席はありますか。" }
game = "triatri"
options = { players = 2 }
bots = ["random"]
measures = ["seats"]
deals = 20
batch = 2
""", "utf-8")  # fmt: skip
    study = ["lab", "run", str(path), "--json", "--folder"]
    there = finished([*COMMAND[:3], *study, str(tmp_path / "there"), "--ray", address])
    _, (here,), _ = run(*study, tmp_path / "here", "--workers", 1)
    assert json.loads(there.stdout) == json.loads(here)
    assert there.stderr == ""


def test_the_command_starts_a_ray_and_ends_it(folder):
    begin = [*COMMAND, "--deals", "3", "--ray", "--workers", "2", "--json"]
    with started(begin, folder, **PIPES) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["deals"] == 3
    assert list(folder.iterdir()) == []
    wait_until(lambda: not in_session(process.pid))


def test_the_processes_of_a_command_that_was_killed_end(folder, tmp_path):
    path = tmp_path / "results"
    begin = [*COMMAND, "--deals", "1000000", "--ray", "--workers", "2", "--results", str(path)]
    with started(begin, folder, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: ended(process) or lines(path) >= 5)
        assert not ended(process)
        process.kill()
    wait_until(lambda: not in_session(process.pid, but="Agent"))
    for agent in in_session(process.pid):  # they take a minute to notice it
        os.kill(agent, signal.SIGKILL)


@pytest.fixture
def folder():
    """Where a Ray may put its sockets, whose paths must be short."""
    with tempfile.TemporaryDirectory(prefix="hl-", ignore_cleanup_errors=True) as path:
        yield Path(path)


def finished(command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


@contextmanager
def started(command, folder, **options):
    environment = os.environ | {"RAY_TMPDIR": str(folder)}
    options |= {"env": environment, "start_new_session": True}
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def without_times(line):
    told = json.loads(line)
    for bot in told["bots"]:
        del bot["time"]
    return told


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def ended(process):
    return process.poll() is not None


def in_session(leader, but=None):
    """The processes that a process started, and those that they started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            name = (folder / "cmdline").read_text()
            if int(state[3]) == leader and state[0] != "Z" and not (but and but in name):
                found.append(int(folder.name))
    return found
