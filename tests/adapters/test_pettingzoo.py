"""PettingZoo's own tests on every game, and what its users expect beyond them."""

import pickle
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.utils.env_logger import EnvLogger

import hastilude
from hastilude.adapters.pettingzoo import env, parallel_env, raw_env
from hastilude.games.registry import player_counts
from tests.variants import every_variant

COUNTS = [(name, count) for name in hastilude.games() for count in player_counts(name)]
every_count = pytest.mark.parametrize(("name", "count"), COUNTS)
# What `api_test` warns of in any environment with a mask that it does not know by name.
known_warnings = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",  # after the end
)


def options_of(name, count):
    return {"players": count} if len(player_counts(name)) > 1 else {}


def play(environment, choose):
    for agent in environment.agent_iter():
        seen, _, over, _, _ = environment.last()
        environment.step(None if over else choose(agent, seen["action_mask"]))


def first_legal(agent, mask):
    return int(mask.argmax())


@known_warnings
@every_variant
def test_their_api_test(name, options):
    api_test(env(name, **options), num_cycles=60)


@known_warnings
@every_count
def test_their_api_test_to_the_end_with_both_rewards(name, count):
    for reward in ("match", "score"):
        api_test(raw_env(name, reward=reward, **options_of(name, count)), num_cycles=1000)


@every_count
def test_their_seed_test(name, count):
    seed_test(partial(env, name, **options_of(name, count)), num_cycles=100)


@every_count
def test_their_render_test(name, count, capsys):
    render_test(
        partial(env, name, **options_of(name, count)),
        custom_tests={"ansi": lambda text: "To act: Player" in text},
    )
    assert "To act: Player" in capsys.readouterr().out


@every_count
def test_their_parallel_api_test(name, count):
    parallel_api_test(parallel_env(name, **options_of(name, count)), num_cycles=300)


@every_count
def test_their_performance_benchmark_runs(name, count, monkeypatch, capsys):
    clock = SimpleNamespace(time=partial(next, iter(range(0, 1000, 2))))  # two seconds a look
    monkeypatch.setattr(sys.modules[performance_benchmark.__module__], "time", clock)
    performance_benchmark(env(name, **options_of(name, count)))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("name", hastilude.games())
def test_registered_as_pettingzoo_wants_it(name):
    made = pettingzoo.make("aec", f"hastilude/{name}-v1")
    assert made.unwrapped.game == hastilude.load(name)
    assert pettingzoo.make("parallel", f"hastilude/{name}_v1").game == hastilude.load(name)


def test_a_seed_is_the_match_of_that_seed():
    environment = raw_env("tornei")
    environment.reset(seed=7)
    assert environment.match.state == hastilude.load("tornei").new(seed=7).state
    environment.reset()
    following = environment.match.state
    environment.reset(seed=7)
    environment.reset()
    assert environment.match.state == following


def test_the_result_is_paid_at_the_end():
    environment = raw_env("triatri", players=4)
    environment.reset(seed=3)
    while not environment.match.over:
        assert not any(environment.rewards.values())
        environment.step(first_legal(None, environment.last()[0]["action_mask"]))
    winners = environment.match.winners
    assert sum(environment.rewards.values()) == pytest.approx(0)
    assert [environment.rewards[f"player_{seat}"] for seat in winners] == [1.0] * len(winners)
    losers = set(range(4)) - set(winners)
    assert all(environment.rewards[f"player_{seat}"] == -1 / 3 for seat in losers)


def test_score_differences_are_paid_as_they_happen():
    environment = raw_env("tornei", players=3, reward="score")
    environment.reset(seed=3)
    paid, payments = dict.fromkeys(environment.agents, 0.0), 0
    while not environment.match.over:
        environment.step(first_legal(None, environment.last()[0]["action_mask"]))
        assert sum(environment.rewards.values()) == pytest.approx(0)
        payments += any(environment.rewards.values())
        for agent, reward in environment.rewards.items():
            paid[agent] += reward
    scores = environment.match.scores
    assert payments == 3  # one a round
    for seat, score in enumerate(scores):
        assert paid[f"player_{seat}"] == pytest.approx(score - (sum(scores) - score) / 2)


def test_nothing_is_revealed_while_others_still_choose():
    """T7: predictions come one by one, and nobody sees what lies face down."""
    seen = []
    for card in range(2):
        environment = raw_env("tornei")
        environment.reset(seed=7)
        environment.step(first_legal(None, environment.last()[0]["action_mask"]))
        legal = np.flatnonzero(environment.last()[0]["action_mask"])
        environment.step(int(legal[card]))
        seen.append([environment.observe(f"player_{seat}")["observation"] for seat in (0, 2, 3)])
        assert not environment.observe("player_0")["action_mask"].any() or (
            environment.agent_selection == "player_0"
        )
    assert np.array_equal(seen[0], seen[1])


def test_a_copy_goes_on_where_the_original_was():
    environment = env("triatri", players=2)
    environment.reset(seed=1)
    for _ in range(5):
        environment.step(first_legal(None, environment.last()[0]["action_mask"]))
    copy = pickle.loads(pickle.dumps(environment))
    for one in (environment, copy):
        play(one, first_legal)
    assert copy.unwrapped.match.record() == environment.unwrapped.match.record()


def test_an_illegal_action_loses_with_a_warning_that_says_why():
    environment = env("tornei")
    environment.reset(seed=7)
    agent = environment.agent_selection
    illegal = int(environment.last()[0]["action_mask"].argmin())
    EnvLogger.flush()
    EnvLogger.suppress_output()
    environment.step(illegal)
    EnvLogger.unsuppress_output()
    said = " ".join(EnvLogger.mqueue)
    EnvLogger.flush()
    assert "T6: You do not hold" in said
    assert "Illegal move made" in said
    assert environment.rewards[agent] == -1
    assert all(environment.terminations.values())


def test_unwrapped_an_illegal_action_is_refused_and_changes_nothing():
    environment = raw_env("tornei")
    environment.reset(seed=7)
    before = environment.match.state
    illegal = int(environment.last()[0]["action_mask"].argmin())
    with pytest.raises(ValueError, match="T6: You do not hold"):
        environment.step(illegal)
    assert environment.match.state == before


def test_a_number_that_is_no_action_is_their_assertion():
    environment = env("tornei")
    environment.reset(seed=7)
    with pytest.raises(AssertionError, match="action is not in action space"):
        environment.step(56)


def test_steps_after_the_end():
    environment = raw_env("kings_tournament", best_of=1)
    environment.reset(seed=1)
    while not environment.match.over:
        environment.step(first_legal(None, environment.last()[0]["action_mask"]))
    with pytest.raises(ValueError, match="only valid action for player_0 is None"):
        environment.step(0)
    environment.step(None)
    environment.step(None)
    assert not environment.agents
    with pytest.raises(ValueError, match="The match is over"):
        environment.step(None)


def test_wrong_parameters():
    with pytest.raises(ValueError, match=r"Invalid players: 5\. Allowed: 3, 4"):
        env("tornei", players=5)
    with pytest.raises(ValueError, match=r"Invalid reward: points\. Allowed: match, score"):
        env("tornei", reward="points")
    with pytest.raises(ValueError, match=r"Invalid render_mode: rgb_array\. Allowed: None, ansi"):
        parallel_env("tornei", render_mode="rgb_array")
    with pytest.raises(ValueError, match="Did you mean tornei"):
        raw_env("torne")


def test_parallel_everybody_chooses_or_waits():
    environment = parallel_env("kings_tournament", best_of=1)
    seen, _ = environment.reset(seed=1)
    wait = environment.game.num_actions
    assert all(not one["action_mask"][wait] for one in seen.values())
    before = environment.match.state
    legal = first_legal(None, seen["player_0"]["action_mask"])
    with pytest.raises(ValueError, match="There is no action 12"):
        environment.step({"player_0": legal, "player_1": wait})
    with pytest.raises(ValueError, match="player_1 has none"):
        environment.step({"player_0": legal})
    assert environment.match.state == before
    while environment.agents:
        actions = {agent: int(one["action_mask"].argmax()) for agent, one in seen.items()}
        if wait in actions.values():
            (idle,) = [agent for agent, action in actions.items() if action == wait]
            with pytest.raises(ValueError, match=f"not {idle}'s turn"):
                environment.step(actions | {idle: 0})
        seen, rewards, over, _, _ = environment.step(actions)
    assert sorted(rewards.values()) == [-1.0, 1.0]
    assert all(over.values())
    with pytest.raises(ValueError, match="The match is over"):
        environment.step({})


@pytest.mark.filterwarnings("ignore:.*Nothing to render.*:UserWarning")
def test_rendering_without_a_mode_warns():
    environment = env("triatri")
    environment.reset(seed=1)
    assert environment.render() is None


def test_the_story_is_rendered_for_everybody_to_know():
    environment = env("triatri", players=2, render_mode="ansi")
    environment.reset(seed=1)
    text = environment.render()
    play(environment, first_legal)
    end = environment.render()
    assert text.splitlines()[-1] == (
        "To act: Player 1 and Player 2. Scores: Player 1 (0), Player 2 (0)."
    )
    assert "A5" in end
    assert end.splitlines()[-1].startswith("The match is over. Scores: ")
