"""States in the hands of Python: made, copied, and taken apart.

This happens several times a move of every table, and what numpy does with a state is done field by
field. Bytes are quicker: ten times to copy a state, twice to read its fields.
"""

from functools import cache
from operator import itemgetter
from struct import Struct
from types import SimpleNamespace
from typing import Any

import numpy as np

from hastilude.core import rules
from hastilude.core.bits import numbers
from hastilude.core.kernel import kernel
from hastilude.core.rules import Fields

CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


def blank(state: np.dtype[np.void], count: int = 1) -> Any:
    """An array of states of which every byte is 0."""
    return np.frombuffer(bytearray(count * state.itemsize), state)


def copied(states: Any) -> Any:
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def unpack(states: Any, i: int = 0, pending: int | None = None) -> Fields:
    """A state's fields as attributes: each a number, a tuple or a tuple of rows. And `pending`."""
    read, names, take, grids = _form(states.dtype)
    values = read(states[i : i + 1].tobytes())
    fields = SimpleNamespace()
    attributes = vars(fields)
    attributes.update(zip(names, take(values), strict=True))
    for name, take_rows in grids:
        attributes[name] = take_rows(values)
    fields.pending = seats_of(pending_at(states, i) if pending is None else pending)
    return fields


@cache
def seats_of(bits: int) -> tuple[int, ...]:
    """The seats in a set of them."""
    return tuple(numbers(bits))


@cache
def _form(state: np.dtype[np.void]) -> tuple[Any, list[str], Any, list[tuple[str, Any]]]:
    """How to read a state's bytes as one row of numbers; the fields that are a number or a tuple
    of that row, and how to take them all; the fields of two dimensions, and how to take each."""
    code, end, place = "<", 0, 0
    flat: dict[str, int | slice] = {}
    grids: list[tuple[str, Any]] = []
    for name in state.names or ():
        field, start = state.fields[name][:2]  # type: ignore[index]  # it has fields: their names
        count = field.itemsize // field.base.itemsize
        code += f"{start - end}x{count}{CODES[field.base.str[1:]]}"
        if field.ndim > 1:
            width = field.shape[1]
            rows = [slice(row, row + width) for row in range(place, place + count, width)]
            grids.append((name, itemgetter(*rows)))
        else:
            flat[name] = slice(place, place + count) if field.ndim else place
        end, place = start + field.itemsize, place + count
    code += f"{state.itemsize - end}x"
    return Struct(code).unpack, list(flat), itemgetter(*flat.values()), grids


@kernel
def pending_at(states: Any, i: int) -> int:
    return rules.pending(states[i])
