"""Who wins, by how much, after how long."""

from __future__ import annotations

import numpy as np

from hastilude.lab.deal import Deal
from hastilude.lab.matches import Floats
from hastilude.lab.measures.measure import (
    COUNT,
    MILLISECONDS,
    POINTS,
    SHARE,
    Label,
    Measure,
    Sums,
    lead,
    ratio,
)

SECOND = 2
LEAD = "lead over the others"


class Seats(Measure):
    """The win share, the score and the place of each seat."""

    @property
    def labels(self) -> list[Label]:
        equal = {"win share": 1 / self.count, LEAD: 0.0, "place": (self.count + 1) / 2}
        units = {"win share": SHARE, LEAD: POINTS, "place": COUNT}
        return [
            Label(part, seat, units[part], equal[part], part == "win share")
            for part in equal
            for seat in self.seats
        ]

    def gather(self, deal: Deal) -> Sums:
        played = [match.played for match in deal.matches]
        return {
            "matches": np.array([float(len(played))]),
            "shares": np.sum([one.shares for one in played], axis=0),
            "leads": np.sum([lead(one.scores.astype(np.float64)) for one in played], axis=0),
            "places": np.sum([places(one.scores.astype(np.float64)) for one in played], axis=0),
        }

    def estimate(self, sums: Sums) -> Floats:
        parts = [sums[name] for name in ("shares", "leads", "places")]
        return ratio(np.concatenate(parts), sums["matches"])


def places(scores: Floats) -> Floats:
    """1 for the highest score; equal scores share the mean of their places."""
    above = (scores[None, :] > scores[:, None]).sum(axis=1)
    equal = (scores[None, :] == scores[:, None]).sum(axis=1)
    return above + (equal + 1) / 2


class Ties(Measure):
    """Victories that are shared."""

    @property
    def labels(self) -> list[Label]:
        rows = ("shared by two or more", "shared by all")
        return [Label("shared victories", row, SHARE) for row in rows]

    def gather(self, deal: Deal) -> Sums:
        winners = np.array([len(match.played.winners) for match in deal.matches])
        shared = [(winners >= SECOND).sum(), (winners == self.count).sum()]
        return {"matches": np.array([float(len(winners))]), "shared": np.array(shared, np.float64)}

    def estimate(self, sums: Sums) -> Floats:
        return ratio(sums["shared"], sums["matches"])


class Margin(Measure):
    """Scores, and how far the first is ahead of the second."""

    @property
    def labels(self) -> list[Label]:
        rows = (
            "mean score",
            "spread of the scores in a match",
            "lead of the first over the second",
        )
        return [Label("scores", row, POINTS) for row in rows]

    def gather(self, deal: Deal) -> Sums:
        scores = np.sort([match.played.scores for match in deal.matches], axis=1)
        totals = [scores.mean(axis=1), scores.std(axis=1, ddof=1), scores[:, -1] - scores[:, -2]]
        sums = np.array([total.sum() for total in totals])
        return {"matches": np.array([float(len(scores))]), "scores": sums}

    def estimate(self, sums: Sums) -> Floats:
        return ratio(sums["scores"], sums["matches"])


class Length(Measure):
    """How long a match is: decisions, which are choices between two actions or more, and the
    processor time of its bots."""

    @property
    def labels(self) -> list[Label]:
        rows = ("decisions of all players", "decisions per player", "plays of all players")
        lengths = [Label("length", row, COUNT) for row in rows]
        return [*lengths, Label("time", "bots' processor time per match", MILLISECONDS, main=False)]

    def gather(self, deal: Deal) -> Sums:
        played = [match.played for match in deal.matches]
        decisions = sum(int(one.decisions.sum()) for one in played)
        plays = sum(one.plays for one in played)
        return {
            "matches": np.array([float(len(played))]),
            "lengths": np.array([decisions, decisions / self.count, plays], np.float64),
            "milliseconds": np.array([1000 * sum(one.seconds for one in played)]),
        }

    def estimate(self, sums: Sums) -> Floats:
        return ratio(np.concatenate([sums["lengths"], sums["milliseconds"]]), sums["matches"])
