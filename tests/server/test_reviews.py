"""Reviews of finished matches: made once and one after another, beside the server, never half."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import hastilude
from hastilude.core.record import Record
from hastilude.reviews.review import open_graph
from hastilude.reviews.worker import LOWEST_PRIORITY
from hastilude.server import reviews, schema
from hastilude.server.api import ReviewProgress
from hastilude.server.metrics import REGISTRY
from tests.server.running import (
    GENEROUS,
    IMPATIENT,
    PATIENCE,
    Address,
    in_thread,
    play_out,
    process,
)
from tests.server.test_records import connected, play_again

FAST = {"options": {"best_of": 1}}  # with a review of a quarter of a second
LONG = {"options": {"players": 2}}  # several seconds
STAND_IN = Path(__file__).parent / "review_worker.py"
OTHERS = "Ada", "Ben", "Cleo"


@dataclass
class Played:
    """A database with finished matches, and the codes of their tables."""

    database: Path
    codes: dict[str, str]
    token: str  # of a seat at the table `secret`

    def copy(self, folder: Path) -> str:
        return str(shutil.copy(self.database, folder / "tables.db"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    database = tmp_path_factory.mktemp("played") / "tables.db"
    codes: dict[str, str] = {}
    token = ""

    def play(server: Address, name: str, game: str = "kings_tournament", **wanted: Any) -> Any:
        nonlocal token
        code = codes[name] = server.open_table(game, **{**FAST, **wanted})["code"]
        token = server.sit(code, name)["token"]
        clients = [server.client(code, token)]
        if "seats" not in wanted:
            clients.append(server.client(code, server.sit(code, "Zoe")["token"]))
        play_out(clients)
        return clients

    with in_thread(replace(GENEROUS, database=str(database))) as server:
        for name in OTHERS:
            play(server, name)
        play(server, "long", "triatri", **LONG)
        chance = hastilude.load("kings_tournament", **FAST["options"]).new(seed=0).record().events
        play(server, "lesson", seats=[None, "page"], script={"chance": chance})
        play_again(play(server, "again"))
        leaving = play(server, "left")
        play_again(leaving)
        for client in leaving:
            client.send("leave")
        while server.get(f"/api/tables/{codes['left']}")["phase"] != "closed":
            time.sleep(0.01)
        play(server, "secret", watch="nobody")
    return Played(database, codes, token)


class StandIn:
    """A worker that says what the test wants, when the test wants it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        folder.mkdir()
        command = (sys.executable, "-S", str(STAND_IN), str(folder))
        monkeypatch.setattr(reviews, "WORKER", command)

    def go_on(self) -> None:
        (self._folder / "go").touch()

    def say(self, instead: str | None) -> None:
        says = self._folder / "says"
        says.unlink() if instead is None else says.write_text(instead)

    @property
    def orders(self) -> list[str]:
        return (self._folder / "orders").read_text().split()

    @property
    def process(self) -> int:
        return int((self._folder / "worker").read_text())


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return StandIn(tmp_path / "worker", monkeypatch)


def path(code: str, seat: int = 0, number: int = 1) -> str:
    return f"/api/tables/{code}/matches/{number}/reviews/{seat}"


def start(server: Address, where: str, home: str = "192.0.2.1") -> Any:
    answer = server.request("POST", where, headers={"x-forwarded-for": home})
    return answer.status_code, answer.json()


def show(server: Address, where: str, **more: Any) -> Any:
    answer = server.request("GET", where, **more)
    assert answer.status_code == 200, answer.text
    ReviewProgress.model_validate_json(answer.text)
    return answer.json()


def wait_until(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def reaches(server: Address, where: str, state: str) -> Any:
    """The review as soon as it is in this state."""

    def reached() -> Any:
        found = show(server, where)
        return found if found["state"] == state else None

    return wait_until(reached)


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(") ")[2][0] != "Z"  # a zombie has ended


def stored(database: str) -> dict[Any, Any]:
    with connected(database) as connection:
        rows = connection.execute(sa.select(schema.reviews)).all()
    return {(row.code, row.number, row.seat): json.loads(row.content) for row in rows}


def as_json(content: Any) -> Any:
    return json.loads(json.dumps(content))


# --- what it says ---------------------------------------------------------------------------------


def test_a_review_comes_piece_by_piece_and_is_what_the_engine_says(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "WORKER", IMPATIENT)
    settings = replace(GENEROUS, database=played.copy(tmp_path))
    code = played.codes["Ada"]
    where = path(code, seat=1)
    made = REGISTRY.get_sample_value("hastilude_reviews_total", {"state": "done"}) or 0
    with in_thread(settings) as server:
        record = Record.from_json(json.dumps(server.get(f"/api/tables/{code}/matches/1/record")))
        assert show(server, where)["state"] == "none"
        status, begun = start(server, where)
        assert (status, begun["points"], begun["balance"]) == (202, [], None)
        points: list[Any] = []
        decisions: list[Any] = []
        state = ""
        while state != "done":
            new = show(server, f"{where}?points={len(points)}&decisions={len(decisions)}")
            state = new["state"]
            assert state in ("waiting", "running", "done")
            assert (new["balance"] is not None, new["open"] is not None) == (state == "done",) * 2
            points += new["points"]
            decisions += new["decisions"]
            time.sleep(0.02)
        assert new["done"] == new["total"] == len(points) - 1 + len(decisions)
        whole = show(server, where)
        status, again = start(server, where)
        assert (status, again) == (200, whole)
    review = hastilude.review(record, seat=1)
    assert points == whole["points"] == as_json([asdict(point) for point in review.graph])
    assert decisions == whole["decisions"] == as_json([asdict(one) for one in review.decisions])
    assert whole["balance"] == as_json(asdict(review.balance))
    steps = [point.step for point in review.graph]
    opened = open_graph(hastilude.replay(record), steps)
    assert whole["open"] == as_json([asdict(point) for point in opened])
    assert REGISTRY.get_sample_value("hastilude_reviews_total", {"state": "done"}) == made + 1
    assert REGISTRY.get_sample_value("hastilude_reviews_waiting") == 0
    monkeypatch.setattr(reviews, "WORKER", ("false",))
    with in_thread(settings) as server:
        assert show(server, where) == whole


def test_a_review_is_made_once_for_all_who_ask(
    played: Played, tmp_path: Path, worker: StandIn
) -> None:
    settings = replace(GENEROUS, database=played.copy(tmp_path), behind_proxy=True)
    where = path(played.codes["Ada"])
    with in_thread(settings) as server:
        answers = [start(server, where, f"192.0.2.{number}") for number in range(1, 6)]
        assert {status for status, _ in answers} == {202}
        reaches(server, where, "running")
        worker.go_on()
        reaches(server, where, "done")
        assert start(server, where)[0] == 200
    assert worker.orders == ["Ada0"]


def test_a_lesson_can_be_reviewed(played: Played, tmp_path: Path, worker: StandIn) -> None:
    worker.go_on()
    with in_thread(replace(GENEROUS, database=played.copy(tmp_path))) as server:
        where = path(played.codes["lesson"])
        assert start(server, where)[0] == 202
        reaches(server, where, "done")


# --- what is refused ------------------------------------------------------------------------------


def test_what_cannot_be_reviewed(played: Played, tmp_path: Path) -> None:
    with in_thread(replace(GENEROUS, database=played.copy(tmp_path))) as server:
        codes = played.codes
        for where, status, key in (
            (path(codes["again"], number=2), 409, "match_not_over"),
            (path(codes["left"], number=2), 409, "review_unfinished"),
            (path(codes["Ada"], number=2), 404, "match_unknown"),
            (path("zzzzzzzz"), 404, "table_unknown"),
            (path(codes["Ada"], seat=2), 400, "seat_range"),
            (path(codes["Ada"], seat=8), 422, "request_form"),
            (path(codes["secret"]), 403, "watch_refused"),
        ):
            for method in ("GET", "POST"):
                answer = server.request(method, where)
                assert (answer.status_code, answer.json()["reason"]["key"]) == (status, key)
        token = {"authorization": f"Bearer {played.token}"}
        assert show(server, path(codes["secret"]), headers=token)["state"] == "none"
        assert show(server, path(codes["again"]))["state"] == "none"
        assert show(server, path(codes["left"]))["state"] == "none"


def test_an_address_has_so_many_reviews_and_the_others_get_theirs(
    played: Played, tmp_path: Path, worker: StandIn
) -> None:
    settings = replace(
        GENEROUS,
        database=played.copy(tmp_path),
        behind_proxy=True,
        reviews_per_address=3,
        reviews=4,
    )
    first, second, third = (played.codes[name] for name in OTHERS)
    with in_thread(settings) as server:
        for where in (path(first), path(first, seat=1), path(second)):
            assert start(server, where)[0] == 202
        status, answer = start(server, path(second, seat=1))
        reason = answer["reason"]
        assert (status, reason["key"], reason["values"]) == (429, "too_many_reviews", {"most": 3})
        assert start(server, path(first))[0] == 202  # it is the same one again
        assert start(server, path(third), "192.0.2.2")[0] == 202
        status, answer = start(server, path(third, seat=1), "192.0.2.3")
        assert (status, answer["reason"]["key"]) == (429, "reviews_full")
        worker.go_on()
        reaches(server, path(first, seat=1), "done")
        assert start(server, path(second, seat=1))[0] == 202
        reaches(server, path(second, seat=1), "done")
    # Addresses take turns: the other one did not wait for everything that was there before.
    assert worker.orders == ["Ada0", "Ada1", "Cleo0", "Ben0", "Ben1"]


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_review_is_made_although_the_worker_is_killed(
    played: Played, tmp_path: Path, worker: StandIn
) -> None:
    where = path(played.codes["Ada"])
    settings = replace(GENEROUS, database=played.copy(tmp_path))
    with in_thread(settings) as server:
        start(server, where)
        wait_until(lambda: show(server, where)["done"] == 1)
        killed = worker.process
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: worker.process != killed)
        assert show(server, where)["state"] == "running"
        worker.go_on()
        assert len(reaches(server, where, "done")["points"]) == 2
    assert worker.orders == ["Ada0", "Ada0"]


@pytest.mark.parametrize("says", ["", "no JSON\n", "[1]\n", "x" * (reviews.LINE_BYTES + 1)])
def test_a_review_whose_worker_dies_twice_has_failed_and_can_be_started_again(
    played: Played, tmp_path: Path, worker: StandIn, says: str
) -> None:
    first, second = (path(played.codes[name]) for name in OTHERS[:2])
    database = played.copy(tmp_path)
    with in_thread(replace(GENEROUS, database=database)) as server:
        worker.say(says)
        worker.go_on()
        start(server, first)
        failed = reaches(server, first, "failed")
        assert (failed["points"], failed["balance"]) == ([], None)
        assert not stored(database)
        worker.say(None)
        for where in (second, first):
            status, answer = start(server, where)
            assert (status, answer["state"]) == (202, "waiting")
            reaches(server, where, "done")
    assert worker.orders == ["Ada0", "Ada0", "Ben0", "Ada0"]


def test_a_worker_that_falls_silent_is_given_up(
    played: Played, tmp_path: Path, worker: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "SILENT_SECONDS", 0.3)
    where = path(played.codes["Ada"])
    with in_thread(replace(GENEROUS, database=played.copy(tmp_path))) as server:
        start(server, where)
        reaches(server, where, "failed")
        wait_until(lambda: not is_running(worker.process))


def test_a_worker_without_work_ends_and_the_next_review_gets_another(
    played: Played, tmp_path: Path, worker: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "IDLE_SECONDS", 0.1)
    worker.go_on()
    where = [path(played.codes["Ada"], seat) for seat in (0, 1)]
    with in_thread(replace(GENEROUS, database=played.copy(tmp_path))) as server:
        start(server, where[0])
        reaches(server, where[0], "done")
        wait_until(lambda: not is_running(worker.process))
        start(server, where[1])
        reaches(server, where[1], "done")


def test_a_review_that_a_restart_interrupts_is_gone_and_can_be_started_again(
    played: Played, tmp_path: Path, worker: StandIn
) -> None:
    settings = replace(GENEROUS, database=played.copy(tmp_path))
    where = path(played.codes["Ada"])
    with in_thread(settings) as server:
        start(server, where)
        wait_until(lambda: show(server, where)["done"] == 1)
    assert not is_running(worker.process)
    assert not stored(settings.database)
    with in_thread(settings) as server:
        assert show(server, where)["state"] == "none"
        worker.go_on()
        assert start(server, where)[0] == 202
        assert len(reaches(server, where, "done")["points"]) == 2


def test_sigterm_ends_the_worker_too(played: Played, tmp_path: Path) -> None:
    database = played.copy(tmp_path)
    with process(database) as server:
        start(server.address, path(played.codes["long"]))
        (worker,) = wait_until(lambda: children_of(server.process.pid))
        wait_until(lambda: os.getpriority(os.PRIO_PROCESS, worker) == LOWEST_PRIORITY)
        assert server.terminate() == 0
        assert not is_running(worker)
    assert not stored(database)


def children_of(process: int) -> list[int]:
    stats = (stat.read_text() for stat in Path("/proc").glob("[0-9]*/stat"))
    parents = {int(stat.split()[0]): int(stat.rpartition(") ")[2].split()[1]) for stat in stats}
    return [child for child, parent in parents.items() if parent == process]


def test_a_worker_whose_server_was_killed_ends_in_the_middle_of_its_work(played: Played) -> None:
    """All it notices is that its pipes are closed."""
    code = played.codes["long"]
    with connected(str(played.database)) as connection:
        kept = sa.select(schema.records.c.record).where(schema.records.c.code == code)
        order = {"record": connection.execute(kept).scalar(), "seat": 0}
    worker = subprocess.Popen(
        IMPATIENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert worker.stdin
    assert worker.stdout
    assert worker.stderr
    worker.stdin.write(json.dumps(order) + "\n")
    worker.stdin.flush()
    total, first = (json.loads(worker.stdout.readline()) for _ in range(2))
    assert total["total"] > len(first) == 1
    worker.stdin.close()
    worker.stdout.close()
    assert worker.wait(PATIENCE) == 0
    assert worker.stderr.read() == ""
    worker.stderr.close()
