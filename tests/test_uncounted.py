"""Kernels that do not count references work on the caller's own arrays."""

import gc
import sys
from typing import Any, NamedTuple

import numpy as np

from hastilude.core.kernel import kernel
from hastilude.core.uncounted import uncounted


class Inner(NamedTuple):
    numbers: Any
    factor: int


class Outer(NamedTuple):
    inner: Inner
    total: Any


@kernel
def add_up(outer: Any, times: int) -> None:
    outer = uncounted(outer)
    for _ in range(times):
        for number in outer.inner.numbers:
            outer.total[0] += outer.inner.factor * number


def test_a_kernel_writes_into_the_arrays_that_it_got_and_keeps_none_of_them() -> None:
    outer = Outer(Inner(np.arange(4), 10), np.zeros(1, np.int64))
    held = [sys.getrefcount(array) for array in (outer.inner.numbers, outer.total)]
    add_up(outer, 3)
    assert outer.total.tolist() == [180]
    assert outer.inner.numbers.tolist() == [0, 1, 2, 3]
    gc.collect()
    assert [sys.getrefcount(array) for array in (outer.inner.numbers, outer.total)] == held
