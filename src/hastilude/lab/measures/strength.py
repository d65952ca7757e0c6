"""Skill against luck."""

from __future__ import annotations

from math import copysign, inf, sqrt
from statistics import NormalDist

import numpy as np

from hastilude.lab.deal import Deal
from hastilude.lab.matches import Floats
from hastilude.lab.measures.measure import MATCHES, SHARE, Label, Measure, Sums, ratio

SURE = NormalDist().inv_cdf(0.95)
REPEATS = 2  # of every match, with other random choices of its bots


class Ladder(Measure):
    """How much more the first bot wins than the others, and how many matches it takes until it is
    ahead of them with a probability of 95 %."""

    @property
    def labels(self) -> list[Label]:
        better, other = self.table.variant.bots[0], self.table.variant.bots[-1]
        equal = 1 / self.count
        return [
            Label("win share", f"{better} against {other}", SHARE, equal),
            Label(
                "matches until it leads with 95 % probability",
                f"{better} against {other}",
                MATCHES,
                0.0,
                False,
            ),
        ]

    def gather(self, deal: Deal) -> Sums:
        shares = np.array([
            [match.played.shares[[bot == 0 for bot in match.seats]].mean(),
             match.played.shares[[bot != 0 for bot in match.seats]].mean()]
            for match in deal.matches
        ])  # fmt: skip
        ahead = shares[:, 0] - shares[:, 1]
        sums = [len(ahead), shares[:, 0].sum(), ahead.sum(), (ahead**2).sum()]
        return {"sums": np.array(sums, np.float64)}

    def estimate(self, sums: Sums) -> Floats:
        """The second figure is the mean lead in a match, in standard deviations: see
        `matches_until_ahead`."""
        matches, wins, ahead, squares = sums["sums"]
        mean = ahead / matches
        spread = sqrt(max(0.0, squares / matches - mean**2))
        return np.array([wins / matches, mean / spread if spread else copysign(inf, mean)])


def matches_until_ahead(lead: float) -> float:
    """So many matches until a lead of so many standard deviations per match shows in 95 %.

    >>> round(matches_until_ahead(0.1)), matches_until_ahead(0.0)
    (271, inf)
    """
    return max(1.0, (SURE / lead) ** 2) if lead > 0 else inf


class Luck(Measure):
    """How much of the differences between results is due to what.

    Each deal is played with every player in every seat, each match twice. With Y the win share of
    player i in seat s: the means over the players say what the seat and its cards were worth, those
    over the seats what the player was worth, and the differences between two equal matches what the
    bots decided at random. See docs/lab.md.
    """

    ROWS = (
        "the seat",
        "the cards of the deal",
        "who plays",
        "which cards suit whom",
        "random choices of the players",
    )

    @property
    def labels(self) -> list[Label]:
        return [Label("share of the differences", row, SHARE, 0.0) for row in self.ROWS]

    def gather(self, deal: Deal) -> Sums:
        return parts_of(self._results(deal))

    def _results(self, deal: Deal) -> Floats:
        """The win share by seat, player and repeat."""
        results = np.empty((self.count, self.count, REPEATS))
        for turn, seats in enumerate(deal.table.turns):
            for repeat in range(REPEATS):
                shares = deal.play(seats, ("repeat", repeat, turn)).shares
                for seat in range(self.count):
                    results[seat, (seat - turn) % self.count, repeat] = shares[seat]
        return results

    def estimate(self, sums: Sums) -> Floats:
        return shares_of(sums)


def parts_of(results: Floats) -> Sums:
    """What one deal adds to the sums: squares without what chance alone would add to them."""
    seats, _, repeats = results.shape
    means = results.mean(axis=2)
    noise = results.var(axis=2, ddof=1) / repeats  # of each mean
    centre = means.mean()
    rows, columns = means.mean(axis=1) - centre, means.mean(axis=0) - centre
    rest = means - centre - rows[:, None] - columns[None, :]
    row_noise, column_noise = noise.sum(axis=1) / seats**2, noise.sum(axis=0) / seats**2
    return {
        "deals": np.array([1.0]),
        "seats": rows,
        "seat squares": rows**2,
        "in rows": np.array([(rows**2 - row_noise).mean()]),
        "players": columns,
        "player squares": columns**2,
        "in columns": np.array([(columns**2 - column_noise).mean()]),
        "in both": np.array([(rest**2).mean() - noise.mean() * (1 - 2 / seats)]),
        "in repeats": np.array([noise.mean() * repeats]),
    }


def shares_of(sums: Sums) -> Floats:
    deals = sums["deals"][0]
    row, column, both, repeats = (
        sums[name][0] / deals for name in ("in rows", "in columns", "in both", "in repeats")
    )
    seat = squares_of_means(sums["seats"], sums["seat squares"], deals)
    player = squares_of_means(sums["players"], sums["player squares"], deals)
    parts = np.array([seat, row - seat, player, column - player + both, repeats])
    return ratio(parts, parts.sum())


def squares_of_means(total: Floats, squares: Floats, deals: float) -> float:
    """The mean square of means over deals, from pairs of different deals, so that chance does not
    add to it."""
    return float(((total**2 - squares) / (deals * (deals - 1))).mean()) if deals > 1 else np.nan
