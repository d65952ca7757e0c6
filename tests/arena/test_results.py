"""A file of results: what is finished stays finished."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hastilude
from hastilude.arena import Contest, compare, run
from hastilude.arena.results import Results
from hastilude.core.errors import RecordError
from tests.arena.players import Crashing

GAME = hastilude.load("triatri", players=2)
BOTS = ["random", "random"]
COMMAND = [sys.executable, "-m", "hastilude", "arena", "tornei", "--bots", "random,random"]


def played(path, deals, bots=BOTS, **settings):
    return compare(GAME, bots, deals, results=path, workers=1, **settings)


def outcome(standings):
    """All but the times."""
    return standings.bots, standings.ratings, [result.matches for result in standings.results]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "results.jsonl"
    played(path, 4)
    return path


def test_a_line_for_each_deal(path):
    first, *lines = path.read_text().splitlines()
    assert json.loads(first)["bots"] == BOTS
    assert [json.loads(line)["deal"] for line in lines] == [0, 1, 2, 3]


def test_a_run_goes_on_where_another_stopped(path, monkeypatch):
    wanted = outcome(played(None, 6))
    kept = path.read_bytes()
    assert outcome(played(path, 6)) == wanted
    assert path.read_bytes().startswith(kept)
    monkeypatch.setattr("hastilude.arena.deals.play_match", None)
    assert outcome(played(path, 6)) == wanted  # nothing is left to play
    assert len(played(path, 3).results) == 3


def test_forfeits_are_read_again(tmp_path):
    bots = {"crashing": Crashing, "also": Crashing}
    wanted = played(tmp_path / "file", 2, bots).to_json()
    assert played(tmp_path / "file", 2, bots).to_json()["forfeits"] == wanted["forfeits"]


@pytest.mark.parametrize("cut", [1, 2, 40, -1])
def test_a_line_that_was_cut_off_is_played_again(path, cut):
    whole = path.read_bytes()
    last = whole.splitlines()[-1]
    path.write_bytes(whole[: -len(last) - 1 + (len(last) if cut < 0 else cut)])
    assert outcome(played(path, 4)) == outcome(played(None, 4))
    lines = path.read_text().splitlines()
    assert [json.loads(line)["deal"] for line in lines[1:]] == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [0, 1, 50])
def test_a_run_interrupted_at_once_begins_again(path, size):
    whole = path.read_text()
    path.write_text(whole[:size])
    played(path, 4)
    assert path.read_text().splitlines()[0] == whole.splitlines()[0]
    assert len(path.read_text().splitlines()) == 5


def test_a_deal_that_is_there_twice_counts_once(path):
    last = path.read_bytes().splitlines(keepends=True)[-1]
    path.write_bytes(path.read_bytes() + last)
    assert outcome(played(path, 4)) == outcome(played(None, 4))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"seed": 1}, "its seed is 0, not 1"),
        ({"tables": ["ba"]}, 'its tables is ["ab"], not ["ba"]'),
        ({"bots": ["random", "random", "random"]}, 'its bots is ["random", "random"], not'),
    ],
)
def test_results_of_other_settings_are_refused(path, settings, said):
    before = path.read_bytes()
    with pytest.raises(RecordError) as refusal:
        played(path, 4, **settings)
    assert said in str(refusal.value)
    assert path.read_bytes() == before


def test_results_of_another_game_are_refused(path):
    with pytest.raises(RecordError, match="its game is"):
        compare(hastilude.load("kings_tournament"), BOTS, 1, results=path, workers=1)
    with pytest.raises(RecordError, match="its options is"):
        compare(hastilude.load("triatri", players=3), BOTS, 1, results=path, workers=1)


def test_results_of_other_code_are_refused(path, monkeypatch):
    monkeypatch.setattr("hastilude.arena.contest.source_digest", lambda: "another")
    with pytest.raises(RecordError, match="another version of the games or bots"):
        played(path, 4)


@pytest.mark.parametrize("content", ["shopping list", "{}\n", '{"arena": 99}\n', "[1]\n\n", "\n"])
def test_other_files_are_left_alone(tmp_path, content):
    path = tmp_path / "precious"
    path.write_text(content)
    with pytest.raises(RecordError, match="is not an arena results file"):
        played(path, 1)
    assert path.read_text() == content


def test_a_broken_line_in_the_middle_is_named(path):
    lines = path.read_text().splitlines()
    lines[2] = lines[2][:30]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match="line 3: not the result of a deal"):
        played(path, 4)


def test_two_runs_do_not_share_a_file(path):
    with Results(Contest.of(GAME, BOTS), path), pytest.raises(RecordError, match="Another run"):
        played(path, 4)
    played(path, 4)


def test_what_is_yielded_is_on_the_disk(tmp_path):
    path = tmp_path / "results"
    for count, _ in enumerate(run(Contest.of(GAME, BOTS), 3, path, 1), start=1):
        assert len(path.read_text().splitlines()) == 1 + count


def test_a_killed_run_loses_nothing(tmp_path):
    path = tmp_path / "results"
    begin = [*COMMAND, "--deals", "1000000", "--workers", "2", "--results", str(path)]
    process = subprocess.Popen(begin, stderr=subprocess.DEVNULL)
    while not path.exists() or path.read_bytes().count(b"\n") < 12:
        assert process.poll() is None
        time.sleep(0.01)
    workers = children(process.pid)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    kept = path.read_bytes()
    for worker in workers:  # they end by themselves
        while alive(worker):
            time.sleep(0.01)
    assert path.read_bytes() == kept
    path.write_bytes(kept + b'{"deal": 10, "mat')

    deals = kept.count(b"\n") + 10
    again = [*COMMAND, "--deals", str(deals), "--workers", "2", "--results", str(path), "--json"]
    resumed = json.loads(subprocess.run(again, capture_output=True, check=True).stdout)
    assert path.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])

    whole = compare(hastilude.load("tornei"), BOTS, deals, workers=1).to_json()
    for one in (resumed, whole):
        for bot in one["bots"]:
            del bot["time"]
    assert resumed == json.loads(json.dumps(whole))


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def alive(pid):
    """Not merely waiting to be noticed."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
