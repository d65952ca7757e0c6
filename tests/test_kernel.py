"""Compiled rules are cached, and never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hastilude
from hastilude.core.kernel import KEPT_CACHES

PACKAGE = Path(hastilude.__file__).parent
PLAY = """
import numpy as np, hastilude
from hastilude.core.calls import start_at
from hastilude.core.playout import play_many
from hastilude.core.random import generator
game = hastilude.load("tornei")
states = np.zeros(2, game.state)
start_at(states, np.array(game.option_numbers))
play_many(states, generator(1), np.zeros(320, np.int8), 1)
print(states["score"][1].tolist())
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, and a way to play in it with a cache of its own."""
    package = tmp_path / "src" / "hastilude"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def play(**environment):
        ran = subprocess.run(
            [sys.executable, "-c", PLAY],
            env=os.environ
            | {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
            | environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return ran.stdout, "Compiling the rules" in ran.stderr

    return package, play


def test_a_change_in_another_file_is_never_missed(copy, tmp_path):
    """`play_many` is in another file than the rule that changes."""
    package, play = copy
    scores, compiled = play()
    assert compiled
    assert play() == (scores, False)  # from the cache, and not a word about it
    rules = package / "games" / "tornei" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("NO_TRICK_POINTS = 3", "NO_TRICK_POINTS = 90"))
    changed, compiled = play()
    assert compiled
    assert changed != scores
    rules.write_text(text)
    shutil.copystat(PACKAGE / "games" / "tornei" / "rules.py", rules)
    assert play()[0] == scores
    assert 2 <= len(list((tmp_path / "cache" / "kernels").iterdir())) <= KEPT_CACHES


def test_without_a_place_for_the_cache_everything_still_works(copy):
    _, play = copy
    _, compiled = play(NUMBA_CACHE_DIR="/dev/null/nowhere")
    assert compiled
