"""The fast random generator: SplitMix64, with one word of state in an array.

It is for playouts, batches and seeded matches. Where people must be able to trust a shuffle, use
`shuffles.VerifiableChance`.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import Bits, count, nth
from hastilude.core.kernel import compiled_twin, kernel

Rng: TypeAlias = npt.NDArray[np.uint64]

_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = 0xFFFFFFFFFFFFFFFF


def generator(seed: int) -> Rng:
    """A generator for a seed from 0 to 2**64 - 1."""
    return np.array([seed], dtype=np.uint64)


def draw(rng: Rng) -> np.uint64:
    """The next 64 random bits."""
    rng[0] = (int(rng[0]) + _GOLDEN) & _WORD
    return mixed(rng[0])


@compiled_twin(draw)  # overflows silently, where NumPy would warn
def _compiled_draw(rng: Rng) -> np.uint64:
    rng[0] += np.uint64(_GOLDEN)
    return mixed(rng[0])


def mixed(word: np.uint64) -> np.uint64:
    """A hash of the word."""
    z = int(word)
    z = ((z ^ (z >> 30)) * _FIRST) & _WORD
    z = ((z ^ (z >> 27)) * _SECOND) & _WORD
    return np.uint64(z ^ (z >> 31))


@compiled_twin(mixed)
def _compiled_mixed(word: np.uint64) -> np.uint64:
    z = (word ^ (word >> np.uint64(30))) * np.uint64(_FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
    return z ^ (z >> np.uint64(31))


@kernel
def below(rng: Rng, limit: int) -> int:
    """A random number from 0 to limit - 1; the bias is under limit / 2**32."""
    return int(_scaled(draw(rng) >> np.uint64(32), limit))


@kernel
def _scaled(half: np.uint64, limit: int) -> np.uint64:
    """32 random bits as a number below `limit`, without division."""
    return (half * np.uint64(limit)) >> np.uint64(32)


@kernel
def shuffle(rng: Rng, cards: npt.NDArray[np.int8], size: int) -> None:
    """Shuffle the first `size` cards in place (Fisher-Yates), with one draw per two cards."""
    last = size - 1
    while last > 0:
        bits = draw(rng)
        _swap(cards, last, _scaled(bits >> np.uint64(32), last + 1))
        _swap(cards, last - 1, _scaled(bits & np.uint64(0xFFFFFFFF), last))
        last -= 2


@kernel
def _swap(cards: npt.NDArray[np.int8], first: int, second: np.uint64) -> None:
    cards[first], cards[second] = cards[second], cards[first]


@kernel
def unit(rng: Rng) -> float:
    """A random number from 0 to 1, excluding 1."""
    return float(draw(rng) >> np.uint64(11)) * 2.0**-53


@kernel
def pick(rng: Rng, bits: Bits) -> int:
    """A random member of a non-empty set."""
    return nth(bits, below(rng, count(bits)))
