"""The vector environment: what Gymnasium promises of one, and that it plays our rules."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode

import hastilude
from hastilude.adapters.gymnasium import VectorEnv
from hastilude.adapters.spaces import observation
from hastilude.core.chance import SeededChance
from hastilude.core.random import pick
from tests.variants import every_variant

MATCHES = 8


def chosen(seen, rng):
    """A legal action in every match; 0 where there is none."""
    return (seen["action_mask"] * rng.random(seen["action_mask"].shape)).argmax(axis=1)


def steps(env, seed=1, most=2000):
    """Random play, step by step."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    for _ in range(most):
        before = seen
        actions = chosen(seen, rng)
        seen, rewards, done, truncated, infos = env.step(actions)
        yield before, actions, seen, rewards, done, infos
        assert not truncated.any()


@every_variant
def test_what_is_returned_lies_in_the_spaces(name, options):
    env = VectorEnv(name, MATCHES, **options)
    for before, actions, seen, rewards, done, _ in steps(env, most=50):
        assert env.observation_space.contains(seen)
        assert env.action_space.contains(actions)
        assert rewards.shape == done.shape == (MATCHES,)
        assert before["observation"] is not seen["observation"]


@every_variant
@pytest.mark.parametrize("seat", [0, 1])
def test_one_match_is_the_match_of_that_seed(name, options, seat):
    """The other seats and chance draw from one generator, in the order of play."""
    env = VectorEnv(name, 1, seat=seat, **options)
    chance = SeededChance(3)
    match = hastilude.load(name, **options).new(chance=chance)
    rng = np.random.default_rng(3)
    seen, _ = env.reset(seed=3)
    for _ in range(40):
        play_others(match, seat, chance.rng)
        expected = observation(match, seat)
        assert np.array_equal(seen["observation"][0], expected["observation"])
        assert np.array_equal(seen["action_mask"][0], expected["action_mask"])
        if match.over:
            break
        actions = chosen(seen, rng)
        match.play(seat, int(actions[0]))
        seen, _, done, _, _ = env.step(actions)
        play_others(match, seat, chance.rng)
        assert done[0] == match.over


def play_others(match, seat, rng):
    while match.turn not in (None, seat):
        legal = sum(1 << action for action in match.legal(match.turn))
        match.play(match.turn, pick(rng, np.uint64(legal)))


@pytest.mark.parametrize("others", ["random", "reference"])
@pytest.mark.parametrize("name", hastilude.games())
def test_results_are_paid_at_the_end(name, others):
    env = VectorEnv(name, MATCHES, seat=None, others=others)
    losing, ended = -1 / (env.game.seats - 1), 0
    for _, _, seen, rewards, done, _ in steps(env, most=400):
        assert not rewards[~done].any()
        assert (rewards[done] >= np.float32(losing)).all()
        assert (rewards[done] <= 1).all()
        assert not seen["action_mask"][done].any()
        ended += done.sum()
    assert ended > MATCHES


def test_the_reference_is_harder_to_beat_than_chance():
    means = []
    for others in ("random", "reference"):
        env = VectorEnv("triatri", 200, others=others, players=2)
        paid = [rewards[done] for _, _, _, rewards, done, _ in steps(env, most=100)]
        means.append(np.concatenate(paid).mean())
    assert means[0] > -0.2
    assert means[1] < -0.6


def test_score_differences_add_up():
    env = VectorEnv("tornei", MATCHES, reward="score", players=3, autoreset_mode="Disabled")
    total, last = np.zeros(MATCHES), {}
    for _, _, seen, rewards, done, _ in steps(env):
        total += rewards
        if done.all():  # every match of Tornei has as many plays
            last = seen
            break
    scores = last["observation"][:, env.game.layout["scores"]][:, :3].astype(float)
    assert total == pytest.approx(scores[:, 0] - scores[:, 1:].mean(axis=1), abs=1e-4)


def test_autoreset_with_the_next_step():
    env = VectorEnv("triatri", MATCHES, players=2)
    over = np.zeros(MATCHES, bool)
    seen_again = 0
    for before, _, seen, rewards, done, infos in steps(env, most=200):
        assert not infos
        assert not (over & done).any()
        assert not rewards[over].any()
        assert not before["action_mask"][over].any()  # what was done there did not matter
        rounds = seen["observation"][:, env.game.layout["round"]][:, 0]
        assert (rounds[over] == 1).all()
        seen_again += over.sum()
        over = done
    assert seen_again > MATCHES


def test_autoreset_in_the_same_step():
    env = VectorEnv("triatri", MATCHES, players=2, autoreset_mode=AutoresetMode.SAME_STEP)
    ended = 0
    for _, _, seen, rewards, done, infos in steps(env, most=200):
        assert seen["action_mask"].any(axis=1).all()
        assert ("final_obs" in infos) == done.any()
        if done.any():
            assert np.array_equal(infos["_final_obs"], done)
            assert not infos["final_obs"]["action_mask"][done].any()
            over = infos["final_obs"]["observation"][:, env.game.layout["phase"]][:, -1]
            assert np.array_equal(over == 1, done)
            assert set(rewards[done]) <= {-1.0, 0.0, 1.0}
        ended += done.sum()
    assert ended > MATCHES


def test_without_autoreset_finished_matches_are_reset_by_a_mask():
    env = VectorEnv("triatri", MATCHES, players=2, autoreset_mode="Disabled")
    done = np.zeros(MATCHES, bool)
    for _, _, _seen, _, done, _ in steps(env):
        if done.any():
            break
    number = int(done.argmax())
    with pytest.raises(ResetNeeded, match=f"Match {number} is over. Reset it"):
        env.step(np.zeros(MATCHES, int))
    kept = env.reset(options={"reset_mask": done})[0]
    assert kept["action_mask"].any(axis=1).all()
    rounds = kept["observation"][:, env.game.layout["round"]][:, 0]
    assert (rounds[done] == 1).all()
    assert (rounds[~done] > 1).all()


def test_random_actions_are_legal():
    env = VectorEnv("triatri", MATCHES, players=2)
    seen, _ = env.reset(seed=1)
    tried = set()
    for _ in range(100):
        actions = env.random_actions()
        asked = seen["action_mask"].any(axis=1)
        assert seen["action_mask"][asked, actions[asked]].all()
        tried.update(actions[asked].tolist())
        seen, *_ = env.step(actions)
    assert len(tried) > 15


def test_the_same_seed_gives_the_same_matches():
    told = []
    for _ in range(2):
        env = VectorEnv("kings_tournament", MATCHES, seat=1)
        told.append([(seen["observation"].tobytes(), rewards.tobytes())
                     for _, _, seen, rewards, _, _ in steps(env, seed=9, most=60)])  # fmt: skip
    assert told[0] == told[1]
    env = VectorEnv("tornei", MATCHES)
    first, second = (env.reset()[0]["observation"].tobytes() for _ in range(2))
    assert first != second


@pytest.mark.parametrize("name", hastilude.games())
def test_registered_as_gymnasium_wants_it(name):
    env = gymnasium.make_vec(f"hastilude/{name}-v1", num_envs=3)
    assert env.num_envs == 3
    assert env.game == hastilude.load(name)
    assert env.spec.id == f"hastilude/{name}-v1"


def test_actions_outside_the_mask_are_their_error_with_our_reason():
    env = VectorEnv("tornei", MATCHES)
    with pytest.raises(ResetNeeded, match="Call reset before step"):
        env.step(np.zeros(MATCHES, int))
    seen, _ = env.reset(seed=1)
    actions = seen["action_mask"].argmax(axis=1)
    actions[5] = seen["action_mask"][5].argmin()
    with pytest.raises(
        InvalidAction, match=r"Nothing was played in match 5\. T\d+: You do not hold"
    ):
        env.step(actions)
    actions[5] = 56
    with pytest.raises(InvalidAction, match="There is no action 56"):
        env.step(actions)
    with pytest.raises(InvalidAction, match="A step needs 8 whole numbers"):
        env.step(actions[:5])
    actions[5] = seen["action_mask"][5].argmax()
    assert env.step(actions)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"num_envs": 0}, "Invalid batch size: 0"),
        ({"seat": 4}, "Invalid seat: 4. Allowed: 0, 1, 2, 3, None"),
        ({"others": "champion"}, "Invalid others: champion. Allowed: random, reference"),
        ({"autoreset_mode": "Never"}, "Allowed: NextStep, SameStep, Disabled"),
        ({"players": 2}, "Invalid players: 2. Allowed: 3, 4"),
    ],
)
def test_wrong_parameters(parameters, said):
    with pytest.raises(ValueError, match=said):
        VectorEnv("tornei", **parameters)


def test_a_wrong_reset_mask():
    env = VectorEnv("tornei", MATCHES)
    with pytest.raises(ValueError, match="8 booleans"):
        env.reset(options={"reset_mask": [True]})
