"""Ratings: one number per bot for all its matches, against any opponents."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating

from hastilude.arena.deals import MatchResult
from hastilude.arena.statistics import NORMAL, Interval


def ratings(letters: str, matches: Iterable[MatchResult]) -> dict[str, Interval]:
    """Each bot's rating and its uncertainty, from the matches in their order.

    A bot that sits in several seats is rated as several bots; its new rating is their mean.
    """
    model = PlackettLuce(tau=0.0)  # bots do not become stronger
    rated = {letter: model.rating() for letter in letters}
    for match in matches:
        if len(set(match.seats)) == 1:  # a bot against itself says nothing
            continue
        seated = [[model.rating(rated[bot].mu, rated[bot].sigma)] for bot in match.seats]
        after = [bot for (bot,) in model.rate(seated, ranks=places(match))]
        for letter in set(match.seats):
            mine = [bot for bot, seat in zip(after, match.seats, strict=True) if seat == letter]
            rated[letter] = _mean(model, mine)
    return {
        letter: Interval(bot.mu, bot.mu - NORMAL * bot.sigma, bot.mu + NORMAL * bot.sigma)
        for letter, bot in rated.items()
    }


def places(match: MatchResult) -> list[float]:
    """The place of each seat: winners first, then by score; a seat that forfeits is last."""
    seats = range(len(match.seats))
    behind = [0 if seat in match.winners else 1 for seat in seats]
    points = [-match.scores[seat] if match.scores and behind[seat] else 0 for seat in seats]
    order = sorted(set(zip(behind, points, strict=True)))
    return [float(order.index(place)) for place in zip(behind, points, strict=True)]


def _mean(model: PlackettLuce, bots: Sequence[PlackettLuceRating]) -> PlackettLuceRating:
    return model.rating(fmean(bot.mu for bot in bots), fmean(bot.sigma for bot in bots))
