"""Tornei: what a seat may know (T18), and the cards that it cannot know, dealt at random."""

from hastilude.core.bits import NONE, Bits, bit, has
from hastilude.core.dealing import ALLOWED, DEALT, deal_unseen
from hastilude.core.dealing import CARDS as UNSEEN
from hastilude.core.dealing import SUITS as SUIT_OF
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import EVERYTHING, Cards, Facts, State
from hastilude.games.tornei.rules import (
    CARDS,
    DUMMY,
    FOLLOW,
    HIDDEN,
    LAID,
    NO_CARD,
    PREDICT,
    RANKS,
    SEATS,
    SUITS,
    TRICKS,
    ahead,
    suit_of,
    total,
    trick_points,
)

ALL_SUITS = (1 << SUITS) - 1


@kernel
def redact(s: State, seat: int, r: State) -> None:
    r["viewer"] = seat
    copy_public(s, r)
    for other in range(SEATS):
        shown = other == seat or (other == DUMMY and s["players"] == DUMMY)
        r["hand"][other] = s["hand"][other] if shown else NONE
    trick = int(s["trick"])
    if predictions_are_down(s):
        for other in range(SEATS):
            if other != seat and s["prediction"][trick, other] != NO_CARD:
                r["prediction"][trick, other] = HIDDEN
    for k in range(LAID):
        r["pile"][k] = s["pile"][k] if k < trick else NO_CARD


@kernel
def copy_public(s: State, r: State) -> None:
    """Copy everything that is the same for all viewers; predictions are hidden afterwards."""
    r["score"][:] = s["score"]
    r["joust"][:] = s["joust"]
    r["prediction"][:] = s["prediction"]
    r["leader"][:] = s["leader"]
    r["last_joust"][:] = s["last_joust"]
    r["last_prediction"][:] = s["last_prediction"]
    r["last_leader"] = s["last_leader"]
    r["points"][:] = s["points"]
    r["won"][:] = s["won"]
    r["sheet"][:] = s["sheet"]
    r["laid"][:] = s["laid"]
    r["place_points"][:] = s["place_points"]
    r["no_trick_points"] = s["no_trick_points"]
    r["players"] = s["players"]
    r["round"] = s["round"]
    r["dealer"] = s["dealer"]
    r["trick"] = s["trick"]
    r["phase"] = s["phase"]
    r["turn"] = s["turn"]
    r["waiting"] = s["waiting"]


@kernel
def predictions_are_down(s: State) -> bool:
    """T10: they are turned up when the last joust card has been played."""
    return s["phase"] == PREDICT or s["phase"] == FOLLOW


@kernel
def hand_size(r: State, seat: int) -> int:
    """T18: how many cards a player holds, counted from what they have put down."""
    held = RANKS if r["leader"][0] >= 0 else 0  # nothing has been dealt before the first lead
    for trick in range(min(int(r["trick"]) + 1, TRICKS)):
        held -= r["joust"][trick, seat] != NO_CARD
        held -= r["prediction"][trick, seat] != NO_CARD
    return held


@kernel
def infer(r: State, facts: Facts) -> None:
    facts["ahead"] = ahead(r)
    for seat in range(SEATS):
        facts["held"][seat] = hand_size(r, seat) if seat < r["players"] else 0
        facts["trick_points"][seat] = trick_points(r, int(r["won"][seat]))
        facts["total"][seat] = total(r, seat)
    facts["seen"] = seen_cards(r)


@kernel
def void_suits(r: State, seat: int, tricks: int) -> int:
    """The suits that a seat did not follow in the first `tricks` tricks, so it has none (T9)."""
    voids = 0
    for trick in range(tricks):
        leader = r["leader"][trick]
        card = r["joust"][trick, seat]
        if seat != leader and card != NO_CARD:
            led = suit_of(r["joust"][trick, leader])
            if suit_of(card) != led:
                voids |= 1 << led
    return voids


@kernel
def seen_cards(r: State) -> Bits:
    """Every card of which the viewer knows where it is."""
    seen = r["hand"][0] | r["hand"][1] | r["hand"][2] | r["hand"][3]
    for trick in range(TRICKS):
        for seat in range(SEATS):
            seen |= known_card(r["joust"][trick, seat]) | known_card(r["prediction"][trick, seat])
    for k in range(LAID):
        seen |= known_card(r["pile"][k])
    return seen


@kernel
def known_card(card: int) -> Bits:
    return bit(card) if card >= 0 else NONE


@kernel
def determinize(r: State, rng: Rng, work: Cards) -> None:
    size = hidden_places(r, work)
    if size:
        deal_unseen(rng, work, size, SUITS)
        fill_hidden(r, work)
    r["viewer"] = EVERYTHING


@kernel
def hidden_places(r: State, work: Cards) -> int:
    size = list_unseen(r, work)
    if size:
        list_places(r, work)
    return size


@kernel
def list_unseen(r: State, work: Cards) -> int:
    if r["leader"][0] < 0:  # nothing has been dealt yet
        return 0
    seen = seen_cards(r)
    size = 0
    for card in range(CARDS):
        if not has(seen, card):
            work[UNSEEN + size] = card
            work[SUIT_OF + size] = suit_of(card)
            size += 1
    return size


@kernel
def is_hidden(r: State, seat: int) -> bool:
    return seat != r["viewer"] and seat < r["players"]


@kernel
def list_places(r: State, work: Cards) -> None:
    """List the suits that each hidden place may hold: hands, face-down predictions, then the pile.

    A face-down prediction was played before the joust cards of its trick, so only voids that were
    known before apply to it.
    """
    place = ALLOWED
    trick = int(r["trick"])
    for seat in range(SEATS):
        if is_hidden(r, seat):
            suits = ALL_SUITS & ~void_suits(r, seat, min(trick + 1, TRICKS))
            for _ in range(hand_size(r, seat)):
                work[place] = suits
                place += 1
            if trick < TRICKS and r["prediction"][trick, seat] == HIDDEN:
                work[place] = ALL_SUITS & ~void_suits(r, seat, trick)
                place += 1
    if r["players"] == DUMMY:
        for k in range(LAID):
            if r["pile"][k] == NO_CARD:
                work[place] = ALL_SUITS
                place += 1


@kernel
def fill_hidden(r: State, work: Cards) -> None:
    """Fill the places in the order of `list_places`."""
    place = DEALT
    trick = int(r["trick"])
    for seat in range(SEATS):
        if is_hidden(r, seat):
            hand = NONE
            for _ in range(hand_size(r, seat)):
                hand |= bit(work[place])
                place += 1
            r["hand"][seat] = hand
            if trick < TRICKS and r["prediction"][trick, seat] == HIDDEN:
                r["prediction"][trick, seat] = work[place]
                place += 1
    if r["players"] == DUMMY:
        for k in range(LAID):
            if r["pile"][k] == NO_CARD:
                r["pile"][k] = work[place]
                place += 1


# --- the pile (T14, T17), the only cards that nobody has seen -------------------------------------


@kernel
def shown_at_once(s: State, due: int) -> int:
    return CARDS if s["players"] != DUMMY else CARDS - LAID


@kernel
def face_down(s: State, pile: int, cards: Cards) -> int:
    if pile > 0 or s["players"] != DUMMY or s["leader"][0] < 0:
        return 0
    trick = int(s["trick"])
    for k in range(trick, LAID):
        cards[k - trick] = s["pile"][k]
    return LAID - trick


@kernel
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    trick = int(s["trick"])
    for k in range(trick, LAID):
        s["pile"][k] = cards[k - trick]
