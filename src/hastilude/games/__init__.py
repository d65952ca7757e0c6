"""The games, one folder each.

`hastilude.games` is this package and also the public function `games()`: Python makes a package
an attribute of its parent as soon as anything in it is imported, so the package itself is callable.
"""

import sys
from importlib import import_module
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        """The names that `load` knows."""
        names: tuple[str, ...] = import_module("hastilude.games.registry").games()
        return names


sys.modules[__name__].__class__ = _Games
