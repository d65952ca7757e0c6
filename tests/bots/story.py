"""Prints matches of the reference policies, choice by choice: `python -m tests.bots.story`.

Run with NUMBA_DISABLE_JIT=1 it shows what the interpreted policies do.
"""

import numpy as np

import hastilude
from hastilude.bots.policy import reference
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from tests.bots.contest import VARIANTS
from tests.variants import label

MOST_PLAYS = 60


def story(name, options, seed=3):
    game = hastilude.load(name, **options)
    match = game.new(seed=seed)
    told = []
    while not match.over and len(told) < MOST_PLAYS:
        choice = choose(match.redacted(match.turn), match.turn)
        told.append(game.text(choice))
        match.play(match.turn, choice)
    return " ".join(told)


def choose(states, seat, seed=0):
    """The reference's choice for a seat in states[0], which may be edited."""
    before = states.tobytes()
    choice = reference_at(states, 0, seat, generator(seed), np.zeros(WORK, np.int8))
    assert states.tobytes() == before
    return choice


@kernel
def reference_at(states, i, seat, rng, work):
    return reference(states[i], seat, rng, work)


if __name__ == "__main__":
    for variant in VARIANTS:
        print(label(*variant), story(*variant), sep="\t")
