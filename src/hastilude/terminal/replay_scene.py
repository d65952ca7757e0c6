"""A record, shown move by move."""

from __future__ import annotations

from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.registry import replay
from hastilude.terminal.match_scene import MatchScene


class ReplayScene(MatchScene):
    """See `Scene`. `move` is how many moves are shown; `go` shows another number of them."""

    def __init__(self, record: Record) -> None:
        self._record = record
        plays = [index for index, event in enumerate(record.events) if event[0] == "play"]
        self._stops = [*plays, len(record.events)]  # before each move, and at the end
        self.move = 0
        self.match = self._after(0)

    @property
    def moves(self) -> int:
        return len(self._stops) - 1

    def go(self, move: int) -> None:
        self.move = max(0, min(self.moves, move))
        self.match = self._after(self.move)

    def news(self, seat: int | None) -> int:
        """The number of events before the last move."""
        return len(self._after(self.move - 1).events(seat)) if self.move else 0

    def _after(self, move: int) -> Match:
        return replay(self._record, upto=self._stops[move])

    def names(self, language: str) -> tuple[str, ...]:
        return self.game.names(language, self._record.names or ())
