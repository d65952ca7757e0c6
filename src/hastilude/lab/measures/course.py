"""What happens in the course of a match: comebacks, sections that decide, roles and feats."""

from __future__ import annotations

import numpy as np

from hastilude.lab.course import MOST_SECTIONS
from hastilude.lab.deal import Deal
from hastilude.lab.matches import Floats, Played
from hastilude.lab.measures.measure import (
    COUNT,
    POINTS,
    SHARE,
    Label,
    Measure,
    Sums,
    gain,
    is_round_start,
    ratio,
    sections,
)


class Comebacks(Measure):
    """How much of the victories goes to seats that were not in the lead when a round began. Rounds
    that begin with equal scores do not count."""

    @property
    def labels(self) -> list[Label]:
        return [
            Label("victories of seats that were behind", f"before {name}", SHARE)
            for name in self._rounds.values()
        ]

    @property
    def _rounds(self) -> dict[int, str]:
        names = self.table.course.sections
        return {n: name for n, name in enumerate(names) if n and is_round_start(self.table, n)}

    def gather(self, deal: Deal) -> Sums:
        counted, behind = np.zeros(len(self._rounds)), np.zeros(len(self._rounds))
        for match in deal.matches:
            played = match.played
            for place, section in enumerate(self._rounds):
                scores = played.scored[section]
                if played.reached[section] and scores.min() < scores.max():
                    counted[place] += 1
                    behind[place] += played.shares[scores < scores.max()].sum()
        return {"counted": counted, "behind": behind}

    def estimate(self, sums: Sums) -> Floats:
        return ratio(sums["behind"], sums["counted"])


class Phases(Measure):
    """How much of the result each section decides.

    The state in which a section begins is played on a second time, with other chance and other
    choices. What two results from one state have in common is what the state had decided: their
    covariance is the variance of the expected result, given the state. From one section to the next
    it grows by what the section decides, and at the end it is the variance of the result.
    """

    @property
    def labels(self) -> list[Label]:
        names = self.table.course.sections[: self._count]
        return [Label("share of the result that is decided", name, SHARE, 0.0) for name in names]

    @property
    def _count(self) -> int:
        return min(len(self.table.course.sections), MOST_SECTIONS)

    def gather(self, deal: Deal) -> Sums:
        sums = {
            "matches": np.array([0.0]),
            "shares": np.zeros(self.count),
            "squares": np.array([0.0]),
            "common": np.zeros(self._count),
            "reached": np.zeros(self._count),
        }
        for match in deal.matches:
            played = match.played
            sums["matches"] += 1.0
            sums["shares"] += played.shares
            sums["squares"] += played.shares @ played.shares
            sums["reached"] += played.reached[: self._count]
            for section in range(1, self._count):  # nothing is decided when a match begins
                sums["common"][section] += played.shares @ self._again(deal, match, section)
        return sums

    def _again(self, deal: Deal, match: tuple[tuple[int, ...], Played], section: int) -> Floats:
        """The result of playing on from the section; of this match, if it had ended before."""
        seats, played = match
        if not played.reached[section]:
            after = played.reached[section:]
            if not after.any():
                return played.shares
            section += int(after.argmax())
        chance = deal.seed("chance again", section, seats)
        return deal.play(seats, ("again", section), played.begins[section], chance=chance).shares

    def estimate(self, sums: Sums) -> Floats:
        expected = (sums["shares"] / sums["matches"]) ** 2
        decided = ratio(sums["common"], sums["matches"]) - expected.sum()
        total = ratio(sums["squares"], sums["matches"]) - expected.sum()
        decided = np.append(decided, total)
        decided[0] = 0.0
        shares: Floats = np.diff(decided) / total
        return np.where(sums["reached"] > 0, shares, np.nan)


class Roles(Measure):
    """How seats do by the role that they have in a section, in the matches as they are."""

    part = "by role"

    @property
    def labels(self) -> list[Label]:
        return [
            Label(f"{result} {self.part}", role, unit, equal, unit == SHARE)
            for result, unit, equal in self._results
            for role in self._roles
        ]

    @property
    def _results(self) -> tuple[tuple[str, str, float], ...]:
        return ("win share", SHARE, 1 / self.count), ("points in the round", POINTS, 0.0)

    @property
    def _roles(self) -> tuple[str, ...]:
        return self.table.course.roles

    def gather(self, deal: Deal) -> Sums:
        sums = self.nothing()
        for match in deal.matches:
            for section in sections(self.table, match.played):
                self.add(sums, match.played, section)
        return sums

    def nothing(self) -> Sums:
        return {name: np.zeros(len(self._roles)) for name in ("seats", "shares", "gains")}

    def add(self, sums: Sums, played: Played, section: int) -> None:
        roles = played.roles[section]
        if roles.min() < 0:
            return
        np.add.at(sums["seats"], roles, 1.0)
        np.add.at(sums["shares"], roles, played.shares)
        np.add.at(sums["gains"], roles, gain(self.table, played, section))

    def estimate(self, sums: Sums) -> Floats:
        return ratio(np.concatenate([sums["shares"], sums["gains"]]), np.tile(sums["seats"], 2))


class Starts(Roles):
    """The same with equal cards: each section that has roles is played on from the same state, with
    the first role given to every seat in turn. So the differences are due to the role alone."""

    part = "by role, with the same cards"

    def gather(self, deal: Deal) -> Sums:
        sums = self.nothing()
        for seats, played in deal.matches:
            for section in sections(self.table, played):
                if played.roles[section].min() >= 0:
                    for seat in range(self.count):
                        self._start(sums, deal, seats, played, section, seat)
        return sums

    def _start(
        self,
        sums: Sums,
        deal: Deal,
        seats: tuple[int, ...],
        played: Played,
        section: int,
        seat: int,
    ) -> None:
        state = deal.table.playing.handed_over(played.begins[section], seat)
        if state is not None:
            chance = deal.seed("chance from", section, seats)
            self.add(sums, deal.play(seats, ("from", section), state, chance=chance), section)


class Feats(Measure):
    """How often something that the game names happens to a seat, and how often that seat wins."""

    @property
    def labels(self) -> list[Label]:
        feats = self.table.course.feats
        often = [Label("times per seat and match", feat, COUNT) for feat in feats]
        share = 1 / self.count
        return [*often, *(Label("win share when it happened", m, SHARE, share) for m in feats)]

    def gather(self, deal: Deal) -> Sums:
        bits = 1 << np.arange(len(self.table.course.feats))
        happened, shares, seats = np.zeros(len(bits)), np.zeros(len(bits)), 0.0
        for match in deal.matches:
            played = match.played
            ends = np.append(played.reached, True)
            found = (played.achieved[ends][:, :, None] & bits) > 0
            times = found.sum(axis=0)
            seats += self.count
            happened += times.sum(axis=0)
            shares += played.shares @ times
        return {"seats": np.array([seats]), "happened": happened, "shares": shares}

    def estimate(self, sums: Sums) -> Floats:
        often = ratio(sums["happened"], sums["seats"])
        return np.concatenate([often, ratio(sums["shares"], sums["happened"])])
