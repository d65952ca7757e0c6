"""Playouts: matches played to the end at random, compiled."""

from typing import Any

from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, pick, shuffle
from hastilude.core.rules import (
    Cards,
    State,
    apply,
    chance_due,
    deal,
    legal,
    turn,
    undealt,
)


@kernel
def deal_due(s: State, rng: Rng, cards: Cards) -> None:
    """Let all chance events happen that are due."""
    due = chance_due(s)
    while due:
        shuffle(rng, cards, undealt(s, due, cards))
        deal(s, due, cards)
        due = chance_due(s)


@kernel
def play_out(s: State, rng: Rng, cards: Cards) -> int:
    """Play a match to the end at random; returns the number of actions."""
    actions = 0
    while True:
        if chance_due(s):  # checked here too: calling `deal_due` for nothing halves the speed
            deal_due(s, rng, cards)
        seat = turn(s)
        if seat < 0:
            return actions
        apply(s, seat, pick(rng, legal(s, seat)))
        actions += 1


@kernel
def play_many(states: Any, rng: Rng, cards: Cards, matches: int) -> int:
    """Play `matches` times from states[0], in states[1]; returns the number of actions."""
    actions = 0
    for _ in range(matches):
        states[1] = states[0]
        actions += play_out(states[1], rng, cards)
    return actions
