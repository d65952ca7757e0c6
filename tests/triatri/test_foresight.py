"""The network of prospects says what it was trained to say, and playing by it is stronger."""

import numpy as np
import pytest

import hastilude
from hastilude.bots.knowledge import MATCH, instinct, load_bots, prospect, reference
from hastilude.core import rules
from hastilude.core.bits import count
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.triatri import practice
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
EVERYBODY = -1

for players in PLAYERS:
    load_bots(hastilude.load("triatri", players=players))


@kernel
def play_to(s, mind, chosen, until_round, rng, work):
    """Play until a round is over or the match is; one seat plays by instinct, or all."""
    while rules.turn(s) >= 0 or rules.chance_due(s):
        if rules.chance_due(s):
            if s["phase"] == DEAL and s["round"] == until_round:
                return
            deal_due(s, rng, work)
        else:
            seat = rules.turn(s)
            if chosen in (seat, EVERYBODY):
                action = instinct(s, seat, mind, rng, work)
            else:
                action = reference(s, seat, rng, work)
            rules.apply(s, seat, action)


@kernel
def share(s, seat):
    found = rules.winners(s)
    return 1.0 / count(np.uint64(found)) if found >> seat & 1 else 0.0


@kernel
def victories(states, mind, matches, players, rng, work):
    """The share of the victories of one seat with instinct among reference players."""
    won = 0.0
    for match in range(matches):
        states[1] = states[0]
        play_to(states[1], mind, match % players, 9, rng, work)
        won += share(states[1], match % players)
    return won / matches


@kernel
def foresee(states, mind, until_round, expected, got, rng, work):
    """What seat 0 may expect after a round, and what it got in the end."""
    found = 0
    while found < len(expected):
        states[1] = states[0]
        s = states[1]
        play_to(s, mind, EVERYBODY, until_round, rng, work)
        if s["phase"] == DEAL:
            expected[found] = prospect(s, 0, MATCH, mind, work)
            play_to(s, mind, EVERYBODY, 9, rng, work)
            got[found] = share(s, 0)
            found += 1


@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (3, 0.45), (4, 0.29)])
def test_instinct_beats_the_reference(players, least):
    states = begun(hastilude.load("triatri", players=players))
    assert (
        victories(states, stored()[players], 6000, players, generator(1), np.zeros(WORK, np.int8))
        > least
    )


@pytest.mark.parametrize("until_round", [1, 2])
@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_foreseen_comes_true(players, until_round):
    states = begun(hastilude.load("triatri", players=players))
    expected, got = np.zeros(6000), np.zeros(6000)
    foresee(
        states, stored()[players], until_round, expected, got, generator(2), np.zeros(WORK, np.int8)
    )
    assert expected.std() > 0.02  # for four, little is decided after one round
    order = expected.argsort()
    for part in np.array_split(order, 5):
        assert expected[part].mean() == pytest.approx(got[part].mean(), abs=0.06)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_kernel_computes_the_network(players):
    """As NumPy does, from all inputs at once."""
    states = begun(hastilude.load("triatri", players=players))
    work = np.zeros(WORK, np.int8)
    mind, rng = stored()[players], generator(3)
    seen = 0
    while seen < 20:
        states[1] = states[0]
        s = states[1]
        play_to(s, mind, EVERYBODY, 1, rng, work)
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
        found = [prospect_at(states, seat, mind, work) for seat in range(players)]
        assert found == pytest.approx(chances.tolist(), abs=0.03)  # the lead breaks ties
        assert sum(found) == pytest.approx(1.0, abs=0.05)


@kernel
def prospect_at(states, seat, mind, work):
    return prospect(states[1], seat, MATCH, mind, work)


def test_training_learns(monkeypatch, capsys):
    monkeypatch.setattr(practice, "GENERATIONS", 2)
    monkeypatch.setattr(practice, "MATCHES", 20_000)
    weights = practice.train(players=2)
    assert weights.shape == stored()[2].shape
    losses = [float(line.rpartition(" ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert len(losses) == 2
    assert max(losses) < np.log(2)  # what it would be without any knowledge
