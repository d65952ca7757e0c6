"""A game made from the template passes every general test, and bots and people can play it."""

import json
import subprocess
import sys

import pytest

from tests import fourth_game
from tests.fourth_game import NAME


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fourth")


@pytest.fixture(scope="module")
def run(folder):
    """Runs a Python module where there is a fourth game; returns what it printed."""
    environment = fourth_game.make(folder)

    def run(*command, typed="", **more):
        ran = subprocess.run(
            [sys.executable, "-m", *command], cwd=folder, env=environment | more, input=typed,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    return run


def test_it_passes_every_general_test(run, folder):
    run("tests.golden")
    general = [
        "conformance", "events", "golden", "messages", "properties", "interpreted", "architecture",
    ]  # fmt: skip
    files = [f"tests/test_{name}.py" for name in general]
    run("pytest", "-q", "-p", "no:cacheprovider", *files)
    assert NAME in (folder / "tests" / "golden" / f"{NAME}.txt").read_text(encoding="utf-8")


def test_bots_play_it(run, folder):
    record = folder / "matches.jsonl"
    for bots in ("reference,knight", "squire,search:20:score"):
        run("hastilude", "simulate", NAME, "--bots", bots, "--record", str(record), **INTERPRETED)
        (line,) = record.read_text("utf-8").splitlines()
        assert len(json.loads(line)["scores"]) == 2


def test_a_person_plays_it_in_the_plain_terminal(run):
    play = ["hastilude", "play", NAME, "--plain", "--level", "page", "--seed", "2"]
    cards = "\n".join("123456" * 2)  # those that are not in the hand are refused
    said = run(*play, typed=f"{cards}\nno\n", **INTERPRETED)
    assert "You do not hold" in said
    assert "E5: " in said


# The game is so small that compiling it would take longer than playing it.
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
