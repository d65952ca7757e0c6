"""A record, to look at move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hastilude.core.events import Event
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.registry import replay


class ReplayedScene:
    """See `Scene`. `go` to a step, counted in moves; the match is replayed up to there."""

    def __init__(self, record: Record) -> None:
        self._record = record
        plays = [index for index, event in enumerate(record.events) if event[0] == "play"]
        self._stops = [*plays, len(record.events)]  # before each move, and the end
        self.step = 0
        self.match = self._after(0)

    @property
    def steps(self) -> int:
        return len(self._stops) - 1

    def go(self, step: int) -> None:
        self.step = max(0, min(self.steps, step))
        self.match = self._after(self.step)

    def news(self, seat: int | None) -> int:
        """The number of events before the last move."""
        return len(self._after(self.step - 1).events(seat)) if self.step else 0

    def _after(self, step: int) -> Match:
        return replay(self._record, upto=self._stops[step])

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def pending(self) -> tuple[int, ...]:
        return self.match.pending

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def scores(self) -> tuple[int, ...]:
        return self.match.scores

    @property
    def winners(self) -> tuple[int, ...]:
        return self.match.winners

    def names(self, language: str) -> tuple[str, ...]:
        return self.game.names(language, self._record.names or ())

    def view(self, seat: int | None) -> Any:
        return self.match.view(seat)

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        return self.match.events(seat, since)
