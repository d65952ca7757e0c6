"""Limits against abuse: rates by token bucket, and how many of something an address has."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable

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


class Tally:
    """How many of one kind each address has at the moment, such as connections."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._total = 0

    def add(self, address: str, number: int = 1) -> None:
        self._total += number
        self._count[address] += number
        if not self._count[address]:
            del self._count[address]

    def remove(self, address: str) -> None:
        self.add(address, -1)

    def count(self, address: str) -> int:
        return self._count[address]

    @property
    def total(self) -> int:
        return self._total


class Ledger:
    """Where rates and tallies are kept: those of one process here, those of several workers in
    memory that they share (`board.py`). What has the same name is counted together."""

    def rate(self, name: str, rate: Rate) -> Buckets:  # one process needs no names
        return Buckets(rate)

    def tally(self, name: str) -> Tally:
        return Tally()


class Guess:
    """What is done inside is a guess of an address, and wrong if it is refused."""

    __slots__ = ("_address", "_buckets")

    def __init__(self, buckets: Buckets, address: str) -> None:
        self._buckets = buckets
        self._address = address

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: object, __: object) -> None:
        if isinstance(error, Refusal) and not self._buckets.take(self._address):
            raise Refusal.of("too_many_guesses") from None


class Guesses:
    """Limits wrong tokens and codes. A right one is always accepted: many people may share an
    address, and nobody can guess 192 bits."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def guess(self, address: str) -> Guess:
        return Guess(self._buckets, address)


class UnusedTables:
    """Tables where nobody has sat down yet, by the address that opened them."""

    def __init__(self, tally: Tally) -> None:
        self._opened: dict[str, tuple[str, int]] = {}
        self._tally = tally

    def count(self, address: str) -> int:
        return self._tally.count(address)

    def add(self, code: str, address: str, at: int) -> None:
        self._opened[code] = (address, at)
        self._tally.add(address)

    def remove(self, code: str) -> None:
        if opened := self._opened.pop(code, None):
            self._tally.remove(opened[0])

    def remove_before(self, at: int) -> None:
        """Forget expired tables. Another server may have deleted them or have people at them."""
        for code in [code for code, (_, opened) in self._opened.items() if opened < at]:
            self.remove(code)


class Champions:
    """The champions at the tables of each address. Other workers know of changes here with the next
    count."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._counted: Counter[str] = Counter()  # the share of this process in the tally

    def count(self, address: str) -> int:
        return self._tally.count(address)

    def set(self, tables: Iterable[tuple[str, int]]) -> None:
        """Count anew: the address of each table here, and how many champions it has."""
        now: Counter[str] = Counter()
        for address, champions in tables:
            if champions:
                now[address] += champions
        for address in now.keys() | self._counted.keys():
            self._tally.add(address, now[address] - self._counted[address])
        self._counted = now


class Rates:
    """The rates that connections share."""

    def __init__(self, settings: Settings, ledger: Ledger) -> None:
        self.seats = ledger.rate("seats", settings.seat_rate)
        self.hints = ledger.rate("hints", settings.hint_rate)
        self.addresses = ledger.rate("addresses", settings.address_rate)
        self.requests = ledger.rate("requests", settings.request_rate)
        self.pages = ledger.rate("pages", settings.page_rate)
        self.guesses = Guesses(ledger.rate("guesses", settings.guess_rate))
        self.openings = ledger.rate("openings", settings.opening_rate)
