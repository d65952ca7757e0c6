"""Compiled or interpreted, the same source plays the same games."""

import os
import subprocess
import sys

import pytest

PLAY = """
import hashlib
import numpy as np
from hastilude.core import rules as core
from hastilude.core.playout import settle
from hastilude.core.random import generator, pick
from hastilude.games.kings_tournament import hidden, rules

core.register(rules.STATE, rules, hidden)
values = [3, 3, 3, 3, 3, 3, 3, 2, 2, 2]
digest = hashlib.sha256()
for seed, stepwise in (1, 0), (2, 1):
    states, work, rng = np.zeros(2, rules.STATE), np.zeros(core.WORK, np.int8), generator(seed)
    s, r = states
    rules.start(s, np.array([5, stepwise, *values], dtype=np.int64))
    settle(s, rng, work)
    while rules.pending(s):
        seat = rules.turn(s)
        hidden.redact(s, 1 - seat, r)
        hidden.determinize(r, rng, work)
        digest.update(states.tobytes())
        rules.apply(s, seat, pick(rng, rules.legal(s, seat)))
        settle(s, rng, work)
    digest.update(bytes([rules.winners(s), rules.score(s, 0), rules.score(s, 1)]))
print(digest.hexdigest())
"""


def played(interpreted: bool) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY],
        env={**os.environ, "NUMBA_DISABLE_JIT": str(int(interpreted))},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        pytest.fail(run.stderr)
    return run.stdout


def test_interpreted_rules_play_the_same_games() -> None:
    assert played(interpreted=True) == played(interpreted=False)
