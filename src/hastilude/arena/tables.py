"""Which bots meet at a table, one letter per seat: `a` is the first bot named, `b` the second, …"""

from collections.abc import Sequence
from itertools import combinations
from string import ascii_lowercase

from hastilude.core.errors import OptionError


def seatings(seats: int, bots: int, given: Sequence[str] = ()) -> tuple[str, ...]:
    """The tables of a contest; OptionError if one is invalid.

    A table with fewer letters than seats repeats its last letter. By default every bot meets every
    other: at one table if there is room, otherwise at one table per selection of bots that fits.

    >>> seatings(4, 2), seatings(2, 3)
    (('abbb',), ('ab', 'ac', 'bc'))
    >>> seatings(4, 2, ["ab", "aabb"])
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
    """The table rotated seat by seat, each arrangement once, so that bots play all seats equally.

    >>> rotations("abbb")
    ('abbb', 'babb', 'bbab', 'bbba')
    """
    return tuple(dict.fromkeys(table[-turn:] + table[:-turn] for turn in range(len(table))))


def _full(table: str, seats: int, letters: str) -> str:
    if not 0 < len(table) <= seats or set(table) - set(letters):
        raise OptionError.of("arena_table_form", table=table, count=seats, last=letters[-1])
    return table + table[-1] * (seats - len(table))
