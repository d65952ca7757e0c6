"""Tornei, King's Tournament and TriATri: three card games on one compiled engine.

>>> import hastilude
>>> match = hastilude.load("tornei", players=4).new(seed=7)
>>> match.pending
(1,)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hastilude.core.errors import (
        ChanceError,
        HastiludeError,
        IllegalAction,
        OptionError,
        RecordError,
    )
    from hastilude.core.events import Event, explain
    from hastilude.core.game import Game
    from hastilude.core.match import Match
    from hastilude.core.record import Record
    from hastilude.games.registry import load, replay
    from hastilude.reviews.review import review

    def games() -> tuple[str, ...]:
        """The names of the games that `load` accepts."""
        ...


__version__ = "0.1.0"

# Where each public name is defined. They are imported when first used: importing the compiler takes
# longer than `hastilude --help` should take to answer.
_HOMES = {
    "ChanceError": "core.errors",
    "Event": "core.events",
    "Game": "core.game",
    "HastiludeError": "core.errors",
    "IllegalAction": "core.errors",
    "Match": "core.match",
    "OptionError": "core.errors",
    "Record": "core.record",
    "RecordError": "core.errors",
    "explain": "core.events",
    "games": "games",
    "load": "games.registry",
    "replay": "games.registry",
    "review": "reviews.review",
}

__all__ = [
    "ChanceError",
    "Event",
    "Game",
    "HastiludeError",
    "IllegalAction",
    "Match",
    "OptionError",
    "Record",
    "RecordError",
    "explain",
    "games",
    "load",
    "replay",
    "review",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hastilude' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  # only when a name is first used

    home = import_module(f"hastilude.{_HOMES[name]}")
    value = globals()[name] = home if name == "games" else getattr(home, name)
    return value
