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

SAME = """
from hastilude.core.kernel import kernel
@kernel
def same(value):
    return value
"""
# Saving takes a while here, so that two processes do it at the same time.
USE = """
import sys, time
from numba.core.caching import IndexDataCacheFile
from same import same
load = IndexDataCacheFile._load_index
IndexDataCacheFile._load_index = lambda file: (load(file), time.sleep(0.5))[0]
print("ready", flush=True)
for value in sys.stdin.readline().split():
    same(eval(value))
print(len(same.stats.cache_misses))
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


def test_a_copy_of_the_package_finds_what_is_compiled(copy, tmp_path):
    package, start = copy
    before, _ = start()
    moved = package.parent.rename(tmp_path / "elsewhere")
    assert start(PYTHONPATH=str(moved)) == (before, False)


def test_without_a_place_for_the_cache_everything_still_works(copy):
    _, start = copy
    _, compiled = start(NUMBA_CACHE_DIR="/dev/null/nowhere")
    assert compiled


def test_processes_that_compile_at_the_same_time_lose_nothing(tmp_path):
    (tmp_path / "same.py").write_text(SAME)
    path = os.pathsep.join([str(PACKAGE.parent), str(tmp_path)])
    environment = os.environ | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def compiled(*values):
        """How many kernels each process compiles that uses one of these values."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        users = [
            subprocess.Popen([sys.executable, "-c", USE], env=environment, **pipes) for _ in values
        ]
        for user in users:
            assert user.stdout.readline() == "ready\n"
        for user, value in zip(users, values, strict=True):
            user.stdin.write(f"{value}\n")
            user.stdin.flush()
        return [int(user.communicate()[0]) for user in users]

    assert compiled("1", "1.5") == [1, 1]
    assert compiled("1 1.5") == [0]
