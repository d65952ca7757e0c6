"""What bounds abuse: rates by token bucket, and names that are safe to show."""

import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable

from hastilude.protocol import NAME_LENGTH
from hastilude.server.settings import Rate, Settings
from hastilude.server.table import Refusal

REMEMBERED = 100_000  # buckets of one kind at most; who is forgotten starts afresh


class Bucket:
    """Holds `burst` at most and fills at `per_second`."""

    __slots__ = ("at", "level")

    def __init__(self, rate: Rate, now: float) -> None:
        self.level, self.at = rate.burst, now

    def take(self, rate: Rate, now: float) -> bool:
        """Take one; False if there is none left."""
        self.level = min(rate.burst, self.level + (now - self.at) * rate.per_second)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """A bucket for each key: an address, a seat."""

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


class Rates:
    """The rates that connections share."""

    def __init__(self, settings: Settings) -> None:
        self.seats = Buckets(settings.seat_rate)
        self.addresses = Buckets(settings.address_rate)
        self.requests = Buckets(settings.request_rate)
        self.guesses = Buckets(settings.guess_rate)
        self.openings = Buckets(settings.opening_rate)
        self.hints = Buckets(settings.hint_rate)


def clean_name(text: str) -> str:
    """A name in its composed form, without what could disguise or disturb; Refusal if nothing of
    it is left or it is too long."""
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(c for c in composed if unicodedata.category(c)[0] not in "C" or c == " ")
    name = " ".join(visible.split())
    if not name or not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise Refusal.of("name_empty")
    if len(name) > NAME_LENGTH:
        raise Refusal.of("name_long", most=NAME_LENGTH)
    return name
