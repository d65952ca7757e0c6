"""Running a study: what is finished stays finished."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from hastilude import lab
from hastilude.core.errors import RecordError
from hastilude.core.kernel import PACKAGE
from hastilude.lab.code import code_digest
from hastilude.lab.running import Results

TABLE = {
    "question": "Who?",
    "game": "triatri",
    "measures": ["seats", "ties"],
    "bots": ["random"],
    "variants": [{"options": {"players": 2}}, {"options": {"players": 3}}],
    "deals": 12,
    "batch": 2,
}
STUDY = lab.of("who", TABLE)


def ran(path=None, **changes):
    return lab.run(lab.of("who", TABLE | changes), path, workers=1)


@pytest.fixture
def path(tmp_path):
    ran(tmp_path / "who.jsonl")
    return tmp_path / "who.jsonl"


def test_a_line_for_each_batch_of_a_variant(path):
    first, *lines = path.read_text().splitlines()
    assert json.loads(first)["study"] == "who"
    batches = [json.loads(line) for line in lines]
    assert sorted((one["variant"], one["number"]) for one in batches) == [
        (variant, number) for variant in (0, 1) for number in range(6)
    ]
    assert {one["deals"] for one in batches} == {2}


def test_what_is_counted_is_on_the_disk(tmp_path):
    path = tmp_path / "who.jsonl"
    with lab.Running(STUDY, path) as running:
        for count, _ in enumerate(running.steps(1), start=1):
            assert len(path.read_text().splitlines()) == min(1 + count, 13)


def test_progress_goes_from_nothing_to_one():
    with lab.Running(STUDY) as running:
        parts = list(running.steps(1))
    assert parts == sorted(parts)
    assert parts[0] < 0.2
    assert parts[-1] == 1


def test_a_run_goes_on_where_another_stopped(path, monkeypatch):
    wanted = ran(deals=20).to_json()
    kept = path.read_bytes()
    assert ran(path, deals=20).to_json() == wanted
    assert path.read_bytes().startswith(kept)
    monkeypatch.setattr("hastilude.lab.running.Batches.do", None)
    assert ran(path, deals=20).to_json() == wanted  # nothing is left to play


def test_the_number_of_workers_makes_no_difference():
    together = lab.run(STUDY, workers=2)
    assert together.to_json() == ran().to_json()


def test_a_study_ends_when_it_knows_enough():
    """After the same deals in every run, and not before the fewest batches."""
    found = ran(deals=4000, batch=2, width=0.9)
    assert {one.deals for one in found.variants} == {500}
    assert ran(deals=4000, batch=2, width=0.9).to_json() == found.to_json()


def test_only_shares_decide_whether_a_study_knows_enough():
    """Lengths are in decisions, so their intervals are never as narrow as those of shares."""
    found = ran(deals=4000, batch=2, measures=["seats", "length"], width=0.9)
    assert {one.deals for one in found.variants} == {500}


def test_a_smaller_maximum_counts_fewer_of_the_saved_deals(path):
    assert ran(path, deals=8).to_json() == ran(deals=8).to_json()
    assert ran(path).to_json() == ran().to_json()


def test_saved_deals_are_not_looked_at_too_early(tmp_path):
    """A study is looked at after 20, 32, 64 and 128 batches, whatever is already saved."""
    path = tmp_path / "who.jsonl"
    one = {"variants": [{}], "batch": 1}
    narrow, *wider = (ran(deals=deals, **one).variants[0].width for deals in (40, 32, 20))
    assert narrow < min(wider)
    ran(path, deals=40, **one)
    assert ran(path, deals=128, width=narrow, **one).variants[0].deals == 64


@pytest.mark.parametrize("cut", [1, 40, -1])
def test_a_line_that_was_cut_off_is_played_again(path, cut):
    whole = path.read_bytes()
    last = whole.splitlines()[-1]
    path.write_bytes(whole[: -len(last) - 1 + (len(last) if cut < 0 else cut)])
    assert ran(path).to_json() == ran().to_json()
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 1}, "its seed is 0, not 1"),
        ({"batch": 3}, "its batch is 2, not 3"),
        ({"measures": ["seats"]}, 'its measures is ["seats", "ties"], not ["seats"]'),
        ({"bots": ["reference"]}, "its variants is"),
    ],
)
def test_results_of_other_settings_are_refused(path, changes, said):
    before = path.read_bytes()
    with pytest.raises(RecordError) as refusal:
        ran(path, **changes)
    assert said in str(refusal.value)
    assert path.read_bytes() == before


def test_another_question_or_more_deals_are_no_other_settings(path):
    assert ran(path, question="Who wins?", deals=14).variants[0].deals == 14


def test_results_of_other_code_are_refused(path, monkeypatch):
    monkeypatch.setattr("hastilude.lab.running.code_digest", lambda: "another")
    with pytest.raises(RecordError, match="another version of the games or bots"):
        ran(path)


@pytest.mark.parametrize(
    ("file", "makes_results"),
    [
        ("arena/contest.py", True),  # the seeds
        ("arena/tables.py", True),  # who sits where
        ("games/tornei/game.py", True),
        ("games/tornei/rules.py", True),
        ("games/tornei/instinct.npz", True),
        ("bots/__init__.py", True),
        ("lab/measures/results.py", True),
        ("lab/report/words.py", False),
        ("games/tornei/terminal.py", False),
    ],
)
def test_a_change_in_what_makes_results_is_another_code(file, makes_results, monkeypatch):
    kept, read = code_digest(), Path.read_bytes
    changed = PACKAGE / file
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path == changed))
    assert (code_digest.__wrapped__() != kept) == makes_results


@pytest.mark.parametrize("content", ["shopping list", "{}\n", '{"arena": 1}\n', "[1]\n\n", "\n"])
def test_other_files_are_left_alone(tmp_path, content):
    path = tmp_path / "precious"
    path.write_text(content)
    with pytest.raises(RecordError, match="is not a results file of the lab"):
        ran(path)
    assert path.read_text() == content


def test_a_broken_line_in_the_middle_is_named(path):
    lines = path.read_text().splitlines()
    lines[2] = lines[2][:30]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match="line 3: not the result of a batch"):
        ran(path)


def test_two_runs_do_not_share_a_file(path):
    with Results(STUDY, path), pytest.raises(RecordError, match="Another run"):
        ran(path)
    ran(path)


def test_a_device_is_no_results_file():
    with pytest.raises(RecordError, match="/dev/full is not a file that results can be added to"):
        ran("/dev/full")


def test_a_full_disk_is_reported_and_nothing_is_lost(path):
    """The process may write 300 bytes more, which is less than are missing."""
    kept = path.read_bytes()
    room = len(kept) + 300

    def nearly_full():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    study = path.with_name("who.toml")
    study.write_text(
        '[who]\nquestion = "Who?"\ngame = "triatri"\nmeasures = ["seats", "ties"]\n'
        'bots = ["random"]\nbatch = 2\ndeals = 40\n'
        "[[who.variants]]\noptions = { players = 2 }\n[[who.variants]]\noptions = { players = 3 }\n"
    )
    command = [sys.executable, "-m", "hastilude", "lab", "run", str(study), "--workers", "1"]
    command += ["--folder", str(path.parent), "--language", "en"]
    # Kernels that were not compiled yet could not be saved either, so they are interpreted.
    limited = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=nearly_full,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert limited.returncode == 2
    assert limited.stderr == f"Cannot write {path}: File too large.\n"
    assert path.read_bytes().startswith(kept)
    assert all(json.loads(line) for line in path.read_text().splitlines())
    assert ran(path, deals=40).to_json() == ran(deals=40).to_json()


@contextmanager
def running(folder, workers, lines):
    """A study that would run for hours, as soon as so many of its lines are on the disk."""
    study = folder / "who.toml"
    study.write_text(
        '[who]\nquestion = "Who?"\ngame = "triatri"\nmeasures = ["seats"]\nbots = ["random"]\n'
        "batch = 2\ndeals = 1000000\n"
    )
    path = folder / "who.jsonl"
    command = [sys.executable, "-m", "hastilude", "lab", "run", str(study), "--language", "en"]
    command += ["--workers", str(workers), "--folder", str(folder)]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True,
        # Whoever runs tests in the background may ignore interrupts, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    with process:
        try:
            while not path.exists() or path.read_bytes().count(b"\n") < lines:
                assert process.poll() is None
                time.sleep(0.01)
            yield study, path, process
        finally:
            process.kill()


def test_a_killed_run_loses_nothing(tmp_path):
    with running(tmp_path, workers=2, lines=12) as (study, path, process):
        process.kill()
        process.wait()
    path.write_bytes(path.read_bytes() + b'{"variant": 0, "num')
    (mine,) = lab.read(study).values()
    deals = 2 * (path.read_bytes().count(b"\n") + 10)
    again = lab.run(mine.with_deals(deals), path, workers=1)
    assert again.to_json() == lab.run(mine.with_deals(deals), workers=1).to_json()


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    with running(tmp_path, workers=1, lines=5) as (_, path, process):
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert process.returncode == 130
    assert said == f"Interrupted. The same command continues; what is finished is in {tmp_path}.\n"
    assert all(json.loads(line) for line in path.read_text().splitlines())
