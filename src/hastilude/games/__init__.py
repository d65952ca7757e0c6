"""The games, one folder each; `registry` lists them.

This package is callable, because `hastilude.games()` names the games while `hastilude.games` is
also the folder that holds them.
"""

import sys
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        """The names that `hastilude.load` knows."""
        from hastilude.games.registry import GAMES  # noqa: PLC0415  # it imports the compiler

        return tuple(GAMES)


sys.modules[__name__].__class__ = _Games
