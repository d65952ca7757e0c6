"""Template: what a seat may know, and the cards that it cannot know, dealt at random."""

from hastilude.core.bits import NONE, bit, has
from hastilude.core.dealing import ALLOWED, DEALT, deal_unseen
from hastilude.core.dealing import CARDS as UNSEEN
from hastilude.core.dealing import SUITS as SUIT_OF
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import EVERYTHING, Cards, Facts, State
from hastilude.games._template.rules import (
    ASIDE,
    CARDS,
    CHOOSE,
    DEAL,
    HAND,
    HIDDEN,
    NO_CARD,
    SEATS,
    TRICKS,
    cards_of,
)


@kernel
def redact(s: State, seat: int, r: State) -> None:
    r["viewer"] = seat
    r["winner"][:] = s["winner"]
    r["score"][:] = s["score"]
    r["trick"] = s["trick"]
    r["phase"] = s["phase"]
    r["played"][:] = s["played"]
    r["aside"] = NONE
    for other in range(SEATS):
        r["hand"][other] = s["hand"][other] if other == seat else NONE
        if s["phase"] == CHOOSE and other != seat and s["played"][s["trick"], other] != NO_CARD:
            r["played"][s["trick"], other] = HIDDEN


@kernel
def hand_size(r: State, seat: int) -> int:
    held = HAND
    for trick in range(TRICKS):
        held -= r["played"][trick, seat] != NO_CARD
    return held


@kernel
def infer(r: State, facts: Facts) -> None:
    """The state contains everything that a view says."""


@kernel
def determinize(r: State, rng: Rng, work: Cards) -> None:
    size = hidden_places(r, work)
    if size:
        deal_unseen(rng, work, size, 1)
        fill_hidden(r, work)
    r["viewer"] = EVERYTHING


@kernel
def hidden_places(r: State, work: Cards) -> int:
    if r["phase"] == DEAL:
        return 0
    seen = r["hand"][0] | r["hand"][1]
    for trick in range(TRICKS):
        for seat in range(SEATS):
            card = int(r["played"][trick, seat])
            if card >= 0:
                seen |= bit(card)
    size = 0
    for card in range(CARDS):
        if not has(seen, card):
            work[UNSEEN + size] = card
            work[SUIT_OF + size] = 0
            work[ALLOWED + size] = 1  # there is one suit, and nobody is known to have none of it
            size += 1
    return size


@kernel
def fill_hidden(r: State, work: Cards) -> None:
    dealt, place = work[DEALT:], 0
    for seat in range(SEATS):
        if seat != r["viewer"]:
            size = hand_size(r, seat)
            r["hand"][seat] = cards_of(dealt, place, size)
            place += size
            if r["phase"] == CHOOSE and r["played"][r["trick"], seat] == HIDDEN:
                r["played"][r["trick"], seat] = dealt[place]
                place += 1
    r["aside"] = cards_of(dealt, place, ASIDE)


# --- the cards aside, which nobody ever sees ------------------------------------------------------


@kernel
def shown_at_once(s: State, due: int) -> int:
    return HAND * SEATS


@kernel
def face_down(s: State, pile: int, cards: Cards) -> int:
    if pile > 0 or s["phase"] == DEAL:
        return 0
    size = 0
    for card in range(CARDS):
        if has(s["aside"], card):
            cards[size] = card
            size += 1
    return size


@kernel
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    """They have no order."""
