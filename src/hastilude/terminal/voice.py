"""Renders sentences in the terminal's language, with the names at the table, for its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hastilude.messages import Message, catalogue, render, visible


@dataclass(frozen=True)
class Voice:
    language: str = "en"
    names: tuple[str, ...] = ()
    reader: int | None = None  # the seat that is addressed as "you"
    marks: tuple[str, ...] = ()  # why players are absent, by seat; empty if they are not

    def __post_init__(self) -> None:
        """Make the names safe to draw: they may come from a record or a server."""
        object.__setattr__(self, "names", tuple(map(visible, self.names)))

    def say(self, message: Message) -> str:
        return render(message, self.language, self.names, self.reader)

    def __call__(self, key: str, **values: Any) -> str:
        """The sentence with that key."""
        return self.say(Message(key, values))

    def name(self, seat: int) -> str:
        return self.names[seat]

    def mark(self, seat: int) -> str:
        """A word beside the name of a player who is absent."""
        return f" ({self.marks[seat]})" if seat < len(self.marks) and self.marks[seat] else ""

    def knows(self, key: str) -> bool:
        return key in catalogue(self.language)

    def ask(self, game: str, phase: str, seat: int) -> str:
        """The prompt for a seat in a phase of a game."""
        key = f"{game}_ask_{phase}"
        return self(key if self.knows(key) else "terminal_ask", seat=seat)
