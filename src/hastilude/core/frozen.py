"""Views and events: dataclasses that nobody changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform, overload

C = TypeVar("C")


@overload
def frozen(kind: type[C], /) -> type[C]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[C]], type[C]]: ...
@dataclass_transform(frozen_default=True)
def frozen(
    kind: type[C] | None = None, /, *, kw_only: bool = False
) -> type[C] | Callable[[type[C]], type[C]]:
    """A dataclass that the type checker does not let anybody change.

    Python itself does not prevent it: that would make creating an object four times as slow, and
    every move creates dozens.
    """
    make = dataclass(unsafe_hash=True, kw_only=kw_only)
    return make if kind is None else make(kind)
