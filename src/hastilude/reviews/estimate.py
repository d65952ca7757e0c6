"""Estimates: means of samples, with their 95 % intervals."""

from __future__ import annotations

from math import hypot
from typing import Any, NamedTuple

import numpy.typing as npt

from hastilude.bots.analyse import NORMAL_95, standard_error

# Samples in a row that may be similar: see `bots.analyse.Trials`. With hindsight, the first of them
# are too close to a random deal, so shorter blocks are biased (docs/review_proof.md).
BLOCK = 32
UNSEEN = 3.0  # what never came in n samples may come in up to 3 / n of all deals (rule of three)
DIGITS = 4  # more would be noise, and reviews are stored


class Estimate(NamedTuple):
    """The 95 % interval is `value` ± `margin`."""

    value: float
    margin: float

    @classmethod
    def of(cls, observed: npt.NDArray[Any]) -> Estimate:
        """The mean of samples, in blocks of BLOCK."""
        blocks = in_blocks(observed)
        mean = float(blocks.mean(dtype=float))
        spread = quantile_95(len(blocks) - 1) * standard_error(blocks)
        return cls(round(mean, DIGITS), round(hypot(spread, UNSEEN / len(observed)), DIGITS))

    @property
    def above_zero(self) -> bool:
        return self.value > self.margin


def quantile_95(freedom: int) -> float:
    """Of Student's distribution, approximately: a few blocks do not show their whole spread."""
    return NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4 * max(freedom, 1))


def in_blocks(observed: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The means of independent blocks of samples."""
    return observed.reshape(-1, BLOCK, *observed.shape[1:]).mean(axis=1)


def exactly(value: float) -> Estimate:
    return Estimate(round(value, DIGITS), 0.0)
