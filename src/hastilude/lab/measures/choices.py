"""What cards are worth, how often each choice is made, and what it loses."""

from __future__ import annotations

import numpy as np

from hastilude.lab.deal import Deal
from hastilude.lab.matches import Floats
from hastilude.lab.measures.measure import (
    POINTS,
    SHARE,
    Label,
    Measure,
    Sums,
    gain,
    lead,
    ratio,
    sections,
)

TRIALS = 8  # forced choices per match


class Cards(Measure):
    """What a card in the hand is worth: how much better a hand does if an average card is replaced
    by this one.

    Hands are dealt at random, so the numbers of the cards in it have known covariances: for a
    hand of H cards out of N, k (diag(p) - p p'), with p the part of each kind in the pack. Then
    regression needs no inversion: the value of a kind is its covariance with the result, divided
    by k p. k is taken from the variances that were observed.
    """

    @property
    def labels(self) -> list[Label]:
        cards = self.table.cards
        points = [Label("points in the round", card, POINTS, 0.0) for card in cards]
        return [*points, *(Label("win share of the match", c, SHARE, 0.0, False) for c in cards)]

    def gather(self, deal: Deal) -> Sums:
        cards = self.table.course.cards
        hands, results = [np.zeros(cards)], [np.zeros(2)]  # nothing, if no hands are dealt
        for match in deal.matches:
            played = match.played
            for section in sections(self.table, played):
                gains = None
                for seat in range(self.count):
                    held = deal.table.playing.holding(played, section, seat)
                    if held is None:
                        break
                    gains = gain(self.table, played, section) if gains is None else gains
                    hands.append(held.astype(np.float64))
                    results.append(np.array([gains[seat], played.shares[seat]]))
        numbers, got = np.array(hands), np.array(results)
        return {
            "hands": np.array([len(hands) - 1.0]),
            "held": numbers.sum(axis=0),
            "squares": (numbers**2).sum(axis=0),
            "results": got.sum(axis=0),
            "with": got.T @ numbers,
        }

    def estimate(self, sums: Sums) -> Floats:
        hands = sums["hands"]
        held, got = ratio(sums["held"], hands), ratio(sums["results"], hands)
        covariance = ratio(sums["with"], hands) - np.outer(got, held)
        parts = held / held.sum()
        spread = (ratio(sums["squares"], hands) - held**2).sum()
        k = spread / (parts * (1 - parts)).sum()
        result: Floats = ratio(covariance, np.tile(k * parts, (2, 1))).ravel()
        return result


class Actions(Measure):
    """How often each kind of choice is made where it is possible, and what it loses.

    A choice of a match is made at random among the other legal actions, once in every trial, and
    the match is played on. The loss of a kind is how much less the seat then wins than with what
    its bot would have chosen.
    """

    @property
    def labels(self) -> list[Label]:
        kinds = self.table.course.kinds
        often = [Label("chosen where possible", kind, SHARE, None, False) for kind in kinds]
        wins = [Label("win share lost by it", kind, SHARE, 0.0) for kind in kinds]
        return [*often, *wins, *(Label("points lost by it", k, POINTS, 0.0, False) for k in kinds)]

    def gather(self, deal: Deal) -> Sums:
        kinds = len(self.table.course.kinds)
        sums = {name: np.zeros(kinds) for name in ("offered", "chosen", "trials", "wins", "points")}
        for seats, played in deal.matches:
            sums["offered"] += played.offered
            sums["chosen"] += played.chosen
            decisions = int(played.decisions.sum())
            for trial in range(min(TRIALS, decisions)):
                forced = deal.seed("forced", seats, trial) % decisions
                other = deal.play(seats, forced=forced)
                seat, kind, usual = other.forced
                if kind != usual:
                    sums["trials"][kind] += 1
                    sums["wins"][kind] += played.shares[seat] - other.shares[seat]
                    before, after = (lead(one.scores.astype(np.float64)) for one in (played, other))
                    sums["points"][kind] += before[seat] - after[seat]
        return sums

    def estimate(self, sums: Sums) -> Floats:
        often = ratio(sums["chosen"], sums["offered"])
        losses = ratio(np.concatenate([sums["wins"], sums["points"]]), np.tile(sums["trials"], 2))
        return np.concatenate([often, losses])
