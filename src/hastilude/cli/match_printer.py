"""Prints the events of a match, as sentences or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hastilude.cli.base import json_line, say, spoken

if TYPE_CHECKING:
    from hastilude.core.events import Event
    from hastilude.core.game import Game
    from hastilude.core.match import Match

# Lines to print after so many events.
Comments = Mapping[int, Sequence[str]]


class MatchPrinter:
    """Prints what happens in a match, as one seat (None: a spectator) may know it."""

    def __init__(
        self,
        game: Game,
        seat: int | None,
        names: Sequence[str] = (),
        as_json: bool = False,
        review: Comments | None = None,
    ) -> None:
        self.seat = seat
        self.names = game.names(spoken.get(), names)
        self.as_json = as_json
        self._reader = None if review is None else seat  # a review is for its seat
        self._comments = review or {}
        self._match: Match | None = None
        self._printed = 0

    def print_new(self, match: Match) -> None:
        """Print the events since the last call; all events, if it is another match."""
        if match is not self._match:
            self._match, self._printed = match, 0
        for event in match.events(self.seat, self._printed):
            self._printed += 1
            print(self.text(event, self._printed))

    def print_one_by_one(self, match: Match) -> None:
        """Print one event per press of Enter, until the input ends."""
        try:
            for number, event in enumerate(match.events(self.seat), start=1):
                print(self.text(event, number), end=" ", flush=True)  # input's prompt: stderr
                input()
        except EOFError:
            print()

    def text(self, event: Event, number: int) -> str:
        """An event, and the comments on what has happened with it."""
        if self.as_json:
            return json_line(event.to_json())
        comments = (f"  {line}" for line in self._comments.get(number, ()))
        return "\n".join((say(event.message, self.names, self._reader), *comments))
