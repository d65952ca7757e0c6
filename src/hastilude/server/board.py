"""What the workers of one server share in memory: what limits count, and which workers are up.

There are no locks, because a worker that is killed would leave its lock closed. Each process
counts in a row of its own, where nobody else writes; when it has died, the supervisor clears the
row. Rates are shared: two workers that take a token in the same microsecond count it once.

An address or a seat has its place by a keyed hash. Two may share a place, but nobody can choose one
that shares somebody else's.
"""

from __future__ import annotations

import mmap
import secrets
import struct
from collections.abc import Callable, Hashable
from functools import lru_cache
from hashlib import blake2b

from hastilude.server.limits import Buckets, Ledger, Tally
from hastilude.server.settings import Rate

PLACES = 1 << 16
DOUBLE, INT = struct.calcsize("d"), struct.calcsize("i")
RATES = ("connections", "addresses", "requests", "pages", "guesses", "openings", "seats", "hints")
PUT_OFF = -1  # instead of a worker: the next one is started only later
TALLIES = ("connections", "sockets", "unused_tables", "champions", "reviews")


def _memory(size: int) -> memoryview:
    """Bytes that forked processes share. They are 0, and take no memory until they are used."""
    return memoryview(mmap.mmap(-1, size))


class Board:
    """Made by the supervisor before the workers are forked."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.rows = workers + 1  # while a worker is restarted, the old and the new one overlap
        self._rates = {name: _memory(2 * PLACES * DOUBLE).cast("d") for name in RATES}
        tally = self.rows * (PLACES + 1) * INT
        self._tallies = {name: _memory(tally).cast("i") for name in TALLIES}
        # The row + 1 of each slot's worker, 0 or PUT_OFF; then whether the server stops.
        self._up = _memory((workers + 1) * INT).cast("i")
        key = secrets.token_bytes(16)

        @lru_cache(4096)
        def place(whose: Hashable) -> int:
            hashed = blake2b(str(whose).encode(), digest_size=8, key=key).digest()
            return int.from_bytes(hashed) % PLACES

        self._place = place

    def ledger(self, row: int) -> Ledger:
        return SharedLedger(self, row)

    def rate(self, name: str, rate: Rate) -> SharedBuckets:
        return SharedBuckets(rate, self._rates[name], self._place)

    def tally(self, name: str, row: int) -> SharedTally:
        return SharedTally(self._tallies[name], row, self.rows, self._place)

    def clear(self, row: int) -> None:
        """Forget what a process counted that has ended."""
        nothing = bytes((PLACES + 1) * INT)
        first, end = row * (PLACES + 1), (row + 1) * (PLACES + 1)
        for numbers in self._tallies.values():
            numbers[first:end] = memoryview(nothing).cast("i")

    # --- workers --------------------------------------------------------------------------------

    def set_up(self, slot: int, row: int) -> None:
        """Note that the worker with this row answers for this slot."""
        self._up[slot] = row + 1

    def put_off(self, slot: int) -> None:
        """Note that it is not worth waiting for this slot's next worker."""
        self._up[slot] = PUT_OFF

    def set_down(self, slot: int, row: int) -> None:
        if self.is_up(slot, row):
            self._up[slot] = 0

    def is_up(self, slot: int, row: int | None = None) -> bool:
        return self._up[slot] > 0 if row is None else self._up[slot] == row + 1

    def is_put_off(self, slot: int) -> bool:
        return self._up[slot] == PUT_OFF

    @property
    def up(self) -> int:
        """The number of slots whose worker is up."""
        return sum(map(self.is_up, range(self.workers)))

    @property
    def closing(self) -> bool:
        """Whether the whole server stops."""
        return bool(self._up[self.workers])

    def close(self) -> None:
        self._up[self.workers] = 1


class SharedLedger(Ledger):
    """The ledger of one worker."""

    def __init__(self, board: Board, row: int) -> None:
        self._board = board
        self._row = row

    def rate(self, name: str, rate: Rate) -> Buckets:
        return self._board.rate(name, rate)

    def tally(self, name: str) -> Tally:
        return self._board.tally(name, self._row)


class SharedBuckets(Buckets):
    """One bucket per place: its level, and when it was filled up to that, by the clock that all
    processes of a machine share."""

    def __init__(
        self, rate: Rate, numbers: memoryview[float], place: Callable[[Hashable], int]
    ) -> None:
        super().__init__(rate)
        self._numbers = numbers
        self._place = place

    def take(self, key: Hashable) -> bool:
        rate, numbers, at = self._rate, self._numbers, 2 * self._place(key)
        level, since, now = numbers[at], numbers[at + 1], self._now()
        level = min(rate.burst, level + (now - since) * rate.per_second) if since else rate.burst
        taken = level >= 1
        numbers[at] = level - taken
        numbers[at + 1] = now
        return taken


class SharedTally(Tally):
    """Each process counts in its own row; the last number of a row is its total."""

    def __init__(
        self, numbers: memoryview[int], row: int, rows: int, place: Callable[[Hashable], int]
    ) -> None:
        self._numbers = numbers
        self._rows = range(0, rows * (PLACES + 1), PLACES + 1)
        self._own = self._rows[row]
        self._place = place

    def add(self, address: str, number: int = 1) -> None:
        self._numbers[self._own + self._place(address)] += number
        self._numbers[self._own + PLACES] += number

    def count(self, address: str) -> int:
        return self._sum(self._place(address))

    @property
    def total(self) -> int:
        return self._sum(PLACES)

    def _sum(self, place: int) -> int:
        return sum(self._numbers[row + place] for row in self._rows)
