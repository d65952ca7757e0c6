"""A small network in kernels: its inputs are facts that are true or not, so that the first layer
is a sum of rows. It has one hidden layer of rectified units.

The first layer has a row per kind of decision and input, the second a table per kind with a row per
unit and a last row that is always added.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import NONE, ONE, Bits, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, pick
from hastilude.core.random import unit as random_unit

Floats: TypeAlias = npt.NDArray[np.float32]
Facts: TypeAlias = npt.NDArray[np.int16]

MEANS, SQUARES = 0.9, 0.999  # how much Adam remembers of slopes, and of their squares


class Layers(NamedTuple):
    first: Floats
    second: Floats


class Pupil(NamedTuple):
    """A network that learns: for each layer three arrays of Adam's method, which are the slope, its
    mean, and the mean of its square."""

    layers: Layers
    first: Floats
    second: Floats


def new_pupil(layers: Layers) -> Pupil:
    first, second = (np.zeros((3, *layer.shape), np.float32) for layer in layers)
    return Pupil(layers, first, second)


@kernel
def think(true: Facts, size: int, begin: int, layers: Any, units: Floats) -> None:
    """The hidden layer, for the facts that are true and the first row of their kind."""
    width = len(units)
    for unit in range(width):
        units[unit] = 0.0
    for k in range(size):
        row = layers.first[begin + true[k]]
        for unit in range(width):
            units[unit] += row[unit]
    for unit in range(width):
        units[unit] = max(units[unit], np.float32(0.0))


@kernel
def conclude(units: Floats, kind: int, layers: Any, outputs: Floats) -> None:
    """The outputs of a kind."""
    rows, width = layers.second[kind], len(units)
    for k in range(len(outputs)):
        outputs[k] = rows[width, k]
    for unit in range(width):
        strength = units[unit]
        if strength > 0.0:
            for k in range(len(outputs)):
                outputs[k] += strength * rows[unit, k]


@kernel
def try_one(
    worths: Floats, actions: Bits, warmth: float, curiosity: float, rng: Rng
) -> tuple[int, float]:
    """Choose an action to learn from: with the probability `curiosity` any, otherwise one that is
    worse by `warmth` e times less often. Also returns what such a choice is worth on average."""
    best, rest = float(worths[lowest(actions)]), actions
    while rest != NONE:
        best = max(best, float(worths[lowest(rest)]))
        rest &= rest - ONE
    total, mean, rest = 0.0, 0.0, actions
    while rest != NONE:
        weight = np.exp((worths[lowest(rest)] - best) / warmth)
        total += weight
        mean += weight * worths[lowest(rest)]
        rest &= rest - ONE
    if random_unit(rng) < curiosity:
        return pick(rng, actions), mean / total
    left, chosen, rest = total * random_unit(rng), lowest(actions), actions
    while rest != NONE and left >= 0.0:
        chosen = lowest(rest)
        left -= np.exp((worths[chosen] - best) / warmth)
        rest &= rest - ONE
    return chosen, mean / total


@kernel
def correct(
    true: Facts,
    size: int,
    begin: int,
    units: Floats,
    kind: int,
    error: np.float32,
    parts: Floats,
    pupil: Any,
    back: Floats,
) -> None:
    """Add the slopes of an error to the sums. `parts` says how much of each output was in what was
    wrong; `back` is memory for the slopes of the units."""
    rows, slopes = pupil.layers.second[kind], pupil.second[0, kind]
    width = len(units)
    for unit in range(width + 1):
        strength = units[unit] if unit < width else np.float32(1.0)
        pull = np.float32(0.0)
        if strength > 0.0:
            for k in range(len(parts)):
                pull += parts[k] * rows[unit, k]
                slopes[unit, k] += error * strength * parts[k]
        if unit < width:
            back[unit] = error * pull
    for k in range(size):
        slope = pupil.first[0, begin + true[k]]
        for unit in range(width):
            slope[unit] += back[unit]


@kernel
def improve(pupil: Any, choices: int, rate: float, number: int) -> None:
    """Make the `number`-th step against the mean slope of so many choices."""
    step(pupil.layers.first, pupil.first, choices, rate, number)
    for kind in range(len(pupil.layers.second)):
        step(pupil.layers.second[kind], pupil.second[:, kind], choices, rate, number)


@kernel
def step(weights: Floats, slopes: Floats, choices: int, rate: float, number: int) -> None:
    """One layer's step (Adam, after Kingma and Ba)."""
    means, squares = np.float32(MEANS), np.float32(SQUARES)
    size = np.float32(rate / (1.0 - MEANS**number))
    scale = np.float32(1.0 / (1.0 - SQUARES**number))
    for row in range(weights.shape[0]):
        weight, slope = weights[row], slopes[0, row]
        mean, square = slopes[1, row], slopes[2, row]
        for k in range(weights.shape[1]):
            now = slope[k] / np.float32(choices)
            mean[k] = means * mean[k] + (np.float32(1.0) - means) * now
            square[k] = squares * square[k] + (np.float32(1.0) - squares) * now * now
            weight[k] -= size * mean[k] / (np.sqrt(square[k] * scale) + np.float32(1e-6))
            slope[k] = 0.0


def shrunk(weights: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Weights as numbers of one byte, and what one of them means in each column of each table."""
    scales = np.maximum(abs(weights).max(axis=-2), 1e-9) / 127
    small = np.rint(weights / scales[..., None, :]).astype(np.int8)
    return small, scales.astype(np.float32)


def grown(small: npt.NDArray[np.int8], scales: Floats) -> Floats:
    return small * scales[..., None, :]
