"""Hooks: functions that each game provides, for code that works with all games.

Generic kernels (playouts, batches, search) call functions that are declared as hooks. While numba
compiles, the record type of the first argument selects the game's own function. So no function is
passed as an argument or closed over: numba could not cache that between processes. Interpreted,
each call selects by dtype.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import overload

P = ParamSpec("P")
R = TypeVar("R")


class Hooks:
    """A group of hooks. A game that provides one of them provides all.

    If the group is optional, a game may provide none: then the declared functions run themselves.
    """

    def __init__(self, name: str, optional: bool = False) -> None:
        self._name = name
        self._optional = optional
        self._declared: dict[str, Callable[..., Any]] = {}
        self._by_dtype: dict[np.dtype[np.void], dict[str, Any]] = {}
        self._by_type: dict[types.Record, dict[str, Any]] = {}

    def hook(self, declared: Callable[P, R]) -> Callable[P, R]:
        """Declare a function of the group, whose first parameter is a game's state."""
        name = declared.__name__
        self._declared[name] = declared

        def chosen(s: Any, *rest: Any) -> Any:
            return self._own(self._by_dtype, s.dtype)[name](s, *rest)

        @overload(chosen, strict=False)  # type: ignore[untyped-decorator]  # numba is untyped
        def compiled(s: Any, *rest: Any) -> Any:
            own = self._own(self._by_type, s)[name]
            return getattr(own, "py_func", own)

        return chosen  # type: ignore[return-value]  # its parameters are those of `declared`

    def provide(self, state: np.dtype[np.void], *modules: ModuleType) -> None:
        """Use the functions of a game's modules for records of its STATE.

        Only functions that a module defines itself, with the name of a hook, are used.
        """
        if state in self._by_dtype:
            raise TypeError(f"{modules[0].__name__}: {self._name} of this game are there already")
        own: dict[str, Any] = {}
        for module in modules:
            for name in self._declared:
                function = vars(module).get(name)
                if function is not None and function.__module__ == module.__name__:
                    if name in own:
                        raise TypeError(f"{module.__name__} defines {name} a second time")
                    own[name] = function
        if missing := self._declared.keys() - own.keys():
            names = ", ".join(sorted(missing))
            raise TypeError(f"{modules[0].__name__}: {self._name} lack {names}")
        self._by_dtype[state] = self._by_type[numba.from_dtype(state)] = own

    def _own(self, provided: dict[Any, dict[str, Any]], key: Any) -> dict[str, Any]:
        """The functions of a game, or the declared ones if it provides none."""
        if self._optional:
            return provided.get(key, self._declared)
        return provided[key]
