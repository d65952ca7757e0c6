"""A learner in one page: a small network in NumPy, policy gradients, random opponents.

    python examples/learn.py kings_tournament
    python examples/learn.py triatri --players 2

It needs `pip install 'hastilude[research,examples]'`. On two cores each command takes a few minutes
and writes its learning curve to NAME.svg, with the reference bot's win share as a line.
"""

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by NumPy; small matrices

import numpy as np
from numpy.typing import NDArray

from hastilude import Game
from hastilude.adapters.gymnasium import VectorEnv
from hastilude.simulation import Tally, play_matches

MATCHES, STEPS, EPOCHS, PIECES, HIDDEN, RATE = 512, 32, 3, 8, 192, 1e-3
GAMMA, LAMBDA, CLIP, CURIOSITY = 0.997, 0.95, 0.2, 0.01

Numbers = NDArray[Any]
Seen = dict[str, Numbers]  # the observation and the mask of legal actions, one row per match


class Network:
    """One hidden layer. The last output is the value of the position, the others are actions."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        sizes = ((inputs, HIDDEN), (HIDDEN,), (HIDDEN, actions + 1), (actions + 1,))
        scales = (inputs**-0.5, 0, 0.1 * HIDDEN**-0.5, 0)
        pairs = zip(sizes, scales, strict=True)
        self.weights = [scale * rng.standard_normal(size, np.float32) for size, scale in pairs]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.updates = 0

    def __call__(self, seen: Seen) -> tuple[Numbers, Numbers, tuple[Numbers, Numbers]]:
        """The probabilities of the actions, the position's value, and what `learn` needs."""
        inputs = seen["observation"] / np.float32(8)
        first, bias, second, last = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        out = hidden @ second + last
        scores = np.where(seen["action_mask"], out[:, :-1], -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True), out[:, -1], (inputs, hidden)

    def learn(
        self, seen: Seen, actions: Numbers, before: Numbers, advantages: Numbers, wanted: Numbers
    ) -> None:
        chances, worth, (inputs, hidden) = self(seen)
        rows = np.arange(len(actions))
        ratio = chances[rows, actions] / before
        free = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # PPO's clipping
        logs = np.log(np.maximum(chances, 1e-8))
        slope = CURIOSITY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        slope += chances * (free * ratio * advantages)[:, None]
        slope[rows, actions] -= free * ratio * advantages
        slope = np.column_stack([slope, worth - wanted]) / np.float32(len(actions))
        back = (slope @ self.weights[2].T) * (hidden > 0)
        self.descend([inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)])

    def descend(self, slopes: Sequence[Numbers]) -> None:
        """One step of Adam."""
        self.updates += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean[...] += 0.1 * (slope - mean)
            square[...] += 0.001 * (slope**2 - square)
            rate = RATE * (1 - 0.999**self.updates) ** 0.5 / (1 - 0.9**self.updates)
            weight[...] -= rate * mean / (np.sqrt(square) + 1e-8)


def choose(chances: Numbers, rng: np.random.Generator) -> Numbers:
    drawn = rng.random((len(chances), 1)) * 0.999999
    return (chances.cumsum(axis=1) > drawn).argmax(axis=1)


def improve(network: Network, env: VectorEnv, seen: Seen, rng: np.random.Generator) -> Seen:
    """Play STEPS steps in every match and learn from them; returns the last observations."""
    story: list[list[Any]] = []
    for _ in range(STEPS):
        chances, worth, _ = network(seen)
        actions = choose(chances, rng)
        story.append([seen, actions, chances[np.arange(MATCHES), actions], worth, 0, 0])
        seen, story[-1][4], story[-1][5], _, _ = env.step(actions)
    later, gain = network(seen)[1], np.zeros(MATCHES, np.float32)
    for step in reversed(story):  # generalized advantages, which stop at the end of a match
        _, _, _, worth, rewards, done = step
        gain = rewards - worth + ~done * GAMMA * (later + LAMBDA * gain)
        later, step[4], step[5] = worth, gain, gain + worth
    observed, *columns = zip(*story, strict=True)
    inputs = {key: np.concatenate([step[key] for step in observed]) for key in seen}
    actions, before, _, gains, wanted = map(np.concatenate, columns)
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for _ in range(EPOCHS):
        for some in np.array_split(rng.permutation(len(actions)), PIECES):
            piece = {key: value[some] for key, value in inputs.items()}
            network.learn(piece, actions[some], before[some], gains[some], wanted[some])
    return seen


def win_share(network: Network, game: str, matches: int = 2000, **options: Any) -> float:
    """The win share against random seats, always playing the likeliest action."""
    env = VectorEnv(game, matches, seat=None, autoreset_mode="SameStep", **options)
    seen, _ = env.reset(seed=1)
    results = np.full(matches, np.nan)
    while np.isnan(results).any():
        seen, rewards, done, _, _ = env.step(network(seen)[0].argmax(axis=1))
        results = np.where(done & np.isnan(results), rewards, results)
    seats = env.game.seats
    return (results.mean() * (seats - 1) + 1) / seats


def reference_share(game: Game, matches: int = 1000) -> float:
    tally = Tally(game.seats)
    for match in play_matches(game, ["reference", *["random"] * (game.seats - 1)], 1, matches):
        tally.add(match)
    return tally.win_share(0)


def plot(
    curve: Sequence[tuple[float, float]], env: VectorEnv, reference: float, path: str | Path
) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415  # only a plot needs it

    axes = (figure := Figure(figsize=(7, 4), layout="constrained")).subplots()
    axes.plot(*zip(*curve, strict=True), label="learner")
    axes.axhline(reference, color="C1", linestyle="--", label="reference bot")
    axes.axhline(1 / env.game.seats, color="grey", linestyle=":", label="random")
    axes.set(xlabel="minutes", ylabel="win share against random", title=env.game.title)
    axes.set_ylim(0.4, 1)
    axes.legend(loc="lower right")
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> list[tuple[float, float]]:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("game", help="a game for two players")
    parser.add_argument("--players", type=int)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--looks", type=int, default=20, help="points of the curve")
    parser.add_argument("--plot", type=Path, help="where the curve goes; default: NAME.svg")
    given = parser.parse_args(arguments)
    options = {"players": given.players} if given.players else {}
    env = VectorEnv(given.game, MATCHES, seat=None, autoreset_mode="SameStep", **options)
    rng = np.random.default_rng(1)
    network = Network(env.game.layout.size, env.game.num_actions, rng)
    seen, _ = env.reset(seed=1)
    curve, spent = [(0.0, win_share(network, given.game, **options))], 0.0
    while spent < given.minutes:
        begun = time.monotonic()
        while time.monotonic() - begun < 60 * given.minutes / given.looks:
            seen = improve(network, env, seen, rng)
        spent += (time.monotonic() - begun) / 60
        curve.append((spent, win_share(network, given.game, **options)))
        print(f"{spent:6.2f} min  {curve[-1][1]:.1%}", flush=True)
    reference = reference_share(env.game)
    print(f"reference bot  {reference:.1%}")
    plot(curve, env, reference, given.plot or f"{given.game}.svg")
    return curve


if __name__ == "__main__":
    main()
