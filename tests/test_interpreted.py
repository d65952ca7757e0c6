"""The same source, interpreted, plays the same games."""

import os
import subprocess
import sys

import pytest

from tests.fingerprint import fingerprint
from tests.variants import every_variant, label


@pytest.fixture(scope="session")
def interpreted():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.fingerprint"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert printed.returncode == 0, printed.stderr
    return dict(line.split("\t") for line in printed.stdout.splitlines())


@every_variant
def test_the_same_seeds_give_the_same_games_compiled_and_interpreted(name, options, interpreted):
    assert interpreted[label(name, options)] == fingerprint(name, options)
