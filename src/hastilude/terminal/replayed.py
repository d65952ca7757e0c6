"""A record, to look at move by move."""

from __future__ import annotations

from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.registry import replay
from hastilude.terminal.matched import MatchedScene


class ReplayedScene(MatchedScene):
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

    def names(self, language: str) -> tuple[str, ...]:
        return self.game.names(language, self._record.names or ())
