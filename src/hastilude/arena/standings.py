"""The standings of a contest: win shares, scores and ratings with their uncertainty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from hastilude.arena.contest import Contest
from hastilude.arena.deals import DealResult, MatchResult
from hastilude.arena.ratings import ratings
from hastilude.arena.statistics import Interval, interval, share_interval
from hastilude.arena.times import Times, total

SLOW = 99  # the percentile of times that is reported


@dataclass(frozen=True)
class Standing:
    """How one bot did, at one table or at all tables. `difference` is its score minus the mean of
    the others' scores; None if no match was finished or no other bot was there."""

    letter: str
    bot: str
    seats: int  # how many seats it played
    forfeits: int
    win_share: Interval
    score: Interval | None
    difference: Interval | None
    difference_a_round: Interval | None

    def to_json(self) -> dict[str, Any]:
        return {name: _plain(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class Standings:
    """All results of a contest; bots are in the order in which they were named."""

    contest: Contest
    results: tuple[DealResult, ...]
    bots: tuple[Standing, ...]
    tables: dict[str, tuple[Standing, ...]]
    ratings: tuple[Interval, ...]
    times: tuple[Times, ...]

    @property
    def matches(self) -> int:
        return sum(len(result.matches) for result in self.results)

    @property
    def rounds(self) -> float:
        """The mean number of rounds in a finished match; 0 in a game that does not deal."""
        counted = [match.rounds for match in _matches(self.results) if not match.forfeit]
        return fmean(counted) if counted else 0.0

    @property
    def forfeits(self) -> Iterator[tuple[int, MatchResult]]:
        """The forfeited matches, each with the number of its deal."""
        for result in self.results:
            for match in result.matches:
                if match.forfeit:
                    yield result.deal, match

    def to_json(self) -> dict[str, Any]:
        bots = [
            standing.to_json() | {"rating": rating._asdict(), "time": times_json(times)}
            for standing, rating, times in zip(self.bots, self.ratings, self.times, strict=True)
        ]
        tables = {
            table: [standing.to_json() for standing in standings]
            for table, standings in self.tables.items()
        }
        forfeits = [{"deal": deal} | match.to_json() for deal, match in self.forfeits]
        facts = {"deals": len(self.results), "matches": self.matches, "rounds": self.rounds}
        lists = {"bots": bots, "tables": tables, "forfeits": forfeits}
        return self.contest.settings() | facts | lists


def standings(contest: Contest, results: Iterable[DealResult]) -> Standings:
    """The standings after these deals; the order in which they finished does not matter."""
    results = tuple(sorted(results, key=lambda result: result.deal))
    rated = ratings(contest.letters, _matches(results))
    return Standings(
        contest,
        results,
        tuple(_standing(contest, letter, results) for letter in contest.letters),
        {
            table: tuple(_standing(contest, letter, results, table) for letter in sorted({*table}))
            for table in contest.tables
        },
        tuple(rated.values()),
        tuple(total(result.times[bot] for result in results) for bot in range(len(rated))),
    )


def times_json(times: Times) -> dict[str, Any]:
    slow = times.percentile(SLOW)
    facts = {"moves": times.moves, "mean_ms": times.mean, f"percentile_{SLOW}_ms": slow}
    return facts | {"budget_ms": times.budget, "over_budget": times.over_budget}


class SeatResult(NamedTuple):
    """The result of one seat in one match."""

    share: float
    score: float | None = None
    difference: float | None = None
    difference_a_round: float | None = None
    forfeited: bool = False


def seat_results(match: MatchResult, letter: str) -> Iterator[SeatResult]:
    others = [score for score, bot in zip(match.scores, match.seats, strict=False) if bot != letter]
    for seat, bot in enumerate(match.seats):
        if bot == letter:
            yield _seat_result(match, seat, others)


def _seat_result(match: MatchResult, seat: int, others: Sequence[int]) -> SeatResult:
    share = 1 / len(match.winners) if seat in match.winners else 0.0
    if match.forfeit:
        return SeatResult(share, forfeited=match.forfeit.seat == seat)
    score = match.scores[seat]
    if not others:
        return SeatResult(share, score)
    difference = score - fmean(others)
    return SeatResult(share, score, difference, difference / match.rounds if match.rounds else None)


def _standing(
    contest: Contest, letter: str, results: Sequence[DealResult], table: str | None = None
) -> Standing:
    deals = [
        [
            result
            for match in deal.matches
            if table in (None, match.table)
            for result in seat_results(match, letter)
        ]
        for deal in results
    ]
    sat = [result for deal in deals for result in deal]
    shares = _observations(deals, lambda result: result.share)
    return Standing(
        letter,
        contest.name(letter),
        len(sat),
        sum(result.forfeited for result in sat),
        share_interval(shares),
        _interval(_observations(deals, lambda result: result.score)),
        _interval(_observations(deals, lambda result: result.difference)),
        _interval(_observations(deals, lambda result: result.difference_a_round)),
    )


def _observations(
    deals: Sequence[Sequence[SeatResult]], figure: Callable[[SeatResult], float | None]
) -> list[float]:
    """One number per deal: the mean of a figure over the matches and seats that have it."""
    means = []
    for deal in deals:
        values = [value for value in map(figure, deal) if value is not None]
        if values:
            means.append(fmean(values))
    return means


def _interval(observations: Sequence[float]) -> Interval | None:
    return interval(observations) if observations else None


def _matches(results: Iterable[DealResult]) -> Iterator[MatchResult]:
    for result in results:
        yield from result.matches


def _plain(value: Any) -> Any:
    return value._asdict() if isinstance(value, Interval) else value
