"""A game so small that its equilibrium is known: stone, paper, scissors, stone counting double.

Stone beats scissors by 2, paper beats stone and scissors beat paper by 1. Nobody gains by leaving
the mixture of 1/4 stone, 1/2 paper, 1/4 scissors. Nothing is dealt, but the order that chance gives
is asked for once, as in every game.
"""

import sys

import numpy as np

from hastilude.bots.knowledge import PLAY
from hastilude.core.bits import NONE
from hastilude.core.kernel import kernel
from hastilude.core.rules import EVERYTHING, RULES

STATE = np.dtype(
    [
        ("chosen", np.int64, 2),
        ("dealt", np.int8),
        ("viewer", np.int8),
    ],
    align=True,
)
NOTHING, HIDDEN = -1, -2
STONE, PAPER, SCISSORS = range(3)
ALL = np.uint64(7)
GAINS = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
EQUILIBRIUM = (0.25, 0.5, 0.25)


@kernel
def start(s, options):
    s["chosen"][:] = NOTHING
    s["dealt"] = 0
    s["viewer"] = EVERYTHING


@kernel
def pending(s):
    if not s["dealt"]:
        return 0
    return (s["chosen"][0] == NOTHING) | (s["chosen"][1] == NOTHING) << 1


@kernel
def turn(s):
    if not s["dealt"]:
        return -1
    if s["chosen"][0] == NOTHING:
        return 0
    return 1 if s["chosen"][1] == NOTHING else -1


@kernel
def legal(s, seat):
    return ALL if s["dealt"] and s["chosen"][seat] == NOTHING else NONE


@kernel
def apply(s, seat, action):
    s["chosen"][seat] = action


@kernel
def chance_due(s):
    return 0 if s["dealt"] else 1


@kernel
def undealt(s, due, cards):
    return 0


@kernel
def deal(s, due, order):
    s["dealt"] = 1


@kernel
def score(s, seat):
    return int(GAINS[s["chosen"][seat], s["chosen"][1 - seat]])


@kernel
def winners(s):
    return 3


@kernel
def redact(s, seat, r):
    r["dealt"] = s["dealt"]
    r["viewer"] = seat
    both = s["chosen"][0] != NOTHING and s["chosen"][1] != NOTHING
    for other in range(2):
        hidden = other != seat and s["chosen"][other] != NOTHING and not both
        r["chosen"][other] = HIDDEN if hidden else s["chosen"][other]


@kernel
def determinize(r, rng, work):
    r["viewer"] = EVERYTHING
    for seat in range(2):
        if r["chosen"][seat] == HIDDEN:
            r["chosen"][seat] = int(rng[0] % np.uint64(3))


@kernel
def settled(s):
    return s["chosen"][0] != NOTHING and s["chosen"][1] != NOTHING


@kernel
def worth(s, seat, aim):
    return (2 + score(s, seat)) / 4


@kernel
def reference(s, seat, rng, work):
    return STONE


@kernel
def infer(r, facts):
    pass


@kernel
def encode(r, out):
    out[:] = 0


@kernel
def hidden_places(r, work):
    return -1


@kernel
def fill_hidden(r, work):
    pass


@kernel
def shown_at_once(s, due):
    return 0


@kernel
def face_down(s, pile, cards):
    return 0


@kernel
def lay_face_down(s, pile, cards):
    pass


RULES.provide(STATE, sys.modules[__name__])
PLAY.provide(STATE, sys.modules[__name__])
