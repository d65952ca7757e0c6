"""Creating, copying and unpacking states in Python.

This happens several times per move, and numpy works on a state field by field. Working on bytes
makes copying a state ten times as fast, and reading its fields twice as fast.
"""

from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any, Generic, TypeVar

import numpy as np

from hastilude.core import rules
from hastilude.core.bits import numbers
from hastilude.core.kernel import kernel

F = TypeVar("F", bound="Fields")

CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class Fields:
    """A redacted state and the facts that follow from it, as numbers, tuples, and tuples of rows.

    Each game's own subclass, beside its STATE, has an annotation for every field of its STATE and
    FACTS. These fields are common to all games; sets of seats become tuples here.
    """

    viewer: int
    pending: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def facts_type(seats: int, *own: Any) -> np.dtype[np.void]:
    """A game's FACTS: those of every game, then the fields that the game's `infer` writes."""
    common = [("pending", np.int64), ("winners", np.int64), ("scores", np.int64, seats)]
    return np.dtype([*common, *own], align=True)


def blank(state: np.dtype[np.void], count: int = 1) -> Any:
    """An array of states, all bytes 0."""
    return np.frombuffer(bytearray(count * state.itemsize), state)


def copied(states: Any) -> Any:
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


@cache
def seats_of(bits: int) -> tuple[int, ...]:
    """The seats in a bit set."""
    return tuple(numbers(bits))


class Reader(Generic[F]):
    """Memory for a redacted state and its facts, which are read as one row of numbers."""

    def __init__(self, kind: type[F], state: np.dtype[np.void], facts: np.dtype[np.void]) -> None:
        self._kind = kind
        self._memory = bytearray(facts.itemsize + state.itemsize)
        self.facts = np.frombuffer(self._memory, facts, 1)
        self.redacted = np.frombuffer(self._memory, state, 1, facts.itemsize)
        self._form = _form(facts, state)

    @property
    def content(self) -> bytes:
        return bytes(self._memory)

    def fields(self) -> F:
        read, names, take, grids = self._form
        values = read(self._memory)
        attributes = dict(zip(names, take(values), strict=True))
        for name, take_rows in grids:
            attributes[name] = take_rows(values)
        attributes["pending"] = seats_of(attributes["pending"])
        attributes["winners"] = seats_of(attributes["winners"])
        fields = self._kind()
        fields.__dict__ = attributes
        return fields


@cache
def _form(*records: np.dtype[np.void]) -> tuple[Any, list[str], Any, list[tuple[str, Any]]]:
    """A function that reads the bytes of records as one row of numbers; the names of the fields
    with at most one dimension, and a getter for all of them; the fields with two dimensions, and
    a getter for each."""
    code, place = "<", 0
    flat: dict[str, int | slice] = {}
    grids: list[tuple[str, Any]] = []
    for record in records:
        end = 0
        for name in record.names or ():
            field, start = record.fields[name][:2]  # type: ignore[index]  # it has names
            count = field.itemsize // field.base.itemsize
            code += f"{start - end}x{count}{CODES[field.base.str[1:]]}"
            if field.ndim > 1:
                width = field.shape[1]
                rows = [slice(row, row + width) for row in range(place, place + count, width)]
                grids.append((name, itemgetter(*rows)))
            else:
                flat[name] = slice(place, place + count) if field.ndim else place
            end, place = start + field.itemsize, place + count
        code += f"{record.itemsize - end}x"
    return Struct(code).unpack, list(flat), itemgetter(*flat.values()), grids


@kernel
def pending_at(states: Any, i: int) -> int:
    return rules.pending(states[i])
