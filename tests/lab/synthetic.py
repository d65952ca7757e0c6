"""Deals of a made-up game in which everything that the lab estimates is known."""

from types import SimpleNamespace

import numpy as np

from hastilude.lab.course import Course
from hastilude.lab.deal import Match


def table(seats, **names):
    course = Course(**names)
    return SimpleNamespace(count=seats, course=course, cards="abcd"[: course.cards], playing=None)


class Added:
    """A match of two sections. The first adds a random number of this spread to seat 0's result,
    the second another; what seat 0 has, seat 1 lacks."""

    def __init__(self, table, spreads, rng):
        self.table = table
        self._spreads = spreads
        self._rng = rng
        self.matches = [Match((0, 1), self._played(self._drawn(0)))]

    def _drawn(self, section):
        return self._rng.normal(0, self._spreads[section])

    def _played(self, first):
        result = first + self._drawn(1)
        return SimpleNamespace(
            shares=np.array([result, -result]),
            reached=np.array([True, True]),
            begins=[0.0, first],
        )

    def play(self, seats, key="", begin=None, forced=-1, chance=None):
        return self._played(self._drawn(0) if key[1] == 0 else begin)

    def seed(self, *key):
        return 0


class Dealt:
    """A round in which two seats get hands of a pack, and their scores are what the cards are
    worth, with noise."""

    def __init__(self, table, pack, values, size, rng):
        dealt = rng.permutation(pack)
        self._hands = [np.bincount(dealt[k * size : (k + 1) * size], minlength=len(values))
                       for k in range(2)]  # fmt: skip
        scores = np.array([hand @ values for hand in self._hands]) + rng.normal(0, 3, 2)
        played = SimpleNamespace(
            shares=(scores == scores.max()).astype(float),
            reached=np.array([True]),
            scored=np.array([[0.0, 0.0], scores]),
        )
        self.matches = [Match((0, 0), played)]
        table.playing = SimpleNamespace(holding=lambda _, section, seat: self._hands[seat])
        self.table = table
