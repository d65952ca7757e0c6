"""Plays one deal with the bots rotated through the seats: one observation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from hastilude.arena.ceiling import CeilingBot
from hastilude.arena.contest import Contest, Maker, seed_of
from hastilude.arena.tables import rotations
from hastilude.arena.times import Times
from hastilude.bots import Bot
from hastilude.bots.budget import now, processor_time
from hastilude.core.errors import IllegalAction
from hastilude.core.game import Game
from hastilude.core.match import Dealt, Match
from hastilude.core.random import generator, shuffle
from hastilude.core.rules import Cards

FAILURES = (Exception, SystemExit)  # count against the bot; an interrupt does not
LONGEST_ERROR = 300
WARM_UP = 1.0  # seconds of answers, after the first


class SameChance:
    """The k-th chance event of its kind depends only on the seed and on k.

    So the cards that come later in a rotation do not depend on what was played before, and one
    player's reshuffling does not change the other's cards.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._happened: Counter[int] = Counter()

    def order(self, due: int, cards: Cards) -> None:
        seed = seed_of(self._seed, due, self._happened[due])
        self._happened[due] += 1
        shuffle(generator(seed), cards, len(cards))


@dataclass(frozen=True)
class Forfeit:
    """A crash or an illegal choice of a bot, and the match up to it."""

    seat: int
    error: str
    record: dict[str, Any]


@dataclass(frozen=True)
class MatchResult:
    """`seats` has the letter of the bot in each seat. A forfeited match has no scores; everyone
    except the bot that failed wins it."""

    table: str
    seats: str
    rounds: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    forfeit: Forfeit | None = None

    def to_json(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if value is not None}
        return kept | ({"forfeit": vars(self.forfeit)} if self.forfeit else {})

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> MatchResult:
        lost = content.get("forfeit")
        tuples = {name: tuple(content[name]) for name in ("scores", "winners")}
        return cls(**content | tuples | {"forfeit": Forfeit(**lost) if lost else None})


@dataclass(frozen=True)
class DealResult:
    deal: int
    matches: tuple[MatchResult, ...]
    times: tuple[Times, ...]  # one per bot

    def to_json(self) -> dict[str, Any]:
        return {
            "deal": self.deal,
            "matches": [match.to_json() for match in self.matches],
            "times": [times.to_json() for times in self.times],
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> DealResult:
        matches = tuple(map(MatchResult.from_json, content["matches"]))
        return cls(content["deal"], matches, tuple(map(Times.from_json, content["times"])))


@dataclass(frozen=True)
class Deals:
    """The deals of a contest, as a job for workers."""

    contest: Contest

    def prepare(self) -> None:
        """Compile or load everything before times are measured."""
        for make in self.contest.makers:
            with suppress(*FAILURES):  # it will forfeit its matches later
                _rehearse(make, self.contest.game)

    def do(self, task: int) -> DealResult:
        return play_deal(self.contest, task)


def play_deal(contest: Contest, deal: int) -> DealResult:
    """Play the deal at every table of the contest, in every rotation."""
    times = {letter: Times() for letter in contest.letters}
    with processor_time() if contest.processor_time else nullcontext():
        matches = tuple(
            play_match(contest, deal, table, seats, times)
            for table in contest.tables
            for seats in rotations(table)
        )
    return DealResult(deal, matches, tuple(times.values()))


def play_match(
    contest: Contest, deal: int, table: str, seats: str, times: dict[str, Times]
) -> MatchResult:
    match = contest.game.new(chance=SameChance(seed_of(contest.seed, "chance", deal)))
    forfeit = None
    players = [
        _Player(
            contest.maker(letter),
            contest.game,
            seed_of(contest.seed, "bot", deal, table, seats, seat),
            times[letter],
        )
        for seat, letter in enumerate(seats)
    ]
    while forfeit is None and (seat := match.turn) is not None:
        forfeit = _move(match, seat, players[seat], [contest.name(letter) for letter in seats])
    winners = match.winners
    if forfeit:
        winners = tuple(seat for seat in range(len(seats)) if seat != forfeit.seat)
    scores = () if forfeit else match.scores
    return MatchResult(table, seats, rounds(match), scores, winners, forfeit)


def rounds(match: Match) -> int:
    """How often all cards were dealt; 0 in a game that does not deal."""
    dealt = (step.due for step in match.steps if isinstance(step, Dealt))
    return sum(match.game.chance_kind(due) == "deal" for due in dealt)


class _Player:
    """A bot in a seat. It is made when first asked, so that a crash of its maker counts too."""

    def __init__(self, make: Maker, game: Game, seed: int, times: Times) -> None:
        self._make, self._game, self._seed, self._times = make, game, seed, times
        self._bot: Bot | None = None

    def choose(self, match: Match, seat: int) -> int:
        """The bot's choice. Its time is measured if there is something to choose."""
        if self._bot is None:
            self._bot = self._make(self._game, self._seed)
        known = known_to(self._bot, match, seat)
        begun = now()
        choice = self._bot.choose(known, seat)
        taken = now() - begun
        if len(match.legal(seat)) > 1:
            self._times.add(1000 * taken, getattr(self._bot, "milliseconds", None))
        return choice


def known_to(bot: Bot, match: Match, seat: int) -> Any:
    """What a bot gets: only what its seat may know, unless it is the ceiling."""
    if isinstance(bot, CeilingBot):
        return np.frombuffer(match.state, match.game.state)
    return match.redacted(seat)


def _move(match: Match, seat: int, player: _Player, names: list[str]) -> Forfeit | None:
    try:
        choice = player.choose(match, seat)
    except FAILURES as error:
        return _forfeit(match, seat, names, error)
    try:
        match.play(seat, choice)
    except IllegalAction as error:
        return _forfeit(match, seat, names, error)
    return None


def _forfeit(match: Match, seat: int, names: list[str], error: BaseException) -> Forfeit:
    record = match.record(names)
    record.end = {"forfeit": seat}
    said = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return Forfeit(seat, said[:LONGEST_ERROR], json.loads(record.to_json()))


def _rehearse(make: Maker, game: Game) -> None:
    """Let the bot play part of a match: different moves may need different code."""
    bot = make(game, 0)
    spent = 0.0
    for position, (match, seat) in enumerate(_positions(game)):
        begun = perf_counter()
        bot.choose(known_to(bot, match, seat), seat)
        spent += perf_counter() - begun if position else 0.0
        if spent > WARM_UP:
            return


def _positions(game: Game) -> Iterator[tuple[Match, int]]:
    match = game.new(chance=SameChance(0))
    while (seat := match.turn) is not None:
        yield match, seat
        legal = match.legal(seat)
        match.play(seat, legal[len(match.steps) % len(legal)])
