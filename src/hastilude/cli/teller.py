"""Print a match as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hastilude.cli.base import json_line, say, spoken

if TYPE_CHECKING:
    from hastilude.core.events import Event
    from hastilude.core.game import Game
    from hastilude.core.match import Match


class Teller:
    """Prints what happens in a match, as one seat (None: a spectator) may know it."""

    def __init__(
        self, game: Game, seat: int | None, names: Sequence[str] = (), as_json: bool = False
    ) -> None:
        self.seat = seat
        self.names = game.names(spoken.get(), names)
        self.as_json = as_json
        self._match: Match | None = None
        self._told = 0

    def tell(self, match: Match) -> None:
        """Print what is new; everything, if it is another match."""
        if match is not self._match:
            self._match, self._told = match, 0
        for event in match.events(self.seat, self._told):
            self._told += 1
            print(self.line(event))

    def step(self, match: Match) -> None:
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
