"""Hints for people: the best choices, what cannot be told apart, and one sentence of reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hastilude.bots.analyse import Analysis, Candidate
from hastilude.bots.knowledge import Choice, load_advice
from hastilude.core.game import Game
from hastilude.messages import Message

SECONDS = 2.0  # that a person waits for a hint at most
MANY = 3  # groups that are worth telling


@dataclass(frozen=True)
class HintGroup:
    """Choices that are about equally good. `win` is the chance to win with the first of them,
    `behind` is how much less that is than with the best. If good play is mixed, `shares` says how
    often it makes each, and `win` is the mean."""

    choices: tuple[tuple[str, ...], ...]
    win: float
    behind: float
    shares: tuple[float, ...] | None


@dataclass(frozen=True)
class Hints:
    """The best group first, and why it is the best."""

    groups: tuple[HintGroup, ...]
    reason: Message | None


class Adviser:
    """Thinks about a hint, a while at a time. `redacted` is from `Match.redacted(seat)`."""

    def __init__(self, game: Game, redacted: Any, seat: int, seed: int = 0) -> None:
        self._game = game
        self._advice = load_advice(game)
        self._redacted = redacted
        self._seat = seat
        self._shares: Mapping[Choice, float] = {}
        if self._advice.hinted:
            self._shares = self._advice.hinted(redacted, seat) or {}
        self.analysis = Analysis(game, redacted, seat, seed, list(self._shares))

    def hints(self) -> Hints:
        candidates = self.analysis.candidates()
        if self._shares:
            candidates.sort(key=lambda one: -self._shares[one.actions])
        groups = [self._mixed(candidates)] if self._shares else in_groups(candidates)
        reason = self._advice.reason
        told = reason(self._game, self._redacted, self._seat, candidates) if reason else None
        return Hints(tuple(groups[:MANY]), told)

    def _mixed(self, candidates: list[Candidate]) -> HintGroup:
        shares = tuple(self._shares[one.actions] for one in candidates)
        win = sum(one.win * share for one, share in zip(candidates, shares, strict=True))
        return HintGroup(tuple(one.texts for one in candidates), win / sum(shares), 0.0, shares)


def in_groups(candidates: list[Candidate]) -> list[HintGroup]:
    groups = []
    for number in range(candidates[-1].group + 1):
        members = [one for one in candidates if one.group == number]
        leader = members[0]
        groups.append(
            HintGroup(tuple(one.texts for one in members), leader.win, leader.behind, None)
        )
    return groups


def think_of_hints(game: Game, redacted: Any, seat: int, seconds: float = SECONDS) -> Hints:
    adviser = Adviser(game, redacted, seat)
    adviser.analysis.think(seconds)
    return adviser.hints()
