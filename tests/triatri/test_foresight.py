"""The network of prospects says what it was trained to say."""

import numpy as np
import pytest

import hastilude
from hastilude.bots.knowledge import MATCH, instinct, load_bots, load_mind, prospect
from hastilude.core import rules
from hastilude.core.bits import count
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.triatri import prospects_practice
from hastilude.games.triatri.prospects import (
    BIAS,
    COUNTS,
    OUTPUTS,
    STARTERS,
    SUPPLIES,
    TIMES,
    UNKNOWN,
    stored,
)
from hastilude.games.triatri.rules import DEAL, TRICKS
from tests.bots.contest import begun

PLAYERS = (2, 3, 4)

for players in PLAYERS:
    load_bots(hastilude.load("triatri", players=players))


@kernel
def play_to(s, mind, until_round, rng, work):
    """Play by instinct until a round is over or the match is."""
    while rules.turn(s) >= 0 or rules.chance_due(s):
        if rules.chance_due(s):
            if s["phase"] == DEAL and s["round"] == until_round:
                return
            deal_due(s, rng, work)
        else:
            seat = rules.turn(s)
            rules.apply(s, seat, instinct(s, seat, mind, rng, work))


@kernel
def share(s, seat):
    found = rules.winners(s)
    return 1.0 / count(np.uint64(found)) if found >> seat & 1 else 0.0


@kernel
def foresee(states, mind, until_round, expected, got, rng, work):
    """What seat 0 may expect after a round, and what it got in the end."""
    found = 0
    while found < len(expected):
        states[1] = states[0]
        s = states[1]
        play_to(s, mind, until_round, rng, work)
        if s["phase"] == DEAL:
            expected[found] = prospect(s, 0, MATCH, mind, work)
            play_to(s, mind, 9, rng, work)
            got[found] = share(s, 0)
            found += 1


@pytest.mark.parametrize("until_round", [1, 2])
@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_foreseen_comes_true(players, until_round):
    game = hastilude.load("triatri", players=players)
    expected, got = np.zeros(6000), np.zeros(6000)
    work = np.zeros(WORK, np.int8)
    foresee(begun(game), load_mind(game), until_round, expected, got, generator(2), work)
    assert expected.std() > 0.02  # for four, little is decided after one round
    order = expected.argsort()
    for part in np.array_split(order, 5):
        assert expected[part].mean() == pytest.approx(got[part].mean(), abs=0.06)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_kernel_computes_the_network(players):
    """As NumPy does, from all inputs at once."""
    game = hastilude.load("triatri", players=players)
    states, work = begun(game), np.zeros(WORK, np.int8)
    whole, mind, rng = load_mind(game), stored()[players], generator(3)
    seen = 0
    while seen < 20:
        states[1] = states[0]
        s = states[1]
        play_to(s, whole, 1, rng, work)
        if s["phase"] != DEAL:
            continue
        seen += 1
        layer = mind[BIAS] + mind[TIMES + TRICKS] + mind[STARTERS + UNKNOWN]
        for cell in range(3 * players):
            layer = layer + mind[COUNTS * cell + int(s["gems"][cell // 3, cell % 3])]
        for colour in range(3):
            layer = layer + mind[SUPPLIES + COUNTS * colour + int(s["supply"][colour])]
        likely = np.exp(np.maximum(layer, 0) @ mind[OUTPUTS : OUTPUTS + players].T)
        chances = likely / likely.sum()
        found = [prospect_at(states, seat, whole, work) for seat in range(players)]
        assert found == pytest.approx(chances.tolist(), abs=0.03)  # the lead breaks ties
        assert sum(found) == pytest.approx(1.0, abs=0.05)


@kernel
def prospect_at(states, seat, mind, work):
    return prospect(states[1], seat, MATCH, mind, work)


def test_training_learns(monkeypatch):
    monkeypatch.setattr(prospects_practice, "MATCHES", 20_000)
    course = prospects_practice.ProspectsCourse(2, seed=0, share=1.0)
    course.practise(0.0)
    assert course.loss < np.log(2)  # what it would be without any knowledge
    memory = {name: array.copy() for name, array in course.memory().items()}
    course.practise(0.5)
    assert course.mind().shape == stored()[2].shape
    assert course.loss < np.log(2)
    other = prospects_practice.ProspectsCourse(2, seed=0, share=1.0)
    other.resume(memory)
    other.practise(0.5)
    np.testing.assert_array_equal(other.mind(), course.mind())
