"""Bots: programs that play seats.

A bot gets only what its seat may know, never the true state. The same seed gives the same choices,
unless the bot has a time limit.

Their names are `random`; `reference`, a policy that never changes; `heuristic`, the best fast
policy; `search:50ms` or `search:400`, a search with a budget in milliseconds or simulations, which
may have more settings (`search:400:score:random`); `baseline:50ms` or `baseline:400`, plain search,
which never changes; and the levels for people, see `levels`.
"""

from typing import Any, Protocol

from hastilude.core.errors import OptionError, nearest
from hastilude.core.game import Game

KINDS = ("random", "reference", "heuristic", "baseline", "search")
WITH_DETAILS = ("baseline", "search")


class Bot(Protocol):
    def choose(self, redacted: Any, seat: int) -> int:
        """A legal action for a pending seat; `redacted` is the result of `Match.redacted(seat)`."""


def bots() -> tuple[str, ...]:
    """The names that `make` knows."""
    from hastilude.bots.levels import LEVELS  # it imports the search

    return (*KINDS, *LEVELS)


def make(name: str, game: Game, seed: int) -> Bot:
    """A bot for one match of a game; OptionError lists the bots if the name is unknown."""
    kind, *details = name.split(":")
    if kind not in bots() or (details and kind not in WITH_DETAILS):
        near = nearest(kind, list(bots()))
        key = "bot_unknown_near" if near else "bot_unknown"
        raise OptionError.of(key, bot=name, known=bots(), near=near)
    return _maker(kind, details)(game, seed)


def _maker(kind: str, details: list[str]) -> Any:
    # ruff: noqa: PLC0415  # each bot is imported when it is first needed
    if kind == "random":
        from hastilude.bots.random import RandomBot

        return RandomBot
    if kind == "reference":
        from hastilude.bots.policy import PolicyBot

        return PolicyBot
    if kind == "heuristic":
        from hastilude.bots.policy import InstinctBot

        return InstinctBot
    if kind == "baseline":
        from hastilude.bots.baseline import BaselineBot, read_budgets

        budget = read_budgets(details)
        return lambda game, seed: BaselineBot(game, seed, **budget)
    if kind == "search":
        from hastilude.bots.search import SearchBot, read_settings

        settings = read_settings(details)
        return lambda game, seed: SearchBot(game, seed, settings)
    from hastilude.bots.levels import level_bot

    return lambda game, seed: level_bot(kind, game, seed)
