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
START = """
import numpy as np, hastilude
from hastilude.core.calls import start_at
game = hastilude.load("tornei")
states = np.zeros(2, game.state)
start_at(states, np.array(game.option_numbers))
print(states["last_leader"][0])
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, and a way to start a match in it with a cache of its own."""
    package = tmp_path / "src" / "hastilude"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def start(**environment):
        ran = subprocess.run(
            [sys.executable, "-c", START],
            env=os.environ
            | {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
            | environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return ran.stdout, "Compiling the rules" in ran.stderr

    return package, start


def test_a_change_in_another_file_is_never_missed(copy, tmp_path):
    """`start_at` is in another file than the rule that changes."""
    package, start = copy
    before, compiled = start()
    assert compiled
    assert start() == (before, False)  # from the cache, and not a word about it
    rules = package / "games" / "tornei" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace('s["last_leader"] = -1', 's["last_leader"] = -2'))
    changed, compiled = start()
    assert compiled
    assert changed != before
    rules.write_text(text)
    shutil.copystat(PACKAGE / "games" / "tornei" / "rules.py", rules)
    assert start() == (before, False)
    assert 2 <= len(list((tmp_path / "cache" / "kernels").iterdir())) <= KEPT_CACHES


def test_a_change_that_no_kernel_sees_compiles_nothing(copy):
    package, start = copy
    before, _ = start()
    view = package / "games" / "tornei" / "view.py"
    view.write_text(view.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert start() == (before, False)


def test_without_a_place_for_the_cache_everything_still_works(copy):
    _, start = copy
    _, compiled = start(NUMBA_CACHE_DIR="/dev/null/nowhere")
    assert compiled
