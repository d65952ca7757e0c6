"""Prints the events of a match, as sentences or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hastilude.cli.base import json_line, say, spoken

if TYPE_CHECKING:
    from hastilude.core.events import Event
    from hastilude.core.game import Game
    from hastilude.core.match import Match


class MatchPrinter:
    """Prints what happens in a match, as one seat (None: a spectator) may know it."""

    def __init__(
        self, game: Game, seat: int | None, names: Sequence[str] = (), as_json: bool = False
    ) -> None:
        self.seat = seat
        self.names = game.names(spoken.get(), names)
        self.as_json = as_json
        self._match: Match | None = None
        self._printed = 0

    def print_new(self, match: Match) -> None:
        """Print the events since the last call; all events, if it is another match."""
        if match is not self._match:
            self._match, self._printed = match, 0
        for event in match.events(self.seat, self._printed):
            self._printed += 1
            print(self.line(event))

    def print_one_by_one(self, match: Match) -> None:
        """Print one event per press of Enter, until the input ends."""
        try:
            for event in match.events(self.seat):
                print(self.line(event), end=" ", flush=True)  # input's prompt goes to stderr
                input()
        except EOFError:
            print()

    def line(self, event: Event) -> str:
        if self.as_json:
            return json_line(event.to_json())
        return say(event.message, self.names)
