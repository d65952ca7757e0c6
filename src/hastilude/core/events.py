"""Events: what happened in a match, as one viewer may know it."""

import re
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

from hastilude.core.frozen import frozen
from hastilude.messages import Message


@frozen
class Event:
    """One thing that happened. There is one subclass per kind; its fields are the values.

    `clause` is the rule it follows from. `ends` is the chapter that it ends, if any: a round, the
    match. `events.py` of each game lists its CHAPTERS, the shortest first.
    """

    clause: ClassVar[str]
    ends: ClassVar[str]
    chapter: ClassVar[int]  # the place of `ends` in the list; -1: it ends none
    key: ClassVar[str]

    def __init_subclass__(cls, clause: str, ends: str = "") -> None:
        chapters: tuple[str, ...] = getattr(sys.modules[cls.__module__], "CHAPTERS", ())
        if ends and ends not in chapters:
            raise ValueError(f"{cls.__name__}: ends must be one of {chapters}")
        game = cls.__module__.split(".")[-2]
        cls.clause = clause
        cls.ends = ends
        cls.chapter = chapters.index(ends) if ends else -1
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
    """The events that led to events[index], which ended a chapter."""
    return list(events[story(events, index) : index + 1])


def story(events: Sequence[Event], index: int) -> int:
    """The index of the first of these events: the one after the last end of the same or a longer
    chapter. An event that ends no chapter is its own story."""
    chapter = events[index].chapter
    if chapter < 0:
        return index
    first = index
    while first > 0 and type(events[first - 1]) is type(events[index]):
        first -= 1  # the scores of several seats end one round together
    while first > 0 and events[first - 1].chapter < chapter:
        first -= 1
    return first
