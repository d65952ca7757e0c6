"""Bots for tests of the arena, as classes of a module, so that other processes can load them."""

import sys
import time
from zlib import crc32

from hastilude.bots.random import RandomBot
from hastilude.core.bits import numbers
from hastilude.core.calls import legal_at

NAP = 0.02  # seconds
AT_MOVE = 3  # the move at which a bad bot fails


class First:
    """Always plays the legal action with the lowest number."""

    def __init__(self, game, seed):
        self.asked = 0

    def choose(self, redacted, seat):
        self.asked += 1
        return numbers(legal_at(redacted, 0, seat))[0]


class Last(First):
    def choose(self, redacted, seat):
        return numbers(legal_at(redacted, 0, seat))[-1]


class Moody(First):
    """Plays arbitrary actions, but always the same in the same position."""

    def choose(self, redacted, seat):
        legal = numbers(legal_at(redacted, 0, seat))
        return legal[crc32(redacted.tobytes()) % len(legal)]


class Sleepy(First):
    """Takes time, but none of the processor's."""

    def choose(self, redacted, seat):
        time.sleep(NAP)
        return super().choose(redacted, seat)


class Crashing(First):
    def choose(self, redacted, seat):
        choice = super().choose(redacted, seat)
        if self.asked == AT_MOVE:
            self.fail()
        return choice

    def fail(self):
        raise TimeoutError("thought\ntoo long")


class Leaving(Crashing):
    def fail(self):
        sys.exit("goodbye")


class Cheating(First):
    def choose(self, redacted, seat):
        choice = super().choose(redacted, seat)
        return -1 if self.asked == AT_MOVE else choice


class Unborn:
    """Can be made for the first check, and never again."""

    def __init__(self, game, seed):
        if seed:
            raise MemoryError

    def choose(self, redacted, seat):
        raise NotImplementedError


class Budgeted(RandomBot):
    milliseconds = 1000.0
