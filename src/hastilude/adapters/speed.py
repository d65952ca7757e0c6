"""What `hastilude bench` measures with the libraries of the extra `research`.

Each function prepares something; what it returns does that so many times and returns the number of
actions or steps.
"""
# ruff: noqa: PLC0415  # each library is needed by one of them only

from collections.abc import Callable
from typing import Any

import numpy as np

from hastilude.core.game import Game

Work = Callable[[int], int]


def vector_work(game: Game, matches: int) -> Work:
    """Steps of the vector environment, the learner at random too."""
    from hastilude.adapters.gymnasium import VectorEnv

    env = VectorEnv(game.name, matches, **game.options)
    env.reset(seed=1)

    def work(times: int) -> int:
        for _ in range(times):
            env.step(env.random_actions())
        return times * matches

    return work


def raw_env_work(game: Game, matches: int) -> Work:
    """Recorded matches again, one by one: `last` with its observation, then `step`."""
    from hastilude.adapters.pettingzoo import raw_env

    env = raw_env(game.name, **game.options)
    rng = np.random.default_rng(1)
    told = [raw_env_match(env, seed, rng) for seed in range(matches)]
    steps = sum(map(len, told))

    def work(times: int) -> int:
        for _ in range(times):
            for seed, actions in enumerate(told):
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
    """Random plays of dealt hands again: legal_actions and apply_action, the deal left out."""
    import pyspiel

    rng = np.random.default_rng(1)
    game = pyspiel.load_game(name)
    told = [open_spiel_match(game, rng) for _ in range(matches)]
    actions = sum(len(plays) for _, plays in told)

    def work(times: int) -> int:
        for _ in range(times):
            for dealt, plays in told:
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
