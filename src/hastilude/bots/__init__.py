"""Players that are programs.

A bot is asked with what its seat may know, never with the true state, and the same seed gives the
same choices.
"""

from importlib import import_module
from typing import Any, Protocol

from hastilude.core.errors import OptionError, nearest
from hastilude.core.game import Game

BOTS = {
    "random": "RandomBot",
}


class Bot(Protocol):
    def choose(self, redacted: Any, seat: int) -> int:
        """A legal action for a pending seat; `redacted` is what `Match.redacted(seat)` gives."""


def bots() -> tuple[str, ...]:
    """The names that `make` knows."""
    return tuple(BOTS)


def make(name: str, game: Game, seed: int) -> Bot:
    """A bot for one match of a game; OptionError says which bots there are."""
    if name not in BOTS:
        near = nearest(name, list(BOTS))
        key = "bot_unknown_near" if near else "bot_unknown"
        raise OptionError.of(key, bot=name, known=bots(), near=near)
    bot: Bot = getattr(import_module(f"hastilude.bots.{name}"), BOTS[name])(game, seed)
    return bot
