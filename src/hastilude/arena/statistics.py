"""95 % confidence intervals of means of independent observations."""

from collections.abc import Sequence
from math import isclose, pi, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

OUTSIDE = 0.025  # on either side of a 95 % interval
NORMAL = NormalDist().inv_cdf(1 - OUTSIDE)


class Interval(NamedTuple):
    """A mean and the ends of its interval; None if there are too few observations."""

    mean: float
    low: float | None = None
    high: float | None = None


def interval(observations: Sequence[float]) -> Interval:
    """The t-interval of a mean. If all observations are equal, the interval is unknown."""
    mean = fmean(observations)
    spread = stdev(observations) if len(observations) > 1 else 0.0
    if isclose(spread, 0.0, abs_tol=1e-12):
        return Interval(mean)
    reach = t_quantile(len(observations) - 1) * spread / sqrt(len(observations))
    return Interval(mean, mean - reach, mean + reach)


def share_interval(observations: Sequence[float]) -> Interval:
    """The interval of a mean of numbers from 0 to 1.

    If all observations are equal, the interval reaches to the probability of an event that would
    be missed in so many observations once in forty runs.
    """
    mean, low, high = interval(observations)
    if low is None or high is None:
        seen = OUTSIDE ** (1 / len(observations))
        return Interval(mean, mean * seen, mean * seen + 1 - seen)
    return Interval(mean, max(0.0, low), min(1.0, high))


def t_quantile(freedom: int, outside: float = OUTSIDE) -> float:
    """Half the width of an interval, in standard errors (Student's t); by default of 95 %.

    By the expansion of Abramowitz and Stegun (26.7.5), for 95 % within 0.2 % from three degrees of
    freedom on: one number does not justify depending on a statistics library.
    """
    if freedom == 1:
        return tan(pi * (0.5 - outside))
    if freedom == 2:  # noqa: PLR2004  # it has a closed form
        inside = 1 - 2 * outside
        return inside * sqrt(2 / (1 - inside**2))
    z, n = NormalDist().inv_cdf(1 - outside), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n**power for power, term in enumerate(terms, start=1))
