"""What a table on this machine and a replayed record share: both have a whole match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hastilude.core.errors import OptionError
from hastilude.core.events import Event
from hastilude.core.game import Game, Suit
from hastilude.core.match import Match


class MatchScene:
    """All of `Scene` except the names, read from `match`."""

    match: Match

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

    def marks(self, language: str) -> tuple[str, ...]:
        return ()

    def view(self, seat: int | None) -> Any:
        return self.match.view(seat)

    def tracker(self, seat: int | None) -> Sequence[Suit]:
        """Allowed at every table on this machine: there is no host to forbid it."""
        if not self.game.has_tracker:
            raise OptionError.of("tracker_none")
        return self.match.tracker(seat)

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        return self.match.events(seat, since)
