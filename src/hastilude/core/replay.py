"""Replays a record: rebuilds its match and checks every step."""

from __future__ import annotations

from typing import Any

from hastilude.core.chance import Chance, arrange
from hastilude.core.errors import ChanceError, IllegalAction, RecordError
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.core.rules import Cards
from hastilude.messages import Message


def replay(
    game: Game, record: Record, upto: int | None = None, then: Chance | None = None
) -> Match:
    """The match of a record after its first `upto` events (None: all).

    RecordError names the first event that breaks the rules. An unfinished match can be continued if
    `then` supplies its further chance events.
    """
    if record.rules != game.rules_version:
        raise RecordError.of(
            "record_rules", game=game.name, version=game.rules_version, found=record.rules
        )
    reader = _Reader(game, record.events[:upto], then)
    match = reader.start()
    while reader.index < len(reader.events):
        reader.play(match)
    if upto is None or upto >= len(record.events):
        _check_result(match, record)
    return match


class _Reader:
    """Reads a record's events in order, and is the chance driver of the match that they rebuild."""

    def __init__(self, game: Game, events: list[list[Any]], then: Chance | None) -> None:
        self.game = game
        self.events = events
        self.then = then
        self.index = 0

    def start(self) -> Match:
        try:
            return Match(self.game, self)
        except ChanceError as error:
            raise _broken(self.index, error.message) from None

    def play(self, match: Match) -> None:
        event = self.events[self.index]
        if event[0] != "play":
            raise RecordError.of("record_unwanted_chance", index=self.index, found=event[0])
        here = self.index
        self.index += 1  # the chance events that follow the play come next in the record
        try:
            match.play(event[1], event[2])
        except IllegalAction as error:
            raise _broken(here, error.message) from None
        except ChanceError as error:
            raise _broken(self.index, error.message) from None

    def order(self, due: int, cards: Cards) -> None:
        if self.index < len(self.events):
            arrange(self.game, due, cards, self.events[self.index])
            self.index += 1
        elif self.then is not None:
            self.then.order(due, cards)
        else:
            raise ChanceError.of("chance_exhausted", wanted=self.game.chance_kind(due))


def _broken(index: int, problem: Message) -> RecordError:
    return RecordError.of("record_broken", index=index, problem=problem)


def _check_result(match: Match, record: Record) -> None:
    if not match.over:
        if record.scores is not None:
            raise RecordError.of("record_ends_early", index=len(record.events))
    elif record.scores != list(match.scores) or record.winners != list(match.winners):
        raise RecordError.of(
            "record_result", scores=match.scores, winners=match.winners, index=len(record.events)
        )
