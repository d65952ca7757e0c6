"""States in the hands of Python: made, copied, and taken apart.

This happens several times per move of every table, and numpy does it field by field. Bytes are
quicker: ten times to copy a state, twice to read its fields.
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
    """A redacted state and what follows from it, in numbers, tuples, and tuples of rows.

    Each game's own subclass, beside its STATE, has an annotation for every field of its STATE and
    FACTS. These are common to all games; where the records have sets of seats, here are tuples.
    """

    viewer: int
    pending: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def facts_type(seats: int, *own: Any) -> np.dtype[np.void]:
    """A game's FACTS: what every view says, then the fields that the game's `infer` writes."""
    common = [("pending", np.int64), ("winners", np.int64), ("scores", np.int64, seats)]
    return np.dtype([*common, *own], align=True)


def blank(state: np.dtype[np.void], count: int = 1) -> Any:
    """An array of states of which every byte is 0."""
    return np.frombuffer(bytearray(count * state.itemsize), state)


def copied(states: Any) -> Any:
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


@cache
def seats_of(bits: int) -> tuple[int, ...]:
    """The seats in a set of them."""
    return tuple(numbers(bits))


class Reader(Generic[F]):
    """Room for a redacted state and what follows from it, which are read as one row of numbers."""

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
        fields = self._kind()
        attributes = vars(fields)
        attributes.update(zip(names, take(values), strict=True))
        for name, take_rows in grids:
            attributes[name] = take_rows(values)
        attributes["pending"] = seats_of(attributes["pending"])
        attributes["winners"] = seats_of(attributes["winners"])
        return fields


@cache
def _form(*records: np.dtype[np.void]) -> tuple[Any, list[str], Any, list[tuple[str, Any]]]:
    """How to read the bytes of records as one row of numbers; the fields that are a number or a
    tuple of that row, and how to take them all; the fields of two dimensions, and how to take
    each."""
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
