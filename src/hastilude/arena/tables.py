"""Tables: which bots meet, one letter a seat. `a` is the first bot named, `b` the second, …"""

from collections.abc import Sequence
from itertools import combinations
from string import ascii_lowercase

from hastilude.core.errors import OptionError


def settle(seats: int, bots: int, given: Sequence[str] = ()) -> tuple[str, ...]:
    """The tables of an arena; OptionError if one cannot be.

    A table with fewer letters than seats repeats its last. With none given every bot meets every
    other: at one table if there is room, else at a table for each choice of as many as it seats.

    >>> settle(4, 2), settle(2, 3)
    (('abbb',), ('ab', 'ac', 'bc'))
    >>> settle(4, 2, ["ab", "aabb"])
    ('abbb', 'aabb')
    """
    if not 1 < bots <= len(ascii_lowercase):
        raise OptionError.of("arena_bots_count", count=bots, most=len(ascii_lowercase))
    letters = ascii_lowercase[:bots]
    if not given and bots > seats:
        return tuple(map("".join, combinations(letters, seats)))
    tables = [_full(table, seats, letters) for table in given or [letters]]
    for letter in letters:
        if not any(letter in table for table in tables):
            raise OptionError.of("arena_table_without", letter=letter)
    return tuple({min(rotations(table)): table for table in tables}.values())


def rotations(table: str) -> tuple[str, ...]:
    """The table turned seat by seat, each arrangement once: so every bot plays every seat equally.

    >>> rotations("abbb")
    ('abbb', 'babb', 'bbab', 'bbba')
    """
    return tuple(dict.fromkeys(table[-turn:] + table[:-turn] for turn in range(len(table))))


def _full(table: str, seats: int, letters: str) -> str:
    if not 0 < len(table) <= seats or set(table) - set(letters):
        raise OptionError.of("arena_table_form", table=table, count=seats, last=letters[-1])
    return table + table[-1] * (seats - len(table))
