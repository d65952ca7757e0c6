"""Limits against abuse: rates by token bucket, and the number of unused tables."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from hastilude.server.errors import Refusal
from hastilude.server.settings import Rate, Settings

REMEMBERED = 100_000  # maximum number of buckets of one kind; a forgotten client starts again


class Bucket:
    """A token bucket that holds at most `burst` and fills at `per_second`."""

    __slots__ = ("at", "level")

    def __init__(self, rate: Rate, now: float) -> None:
        self.level, self.at = rate.burst, now

    def take(self, rate: Rate, now: float) -> bool:
        """Take one token; False if there is none left."""
        self.level = min(rate.burst, self.level + (now - self.at) * rate.per_second)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """One bucket per key, such as an address or a seat."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable) -> bool:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._now())
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(self._rate, self._now())


class Guesses(Buckets):
    """Limits wrong tokens and codes. A right one is always accepted: many people may share an
    address, and nobody can guess 192 bits."""

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        try:
            yield
        except Refusal:
            if self.take(address):
                raise
            raise Refusal.of("too_many_guesses") from None


class UnusedTables:
    """Tables where nobody has sat down yet, by the address that opened them."""

    def __init__(self) -> None:
        self._opened: dict[str, tuple[str, int]] = {}
        self._count: Counter[str] = Counter()

    def count(self, address: str) -> int:
        return self._count[address]

    def add(self, code: str, address: str, at: int) -> None:
        self._opened[code] = (address, at)
        self._count[address] += 1

    def remove(self, code: str) -> None:
        address, _ = self._opened.pop(code, ("", 0))
        self._count[address] -= 1
        if self._count[address] <= 0:
            del self._count[address]

    def remove_before(self, at: int) -> None:
        """Forget expired tables. Another server may have deleted them or have people at them."""
        for code in [code for code, (_, opened) in self._opened.items() if opened < at]:
            self.remove(code)


class Rates:
    """The rates that connections share."""

    def __init__(self, settings: Settings) -> None:
        self.seats = Buckets(settings.seat_rate)
        self.addresses = Buckets(settings.address_rate)
        self.requests = Buckets(settings.request_rate)
        self.pages = Buckets(settings.page_rate)
        self.guesses = Guesses(settings.guess_rate)
        self.openings = Buckets(settings.opening_rate)
        self.hints = Buckets(settings.hint_rate)
