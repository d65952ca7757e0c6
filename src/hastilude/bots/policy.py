"""Policies: what a bot would do, as kernels, so that a search can play them in its rollouts.

Each game's policies are in `bots/reference/<game>.py`, which registers them for the game's states.
"""

from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State, of_each_game


@of_each_game
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    """A sensible legal action for a pending seat, quickly.

    `s` may be a true state, in the middle of a rollout: a policy looks only at what the seat may
    know. It is never changed, so that strength is measured against something fixed.
    """
    raise NotImplementedError
