"""The search: sound with hidden choices, never illegal, deterministic, and it finds what is won."""

import numpy as np

from hastilude.bots.outlook import MATCH
from hastilude.bots.search import (
    RANDOM,
    How,
    Settings,
    new_memory,
    new_path,
    simulate,
)
from hastilude.bots.tree import new_tree
from hastilude.core.random import generator
from tests.bots import duel
from tests.kings_tournament.tables import *  # noqa: F403

QUICK = Settings(simulations=60, nodes=500)


class Duel:
    """As much of a game as the search wants."""

    name = "duel"
    num_actions = 3
    state = duel.STATE


def duel_visits(seat, mixing, simulations=200_000):
    redacted = np.zeros(1, duel.STATE)
    redacted["chosen"] = duel.NOTHING
    if seat == 1:
        redacted["chosen"][0, 0] = duel.HIDDEN
    redacted["dealt"], redacted["viewer"] = 1, seat
    visits = np.zeros(3, np.int64)
    how = How(MATCH, RANDOM, mixing, 0.7)
    tree, path, memory = new_tree(100, 3), new_path(), new_memory(Duel)
    simulate(redacted, seat, simulations, tree, path, memory, how, visits, generator(1))
    return visits / visits.sum()


def test_mixed_choices_come_near_the_equilibrium():
    share = duel_visits(0, mixing=True)
    even = 0.2 / 3  # what curiosity spreads
    assert np.allclose((share - even) / 0.8, duel.EQUILIBRIUM, atol=0.06)


def test_the_second_of_two_simultaneous_choices_does_not_answer_the_first():
    """Seat 1 of a root of seat 0 would win every time if its node knew what seat 0 chose."""
    share = duel_visits(0, mixing=False)
    assert share.max() < 0.95
