"""The learner of `examples/` learns, in a short form."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT_FORM = """
import learn, numpy as np  # in this order: it tells NumPy how many threads to use
learn.MATCHES = 128  # a quarter
env = learn.VectorEnv({game!r}, learn.MATCHES, seat=None, autoreset_mode="SameStep", **{options})
rng = np.random.default_rng(1)
network = learn.Network(env.game.layout.size, env.game.num_actions, rng)
seen, _ = env.reset(seed=1)
print(learn.win_share(network, {game!r}, 500, **{options}))
for _ in range(40):
    seen = learn.improve(network, env, seen, rng)
print(learn.win_share(network, {game!r}, 500, **{options}))
"""


def run(*arguments):
    """In a process of its own, for the sake of its threads."""
    path = os.pathsep.join([str(EXAMPLES), *sys.path])
    ran = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ran.stdout


def test_the_learner_gets_better_than_random():
    form = SHORT_FORM.format(game="kings_tournament", options={"best_of": 1})
    before, after = map(float, run("-c", form).split())
    assert before < 0.6
    assert after > 0.6


def test_it_runs_and_draws_its_curve(tmp_path):
    path = tmp_path / "curve.svg"
    told = run(
        str(EXAMPLES / "learn.py"), "triatri", "--players", "2",
        "--minutes", "0.01", "--looks", "1", "--plot", str(path),
    )  # fmt: skip
    assert "min  " in told
    assert "reference bot  9" in told
    assert "<svg" in path.read_text("utf-8")


@pytest.mark.parametrize("name", ["kings_tournament", "triatri"])
def test_the_curves_are_there(name):
    assert "<svg" in (EXAMPLES / f"{name}.svg").read_text("utf-8")
