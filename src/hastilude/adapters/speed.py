"""What `hastilude bench` measures with the libraries of the extra `research`.

Each function returns a `Work`: a function that repeats something a number of times and returns the
number of actions or steps.
"""
# ruff: noqa: PLC0415  # each library is needed by only one of them

from collections.abc import Callable
from typing import Any

import numpy as np

from hastilude.core.game import Game

Work = Callable[[int], int]


def vector_work(game: Game, matches: int) -> Work:
    """Steps of the vector environment, with a random learner."""
    from hastilude.adapters.gymnasium import VectorEnv

    env = VectorEnv(game.name, matches, **game.options)
    env.reset(seed=1)

    def work(times: int) -> int:
        for _ in range(times):
            env.step(env.random_actions())
        return times * matches

    return work


def raw_env_work(game: Game, matches: int) -> Work:
    """Repeats recorded matches one by one: `last` with its observation, then `step`."""
    from hastilude.adapters.pettingzoo import raw_env

    env = raw_env(game.name, **game.options)
    rng = np.random.default_rng(1)
    recorded = [raw_env_match(env, seed, rng) for seed in range(matches)]
    steps = sum(map(len, recorded))

    def work(times: int) -> int:
        for _ in range(times):
            for seed, actions in enumerate(recorded):
                env.reset(seed=seed)
                for action in actions:
                    env.last()
                    env.step(action)
        return times * steps

    return work


def raw_env_match(env: Any, seed: int, rng: np.random.Generator) -> list[int]:
    env.reset(seed=seed)
    actions = []
    while not env.match.over:
        actions.append(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        env.step(actions[-1])
    return actions


def open_spiel_work(name: str, matches: int) -> Work:
    """Repeats random plays of dealt hands: legal_actions and apply_action, without the deal."""
    import pyspiel

    rng = np.random.default_rng(1)
    game = pyspiel.load_game(name)
    recorded = [open_spiel_match(game, rng) for _ in range(matches)]
    actions = sum(len(plays) for _, plays in recorded)

    def work(times: int) -> int:
        for _ in range(times):
            for dealt, plays in recorded:
                state = dealt.clone()
                for action in plays:
                    state.legal_actions()
                    state.apply_action(action)
        return times * actions

    return work


def open_spiel_match(game: Any, rng: np.random.Generator) -> tuple[Any, list[int]]:
    """A dealt state and random plays from it to the end."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    dealt, plays = state.clone(), []
    while not state.is_terminal():
        plays.append(int(rng.choice(state.legal_actions())))
        state.apply_action(plays[-1])
    return dealt, plays
