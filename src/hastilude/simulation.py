"""Plays matches between bots and adds up their results."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hastilude import bots
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.random import draw, generator


def seat_bots(game: Game, names: Sequence[str]) -> tuple[str, ...]:
    """The bot of each seat; if there are fewer bots than seats, the last is repeated."""
    if len(names) > game.seats:
        raise OptionError.of("bots_too_many", count=len(names), game=game.title, players=game.seats)
    for name in names:
        bots.make(name, game, 0)
    return (*names, *[names[-1]] * (game.seats - len(names)))


def play_matches(
    game: Game,
    names: Sequence[str],
    seed: int,
    count: int,
    watch: Callable[[Match], None] = lambda match: None,
) -> Iterator[Match]:
    """Play `count` matches between named bots, by seat; the same seed gives the same matches.

    `watch` is called after the deal and after every play.
    """
    seeds = generator(seed)
    for _ in range(count):
        match = game.new(seed=int(draw(seeds)))
        seated = [bots.make(name, game, int(draw(seeds))) for name in names]
        watch(match)
        while (seat := match.turn) is not None:
            match.play(seat, seated[seat].choose(match.redacted(seat), seat))
            watch(match)
        yield match


class Tally:
    """The results of several matches by seat; a shared victory is divided."""

    def __init__(self, seats: int) -> None:
        self.matches = 0
        self.points = [0] * seats
        self.victories = [0.0] * seats

    def add(self, match: Match) -> None:
        self.matches += 1
        for seat, points in enumerate(match.scores):
            self.points[seat] += points
        for seat in match.winners:
            self.victories[seat] += 1 / len(match.winners)

    def mean_score(self, seat: int) -> float:
        return self.points[seat] / self.matches

    def win_share(self, seat: int) -> float:
        return self.victories[seat] / self.matches

    def to_json(self, names: Sequence[str]) -> list[dict[str, Any]]:
        return [
            {
                "seat": seat,
                "bot": name,
                "mean_score": self.mean_score(seat),
                "win_share": self.win_share(seat),
            }
            for seat, name in enumerate(names)
        ]
