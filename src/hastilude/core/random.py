"""The fast generator for simulation: SplitMix64, one word of state in a one-element array.

It is for playouts, batches and seeded matches. Tables where people must trust the shuffle use
another driver (see `chance`).
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
    state = (int(rng[0]) + _GOLDEN) & _WORD
    rng[0] = state
    z = ((state ^ (state >> 30)) * _FIRST) & _WORD
    z = ((z ^ (z >> 27)) * _SECOND) & _WORD
    return np.uint64(z ^ (z >> 31))


@compiled_twin(draw)  # wraps silently where NumPy would warn
def _compiled_draw(rng: Rng) -> np.uint64:
    rng[0] += np.uint64(_GOLDEN)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
    return z ^ (z >> np.uint64(31))


@kernel
def below(rng: Rng, limit: int) -> int:
    """A random number from 0 to limit - 1; the bias is under limit / 2**32."""
    return int(((draw(rng) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@kernel
def shuffle(rng: Rng, cards: npt.NDArray[np.int8], size: int) -> None:
    """Shuffle the first `size` cards in place (Fisher-Yates)."""
    for last in range(size - 1, 0, -1):
        other = below(rng, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@kernel
def pick(rng: Rng, bits: Bits) -> int:
    """A random member of a set that is not empty."""
    return nth(bits, below(rng, count(bits)))
