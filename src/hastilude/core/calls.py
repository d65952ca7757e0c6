"""Kernels that Python calls, for a match or for a state without one.

They take an array and an index: passing a record alone costs numba five times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hastilude.core import rules
from hastilude.core.bits import NONE, ONE, Bits, bit, has, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import SPECTATOR, Cards, Numbers

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
def choose_at(states: Any, seat: int, action: int, public: Any, words: Any) -> int:
    """The same for a choice that is put together; returns REFUSED, UNFINISHED, WHOLE or ENDS.

    It is whole as soon as others could tell that it was made, or chance has to act. `public` is
    room for two states, `words` are the words of each.
    """
    due = play_at(states, seat, action)
    if due == REFUSED:
        return REFUSED
    waiting = rules.pending(states[NOW])
    if due == 0 and waiting == 0:
        return ENDS
    if due != 0 or not waiting >> seat & 1:
        return WHOLE
    for i in (NOW, BEFORE):
        rules.redact(states[i], SPECTATOR, public[i])
    for word in range(words.shape[1]):
        if words[NOW, word] != words[BEFORE, word]:
            return WHOLE
    return UNFINISHED


@kernel
def complete_at(states: Any, seat: int, room: Any, public: Any, words: Any) -> Bits:
    """The actions of a seat that are a whole choice each; `room` is for two more states."""
    found, untried = NONE, rules.legal(states[NOW], seat)
    while untried != NONE:
        action = lowest(untried)
        untried &= untried - ONE
        room[NOW] = states[NOW]
        if choose_at(room, seat, action, public, words) != UNFINISHED:
            found |= bit(action)
    return found


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
def look_at(states: Any, seat: int, redacted: Any, facts: Any) -> None:
    """What a seat may know, and what follows from it."""
    rules.redact(states[NOW], seat, redacted[0])
    infer_at(redacted, facts)


@kernel
def infer_at(redacted: Any, facts: Any) -> None:
    r, found = redacted[0], facts[0]
    found["pending"] = rules.pending(r)
    found["winners"] = rules.winners(r)
    for seat in range(len(found["scores"])):
        found["scores"][seat] = rules.score(r, seat)
    rules.infer(r, found)


@kernel
def determinize_at(redacted: Any, i: int, rng: Any, work: Cards) -> None:
    rules.determinize(redacted[i], rng, work)


@kernel
def encode_at(redacted: Any, i: int, out: Any) -> None:
    rules.encode(redacted[i], out)
