"""Intervals cover the truth as often as they say."""

import numpy as np
import pytest
from scipy import stats

from hastilude.arena.statistics import interval, share_interval, t_quantile


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 20, 100, 5000])
def test_quantiles_are_those_of_students_t(freedom):
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


def coverage(simulate, truth, find, arenas=400):
    covered = 0
    for _ in range(arenas):
        found = find(simulate())
        covered += found.low <= truth <= found.high
    return covered / arenas


@pytest.mark.parametrize("deals", [5, 30, 200])
@pytest.mark.parametrize(("truth", "rotations"), [(0.5, 2), (0.25, 4), (0.6, 2)])
def test_win_shares_of_coin_flips_are_covered(deals, truth, rotations):
    rng = np.random.default_rng([deals, rotations])

    def arena():
        return rng.binomial(rotations, truth, deals) / rotations

    # Few flips have few values, and an interval that reaches too far is no lie.
    assert 0.90 <= coverage(arena, truth, share_interval) <= (0.99 if deals > 5 else 1)


@pytest.mark.parametrize("deals", [3, 30])
def test_scores_are_covered(deals):
    rng = np.random.default_rng(deals)
    assert 0.90 <= coverage(lambda: rng.normal(3.2, 4, deals).tolist(), 3.2, interval) <= 0.99


def test_rotations_that_share_their_luck_are_one_observation():
    """Counted one by one they would promise four times the information that there is."""
    rng = np.random.default_rng(1)
    each = [rng.normal(0, 1, 40) for _ in range(300)]
    honest = sum(abs(one.mean()) <= interval(one).high - one.mean() for one in each)
    deluded = 0
    for one in each:
        found = interval(np.repeat(one, 4))
        deluded += found.low <= 0 <= found.high
    assert honest >= 270 > deluded


def test_nothing_is_known_where_nothing_varies():
    assert interval([2.0]) == interval([2.0, 2.0]) == (2.0, None, None)


def test_a_bot_that_always_won_may_lose_yet():
    mean, low, high = share_interval([1.0] * 50)
    assert (mean, high) == (1, 1)
    assert low == pytest.approx(stats.beta.ppf(0.025, 50, 1))  # the exact interval of 50 of 50
    assert share_interval([0.0] * 50)[1:] == pytest.approx((0, 1 - low))


def test_shares_stay_between_none_and_all():
    mean, low, high = share_interval([1.0, 1.0, 0.5])
    assert low > 0
    assert high == 1
    assert mean == pytest.approx(5 / 6)
