"""A table without a server, for tests that need neither sockets nor a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hastilude.core.shuffles import commitment
from hastilude.protocol import Clock
from hastilude.server import log
from hastilude.server.table import Table

SECOND = 1000
START = 1_000_000  # milliseconds; an arbitrary start of the table's time
HOST = "the host's key"


def master(number: int) -> bytes:
    return bytes([number]) * 32


class Folded:
    """A table and its time. `does` decides and applies, as the server would."""

    def __init__(
        self, game: str = "kings_tournament", people: int | None = None, **opened: Any
    ) -> None:
        self.now = START
        self.log: list[tuple[log.AnyEntry, int]] = []
        self.table = Table("abcd", master)
        self._ids = 0
        fields: dict[str, Any] = {
            "options": {}, "clock": Clock(), "away": 60, "watch": "link", "practice": False,
            "seats": [None, None], "host": HOST, "commitment": commitment(master(1)),
        }  # fmt: skip
        self.keep(log.Opened(game=game, **(fields | opened)))
        empty = [seat for seat in self.table.seats if seat.kind == "empty"]
        for number in range(len(empty) if people is None else people):
            self.sits(f"Player {number}")
        if self.table.ready:
            self.begins()

    def keep(self, entry: log.AnyEntry) -> log.AnyEntry:
        self.log.append((entry, self.now))
        self.table.apply(entry, self.now)
        return entry

    def does(self, what: str, *values: Any) -> Any:
        return self.keep(getattr(self.table, what)(*values))

    def sits(self, name: str, host: str = HOST) -> None:
        number = self.table.version
        self.does("sit", None, name, f"key {number}", f"{number:032x}", host)

    def begins(self) -> None:
        assert self.table.ready
        self.does("begin", "squire", commitment(master(self.table.number + 2)))

    def choice(self, seat: int, pick: Callable[[list[int]], int] = min) -> list[str]:
        """A whole choice of a seat."""
        assert self.table.match is not None
        rehearsal = self.table.match.rehearse(seat)
        actions = []
        while not rehearsal.whole:
            action = pick(rehearsal.legal())
            rehearsal.play(action)
            actions.append(self.table.game.text(action))
        return actions

    def plays(self, seat: int, *actions: str) -> None:
        self._ids += 1
        wanted = actions or self.choice(seat)
        self.does("play", seat, self.table.version, wanted, f"id{self._ids}")

    def bot_plays(self, seat: int) -> None:
        self.does("play_for", seat, self.choice(seat))

    def plays_out(self) -> None:
        while self.table.phase == "playing":
            self.plays(self.table.pending()[0])

    def plays_out_with_bots(self) -> None:
        while self.table.phase == "playing":
            seat = self.table.pending()[0]
            (self.plays if self.table.seats[seat].thinks_itself else self.bot_plays)(seat)

    def passes(self, seconds: float) -> None:
        self.now += int(SECOND * seconds)

    def left(self, seat: int) -> float | None:
        left = self.table.left(seat, self.now)
        return None if left is None else left / SECOND
