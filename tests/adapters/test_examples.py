"""The learner of `examples/` learns, in a short form."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def learn(monkeypatch):
    spec = spec_from_file_location("learn", EXAMPLES / "learn.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "MATCHES", 64)  # an eighth
    return module


@pytest.mark.parametrize(
    ("game", "options"),
    [("kings_tournament", {"best_of": 1}), ("triatri", {"players": 2})],
)
def test_the_learner_gets_better_than_random(learn, game, options):
    env = learn.VectorEnv(game, learn.MATCHES, seat=None, autoreset_mode="SameStep", **options)
    rng = np.random.default_rng(1)
    network = learn.Network(env.game.layout.size, env.game.num_actions, rng)
    seen, _ = env.reset(seed=1)
    for _ in range(30):
        seen = learn.improve(network, env, seen, rng)
    before = learn.Network(env.game.layout.size, env.game.num_actions, np.random.default_rng(1))
    shares = [learn.win_share(one, game, 500, **options) for one in (before, network)]
    assert shares[1] > shares[0]
    assert shares[1] > 0.55


def test_it_runs_and_draws_its_curve(learn, tmp_path, capsys):
    path = tmp_path / "curve.svg"
    arguments = ["triatri", "--players", "2", "--minutes", "0.01", "--looks", "1"]
    curve = learn.main([*arguments, "--plot", str(path)])
    assert len(curve) == 2
    assert "reference bot" in path.read_text("utf-8")
    assert "reference bot  9" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["kings_tournament", "triatri"])
def test_the_curves_are_there(name):
    assert "<svg" in (EXAMPLES / f"{name}.svg").read_text("utf-8")
