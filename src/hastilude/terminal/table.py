"""The interface between a table and the terminal's screens and plain dialogue.

It is the same whether the match is played on this machine or on a server. What is known
immediately is a property or a plain method; what may take a while is awaited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from hastilude.bots.hints import Hints
from hastilude.core.events import Event
from hastilude.core.game import Game, Suit
from hastilude.messages import Message
from hastilude.terminal.voice import Voice


class Scene(Protocol):
    """A match to watch."""

    @property
    def game(self) -> Game: ...

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may act now."""

    @property
    def over(self) -> bool: ...

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    def names(self, language: str) -> tuple[str, ...]:
        """The names of the seats, then of players without a seat."""

    def marks(self, language: str) -> tuple[str, ...]:
        """Why players are absent, by seat, in a word or two; empty where they are not."""

    def view(self, seat: int | None) -> Any:
        """What the seat (None: a spectator) may know: the game's own `View`."""

    def events(self, seat: int | None, since: int = 0) -> Sequence[Event]:
        """What happened, as the seat may know it, starting with event number `since`."""

    def tracker(self, seat: int | None) -> Sequence[Suit]:
        """The cards that the seat has seen in this round, and the others. A HastiludeError says why
        there is none."""


class Table(Scene, Protocol):
    """A match to take part in. A refusal is an IllegalAction."""

    @property
    def own(self) -> tuple[int, ...]:
        """The seats of the people at this terminal."""

    @property
    def version(self) -> int:
        """Goes up with everything that happens."""

    @property
    def trouble(self) -> Message | None:
        """A problem to show: the match cannot be saved, or the connection is lost."""

    def legal(self, seat: int) -> tuple[str, ...]:
        """The legal actions of one of the own seats, as texts; none if it is not pending."""

    def thinking(self, seat: int) -> bool:
        """Whether a bot is about to act in that seat."""

    def clock(self, seat: int) -> float | None:
        """The seconds that the seat has left; None without a clock."""

    async def play(self, seat: int, action: str) -> None: ...

    async def why(self, seat: int, action: str) -> Message | None:
        """Why the seat may not play the action now; None if it may."""

    async def hint(self, seat: int) -> Hints:
        """The best choices of the seat; this may take two seconds."""

    async def changed(self, since: int) -> int:
        """Wait until the version is above `since`; returns it."""

    async def rematch(self) -> Table:
        """The same people and bots at a new match."""

    async def leave(self) -> None:
        """Leave the table; an unfinished match is saved."""


def seat_to_ask(table: Table, now: int | None) -> int | None:
    """The own seat that must act; preferably the one that is at the keyboard `now`."""
    waiting = [seat for seat in table.own if seat in table.pending]
    if now in waiting:
        return now
    return waiting[0] if waiting else None


def reader_at(table: Table) -> int | None:
    """The seat that is addressed as "you": that of the only person here. Several people at one
    keyboard are called by their names."""
    return table.own[0] if len(table.own) == 1 else None


def clock_texts(table: Table, voice: Voice) -> list[str]:
    """The clocks of the pending seats, as sentences; none at a table without clocks."""
    clocks = [(seat, table.clock(seat)) for seat in table.pending]
    return [
        voice("terminal_clock", seat=seat, time=f"{int(left) // 60}:{int(left) % 60:02}")
        for seat, left in clocks
        if left is not None
    ]
