"""Kernels that Python calls, for a match or for a state without one.

They take an array and an index: passing a record alone costs numba five times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hastilude.core import rules
from hastilude.core.bits import Bits, has
from hastilude.core.kernel import kernel
from hastilude.core.rules import Cards, Numbers

REFUSED, UNFINISHED, WHOLE, ENDS = range(-1, 3)  # what became of an action
NOW, BEFORE = 0, 1  # the two states that a match keeps
# What it notes about the first: three facts, then the scores and the legal actions of all seats.
PENDING, TURN, WINNERS, FACTS = range(4)


@kernel
def start_at(states: Any, options: Numbers) -> None:
    rules.start(states[0], options)


@kernel
def turn_at(states: Any, i: int) -> int:
    return rules.turn(states[i])


@kernel
def legal_at(states: Any, i: int, seat: int) -> Bits:
    return rules.legal(states[i], seat)


@kernel
def apply_at(states: Any, i: int, seat: int, action: int) -> None:
    rules.apply(states[i], seat, action)


@kernel
def play_at(states: Any, seat: int, action: int) -> int:
    """Apply an action if it is legal; returns REFUSED or the chance event that is due."""
    if not has(rules.legal(states[NOW], seat), action):
        return REFUSED
    states[BEFORE] = states[NOW]
    rules.apply(states[NOW], seat, action)
    return rules.chance_due(states[NOW])


@kernel
def play_and_note(states: Any, seat: int, action: int, facts: Numbers) -> int:
    due = play_at(states, seat, action)
    if due == 0:
        note_at(states, facts)
    return due


@kernel
def note_at(states: Any, facts: Numbers) -> None:
    """Note the facts that everybody needs, in one call: a call costs more than all the facts."""
    s = states[NOW]
    facts[PENDING] = rules.pending(s)
    facts[TURN] = rules.turn(s)
    facts[WINNERS] = rules.winners(s)
    seats = (len(facts) - FACTS) // 2
    for seat in range(seats):
        facts[FACTS + seat] = rules.score(s, seat)
        facts[FACTS + seats + seat] = np.int64(rules.legal(s, seat))


@kernel
def choose_at(states: Any, seat: int, action: int) -> int:
    """The same for a choice that is put together; returns REFUSED, UNFINISHED, WHOLE or ENDS."""
    due = play_at(states, seat, action)
    if due == REFUSED:
        return REFUSED
    waiting = rules.pending(states[NOW])
    if due == 0 and waiting == 0:
        return ENDS
    return UNFINISHED if due == 0 and waiting >> seat & 1 else WHOLE


@kernel
def due_at(states: Any, i: int) -> int:
    return rules.chance_due(states[i])


@kernel
def undealt_at(states: Any, i: int, due: int, cards: Cards) -> int:
    return rules.undealt(states[i], due, cards)


@kernel
def deal_at(states: Any, i: int, due: int, order: Cards) -> int:
    """Apply the chance event; returns the next one that is due."""
    rules.deal(states[i], due, order)
    return rules.chance_due(states[i])


@kernel
def winners_at(states: Any, i: int) -> int:
    return rules.winners(states[i])


@kernel
def redact_at(states: Any, i: int, seat: int, redacted: Any, j: int) -> None:
    rules.redact(states[i], seat, redacted[j])


@kernel
def redact_both(states: Any, seat: int, redacted: Any) -> None:
    rules.redact(states[NOW], seat, redacted[NOW])
    rules.redact(states[BEFORE], seat, redacted[BEFORE])


@kernel
def look_at(states: Any, seat: int, redacted: Any) -> int:
    """Redact, and tell who is pending."""
    rules.redact(states[NOW], seat, redacted[0])
    return rules.pending(redacted[0])


@kernel
def determinize_at(redacted: Any, i: int, rng: Any, work: Cards) -> None:
    rules.determinize(redacted[i], rng, work)


@kernel
def encode_at(redacted: Any, i: int, out: Any) -> None:
    rules.encode(redacted[i], out)
