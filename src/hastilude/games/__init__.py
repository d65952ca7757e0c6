"""The games, one folder each; `registry` lists them.

This package is callable, because `hastilude.games()` lists the games while `hastilude.games` is
also the package that contains them.
"""

import sys
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        """The names of the games that `hastilude.load` accepts."""
        from hastilude.games.registry import GAMES  # noqa: PLC0415  # it imports the compiler

        return tuple(GAMES)


sys.modules[__name__].__class__ = _Games
