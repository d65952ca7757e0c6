"""Events: what happened in a match, as one viewer may know it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hastilude.messages import Message

CHAPTERS = ("bid", "turn", "joust", "trick", "round", "game", "match")  # small to large


@dataclass(frozen=True)
class Event:
    """One thing that happened. There is one subclass per kind; its fields are the values.

    `clause` is the rule it follows from, `ends` the chapter that it ends (a trick, a round …).
    """

    clause: ClassVar[str]
    ends: ClassVar[str]
    key: ClassVar[str]

    def __init_subclass__(cls, clause: str, ends: str = "") -> None:
        if ends and ends not in CHAPTERS:
            raise ValueError(f"{cls.__name__}: ends must be one of {CHAPTERS}")
        game = cls.__module__.split(".")[-2]
        cls.clause = clause
        cls.ends = ends
        cls.key = f"{game}_{re.sub('(?<!^)(?=[A-Z])', '_', cls.__name__).lower()}"

    @property
    def values(self) -> dict[str, Any]:
        return dict(vars(self))

    @property
    def message(self) -> Message:
        return Message(self.key, vars(self), self.clause)

    def __str__(self) -> str:
        return str(self.message)

    def to_json(self) -> dict[str, Any]:
        return {"event": self.key, "clause": self.clause, "values": self.values}


def explain(events: Sequence[Event], index: int) -> list[Event]:
    """The events that led to events[index], which ended a chapter (a trick, a joust, a round …)."""
    return list(events[story(events, index) : index + 1])


def story(events: Sequence[Event], index: int) -> int:
    """The index of the first of these events: the one after the last end of the same or a larger
    chapter. An event that ends nothing is its own story."""
    size = _size(events[index])
    if size < 0:
        return index
    first = index
    while first > 0 and type(events[first - 1]) is type(events[index]):
        first -= 1  # the scores of several seats end one round together
    while first > 0 and _size(events[first - 1]) < size:
        first -= 1
    return first


def _size(event: Event) -> int:
    return CHAPTERS.index(event.ends) if event.ends else -1
