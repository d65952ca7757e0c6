"""Hooks: a game provides all functions of a group, once, and nothing else is taken."""

from types import ModuleType

import numpy as np
import pytest

from hastilude.core.hooks import Hooks
from hastilude.core.kernel import kernel

STATE = np.dtype([("size", np.int64)])


def module(name, **functions):
    made = ModuleType(name)
    for key, function in functions.items():
        function.__module__ = name
        setattr(made, key, function)
    return made


def doubled(s):
    return int(s["size"]) * 2


def tripled(s):
    return int(s["size"]) * 3


def group(optional=False):
    hooks = Hooks("sizes", optional)

    @hooks.hook
    def measure(s):
        return -1

    return hooks, measure


def state():
    states = np.zeros(1, STATE)
    states["size"] = 21
    return states


def test_the_game_answers():
    hooks, measure = group()
    hooks.provide(STATE, module("game", measure=doubled, other=tripled))
    assert measure(state()[0]) == 42


def test_the_game_answers_in_a_kernel():
    hooks, measure = group()
    hooks.provide(STATE, module("game", measure=kernel(doubled)))

    @kernel
    def measure_at(states):
        return measure(states[0])

    assert measure_at(state()) == 42


def test_a_missing_function_is_noticed_when_the_game_is_loaded():
    hooks, _ = group()
    with pytest.raises(TypeError, match="game: sizes lack measure"):
        hooks.provide(STATE, module("game", mesure=doubled))


def test_a_second_definition_is_refused():
    hooks, _ = group()
    with pytest.raises(TypeError, match="late defines measure a second time"):
        hooks.provide(STATE, module("game", measure=doubled), module("late", measure=tripled))
    hooks.provide(STATE, module("game", measure=doubled))
    with pytest.raises(TypeError, match="there already"):
        hooks.provide(STATE, module("game", measure=tripled))


def test_what_a_module_only_imports_is_not_taken():
    hooks, _ = group()
    importing = module("game")
    importing.measure = lambda s: 0  # this test's, not the game's
    with pytest.raises(TypeError, match="lack measure"):
        hooks.provide(STATE, importing)


def test_an_optional_group_does_without_the_game():
    _, measure = group(optional=True)
    assert measure(state()[0]) == -1
