"""The review of a finished match for one seat.

It depends only on what the seat could know at each moment, and on the result of the match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.forecast import forecast
from hastilude.core.errors import RecordError
from hastilude.core.match import Match
from hastilude.core.random import mixed
from hastilude.core.record import Record
from hastilude.games.registry import replay
from hastilude.reviews.balance import Balance, balance
from hastilude.reviews.estimate import BLOCK, Estimate, exactly
from hastilude.reviews.judging import Decision, judge_decision
from hastilude.reviews.timeline import Made, Moment, states_of, timeline

FORECAST = 384  # deals per moment
FORECASTING, CHOOSING, MEASURING, OPEN = range(4)  # what a seed is for


@dataclass(frozen=True)
class Point:
    """Every seat's chance to win after the first `step` steps of the match."""

    step: int
    chances: tuple[Estimate, ...]


@dataclass(frozen=True)
class Review:
    """A match as one seat could know it. The last point of the `graph` is the result."""

    game: str
    seat: int
    seed: int
    decisions: tuple[Decision, ...]
    graph: tuple[Point, ...]
    balance: Balance

    def to_json(self) -> str:
        """One line, the same bytes for the same review."""
        return json.dumps(asdict(self), ensure_ascii=False)


class Reviewer:
    """Makes a review piece by piece: call `advance` until it is `finished`."""

    def __init__(self, match: Match, seat: int, seed: int = 0) -> None:
        check_finished(match)
        match.legal(seat)  # refuses a seat that is not there
        found = timeline(match, seat)
        self.seat = seat
        self.decisions: list[Decision] = []
        self.graph: list[Point] = []
        self._match = match
        self._seed = seed
        self._work: list[Moment | Made] = [*found.moments, *found.decisions]
        self._work.sort(key=lambda piece: (piece.step, not isinstance(piece, Moment)))
        self.total = len(self._work)

    @property
    def done(self) -> int:
        return len(self.decisions) + len(self.graph)

    @property
    def finished(self) -> bool:
        return self.done == self.total

    def advance(self) -> None:
        """Do the next piece of the work."""
        game, piece = self._match.game, self._work[self.done]
        if isinstance(piece, Moment):
            seed = self._seed_for(piece.step, FORECASTING)
            shares = forecast(game, piece.redacted, seed, FORECAST, BLOCK)
            self.graph.append(point(piece.step, shares))
            return
        seeds = self._seed_for(piece.step, CHOOSING), self._seed_for(piece.step, MEASURING)
        self.decisions.append(judge_decision(game, self.seat, piece, seeds))

    def review(self) -> Review:
        """The whole review; advances to its end if necessary."""
        while not self.finished:
            self.advance()
        forecasts = [(point.step, point.chances[self.seat]) for point in self.graph]
        end = result_of(self._match)
        outcome = end.chances[self.seat].value
        return Review(
            game=self._match.game.name,
            seat=self.seat,
            seed=self._seed,
            decisions=tuple(self.decisions),
            graph=(*self.graph, end),
            balance=balance(self._match.steps, forecasts, self.decisions, outcome),
        )

    def _seed_for(self, step: int, purpose: int) -> int:
        return seed_for(self._seed, step, purpose)


def review(record: Record | str | Path, seat: int, seed: int = 0) -> Review:
    """Review the finished match of a record, or of a file with one, for one seat.

    The same record and seed give the same review. RecordError says why there is none.
    """
    return Reviewer(replay(record), seat, seed).review()


def open_graph(match: Match, steps: Sequence[int], seed: int = 0) -> tuple[Point, ...]:
    """The chances after these numbers of steps with all cards open, and the result."""
    check_finished(match)
    wanted = set(steps)
    points = [
        point(step, forecast(match.game, states[:1], seed_for(seed, step, OPEN), FORECAST))
        for step, states in states_of(match)
        if step in wanted
    ]
    return (*points, result_of(match))


def check_finished(match: Match) -> None:
    if not match.over:
        raise RecordError.of("review_unfinished")


def seed_for(seed: int, step: int, purpose: int) -> int:
    return int(mixed(np.uint64(seed) ^ mixed(np.uint64(4 * step + purpose + 1))))


def point(step: int, shares: npt.NDArray[Any]) -> Point:
    return Point(step, tuple(map(Estimate.of, shares.T)))


def result_of(match: Match) -> Point:
    won = 1 / len(match.winners)
    seats = range(match.game.seats)
    shares = (exactly(won if seat in match.winners else 0.0) for seat in seats)
    return Point(len(match.steps), tuple(shares))
