"""Estimates: how often the 95 % interval contains the truth."""

import numpy as np
import pytest

from hastilude.reviews.estimate import Estimate
from hastilude.reviews.judging import MEASURING
from hastilude.reviews.review import FORECAST


@pytest.mark.parametrize("samples", [FORECAST, MEASURING])
@pytest.mark.parametrize("chance", [0.0005, 0.002, 0.01, 0.1, 0.5, 0.95, 0.999])
def test_the_interval_contains_the_chance(chance, samples):
    rng = np.random.default_rng(1)
    estimates = [Estimate.of(rng.random(samples) < chance) for _ in range(1000)]
    right = [abs(one.value - chance) <= one.margin for one in estimates]
    assert np.mean(right) >= 0.93


def test_what_never_came_is_not_impossible():
    never = Estimate.of(np.zeros(MEASURING))
    assert never.value == 0
    assert never.margin > 1 / MEASURING
