"""Template: what is legal and what follows. Clauses E1-E5 of RULES.md.

A card is its number minus one: the 1 is 0, the 6 is 5.
"""

import numpy as np

from hastilude.core import states
from hastilude.core.bits import NONE, Bits, bit, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import EVERYTHING, Cards, Numbers, State

SEATS = 2
CARDS = 6
HAND = 2
TRICKS = HAND
ASIDE = CARDS - SEATS * HAND

DEAL, CHOOSE, OVER = range(3)  # s["phase"]

NO_CARD = NOBODY = -1
HIDDEN = -2  # in a redacted state: a card that was chosen and is not shown yet

STATE = np.dtype(
    [
        ("hand", np.uint64, SEATS),
        ("aside", np.uint64),
        ("played", np.int8, (TRICKS, SEATS)),
        ("winner", np.int8, TRICKS),
        ("score", np.int8, SEATS),
        ("trick", np.int8),  # tricks finished
        ("phase", np.int8),
        ("viewer", np.int8),
    ],
    align=True,
)

FACTS = states.facts_type(SEATS)


class Fields(states.Fields):
    hand: tuple[int, ...]
    aside: int
    played: tuple[tuple[int, ...], ...]
    winner: tuple[int, ...]
    score: tuple[int, ...]
    trick: int
    phase: int


@kernel
def start(s: State, options: Numbers) -> None:
    s["hand"][:] = NONE
    s["aside"] = NONE
    s["played"][:] = NO_CARD
    s["winner"][:] = NOBODY
    s["score"][:] = 0
    s["trick"] = 0
    s["phase"] = DEAL
    s["viewer"] = EVERYTHING


@kernel
def pending(s: State) -> int:
    """E3: both seats, until they have chosen."""
    seats = 0
    if s["phase"] == CHOOSE:
        for seat in range(SEATS):
            if s["played"][s["trick"], seat] == NO_CARD:
                seats |= 1 << seat
    return seats


@kernel
def turn(s: State) -> int:
    seats = pending(s)
    return lowest(np.uint64(seats)) if seats else -1


@kernel
def legal(s: State, seat: int) -> Bits:
    return s["hand"][seat] if pending(s) >> seat & 1 else NONE


@kernel
def apply(s: State, seat: int, action: int) -> None:
    s["hand"][seat] ^= bit(action)
    s["played"][s["trick"], seat] = action
    if pending(s) == 0:
        finish_trick(s)


@kernel
def finish_trick(s: State) -> None:
    cards = s["played"][s["trick"]]
    winner = 0 if cards[0] > cards[1] else 1  # E4
    s["winner"][s["trick"]] = winner
    s["score"][winner] += 1
    s["trick"] += 1
    if s["trick"] == TRICKS:
        s["phase"] = OVER


@kernel
def chance_due(s: State) -> int:
    return 1 if s["phase"] == DEAL else 0


@kernel
def undealt(s: State, due: int, cards: Cards) -> int:
    for card in range(CARDS):
        cards[card] = card
    return CARDS


@kernel
def deal(s: State, due: int, order: Cards) -> None:
    """E2: a hand for each seat in turn; the rest is set aside."""
    for seat in range(SEATS):
        s["hand"][seat] = cards_of(order, HAND * seat, HAND)
    s["aside"] = cards_of(order, HAND * SEATS, ASIDE)
    s["phase"] = CHOOSE


@kernel
def cards_of(order: Cards, first: int, size: int) -> Bits:
    cards = NONE
    for k in range(first, first + size):
        cards |= bit(order[k])
    return cards


@kernel
def score(s: State, seat: int) -> int:
    return int(s["score"][seat])


@kernel
def winners(s: State) -> int:
    """E5: equal scores share the victory."""
    if s["phase"] != OVER:
        return 0
    if s["score"][0] == s["score"][1]:
        return 3
    return 1 if s["score"][0] > s["score"][1] else 2
