"""TriATri: what a seat may know (A16), and the cards that it cannot know, dealt at random."""

from hastilude.core.bits import NONE, Bits, bit, count
from hastilude.core.dealing import ALLOWED, CARDS, DEALT, SUITS, deal_unseen
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, pick
from hastilude.core.rules import EVERYTHING, SPECTATOR, Cards, Facts, State
from hastilude.games.triatri.rules import (
    BID,
    COLOURLESS,
    COLOURS,
    DEAL,
    EXCHANGE,
    HAND,
    LAST_RESORT,
    NOTHING,
    TRICKS,
    ahead,
    colour_of,
    list_cards,
    pack,
    with_card,
    without,
)

_ALL_COLOURS = (1 << COLOURS) - 1
_ALL_SUITS = (
    1 << COLOURS + 1
) - 1  # exchange cards count as a suit of which nobody is known to have none


@kernel
def redact(s: State, seat: int, r: State) -> None:
    r["viewer"] = seat
    r["hand"][:] = NONE
    r["aside"] = NONE
    if seat != SPECTATOR:
        r["hand"][seat] = s["hand"][seat]
    _show_bids(s, seat, r)
    _show_table(s, r)


@kernel
def _show_bids(s: State, seat: int, r: State) -> None:
    r["bid"][:] = NOTHING
    revealed = s["attempt"] if s["phase"] == BID else s["attempt"] + 1
    for attempt in range(revealed):
        for bidder in range(4):
            r["bid"][attempt, bidder] = s["bid"][attempt, bidder]
    if seat != SPECTATOR:
        r["bid"][s["attempt"], seat] = s["bid"][s["attempt"], seat]


@kernel
def _show_table(s: State, r: State) -> None:
    r["held"][:] = s["held"]
    r["gem"][:] = s["gem"]
    r["own"][:] = s["own"]
    r["first"][:] = s["first"]
    r["played"][:] = s["played"]
    r["lies"][:] = s["lies"]
    r["worth"][:] = s["worth"]
    r["winner"][:] = s["winner"]
    r["gems"][:] = s["gems"]
    r["supply"][:] = s["supply"]
    r["players"] = s["players"]
    r["four_times"] = s["four_times"]
    r["equal_worth"] = s["equal_worth"]
    r["opening_exchange"] = s["opening_exchange"]
    r["round"] = s["round"]
    r["attempt"] = s["attempt"]
    r["decided"] = s["decided"]
    r["trick"] = s["trick"]
    r["phase"] = s["phase"]
    r["waiting"] = s["waiting"]
    r["ending"] = s["ending"]


@kernel
def infer(r: State, facts: Facts) -> None:
    facts["ahead"] = ahead(r)
    facts["known"][:] = NONE
    for seat in range(r["players"]):
        facts["known"][seat] = seen_in_hand(r, seat)
    facts["unseen"] = unseen_cards(r)


@kernel
def determinize(r: State, rng: Rng, work: Cards) -> None:
    size = _lay_out_hidden(r, work)
    deal_unseen(rng, work, size, COLOURS + 1)
    fill_hidden(r, work)
    _choose_bids(r, rng)
    r["viewer"] = EVERYTHING


@kernel
def hidden_places(r: State, work: Cards) -> int:
    """-1 while a bid is hidden, because it depends on the rest of the hand."""
    everybody = (1 << int(r["players"])) - 1
    if r["phase"] == BID and r["waiting"] != everybody:
        return -1
    return _lay_out_hidden(r, work)


@kernel
def _lay_out_hidden(r: State, work: Cards) -> int:
    size = _lay_out(unseen_cards(r), work)
    for seat in range(r["players"]):
        if seat != r["viewer"]:
            r["hand"][seat] = seen_in_hand(r, seat)
    _mark_places(r, work, size)
    return size


@kernel
def seen_in_hand(r: State, seat: int) -> Bits:
    """The cards of bids that went back to the hand (A5) and have not left it since.

    One bit for X is enough: only with two players are exchange cards taken back, one by each.
    """
    if r["attempt"] == 0:
        return NONE
    cards = NONE
    for attempt in range(r["attempt"]):
        cards |= bit(r["bid"][attempt, seat])
    return cards & ~gone_from_hand(r, seat)


@kernel
def gone_from_hand(r: State, seat: int) -> Bits:
    """The cards that a seat has discarded or played this round, as a set of cards."""
    cards = NONE
    if r["phase"] != BID and r["bid"][r["attempt"], seat] != NOTHING:
        cards = bit(r["bid"][r["attempt"], seat])
    for trick in range(1, begun_tricks(r) + 1):
        if r["played"][trick, seat] != NOTHING:
            cards = with_card(cards, r["played"][trick, seat])
    return cards


@kernel
def begun_tricks(r: State) -> int:
    return min(int(r["trick"]), TRICKS)


@kernel
def unseen_cards(r: State) -> Bits:
    """The pack without cards that are gone or known to be in a hand."""
    cards = pack(r["players"])
    for seat in range(r["players"]):
        known = r["hand"][seat] if seat == r["viewer"] else seen_in_hand(r, seat)
        cards = without(without(cards, gone_from_hand(r, seat)), known)
    return cards


@kernel
def _lay_out(cards: Bits, work: Cards) -> int:
    """List a set of cards, and the suit of each, for `deal_unseen`; returns how many."""
    size = list_cards(cards, work[CARDS:])
    for card in range(size):
        work[SUITS + card] = colour_of(work[CARDS + card])
    return size


@kernel
def _mark_places(r: State, work: Cards, size: int) -> None:
    """Write the places: the unknown cards of each hand, seat by seat, then the cards set aside."""
    place = 0
    for seat in range(r["players"]):
        suits = _ALL_SUITS & ~void_colours(r, seat)
        for _ in range(_unknown(r, seat)):
            work[ALLOWED + place] = suits
            place += 1
    for rest in range(place, size):
        work[ALLOWED + rest] = _ALL_SUITS


@kernel
def _unknown(r: State, seat: int) -> int:
    return int(r["held"][seat]) - count(r["hand"][seat])


@kernel
def void_colours(r: State, seat: int) -> int:
    """The set of colours that a seat is known to have none of: it did not follow, except with X
    (A7), or opened a trick with X where that is forbidden as long as it has another card (A19)."""
    voids = 0
    for trick in range(1, begun_tricks(r) + 1):
        card, gem = r["played"][trick, seat], r["gem"][trick]
        if r["opening_exchange"] == LAST_RESORT and card == EXCHANGE and seat == r["first"][trick]:
            return _ALL_COLOURS
        if card != NOTHING and colour_of(card) != COLOURLESS and colour_of(card) != gem:
            voids |= 1 << gem
    return voids


@kernel
def fill_hidden(r: State, work: Cards) -> None:
    size = count(unseen_cards(r))
    place = 0
    for seat in range(r["players"]):
        for _ in range(_unknown(r, seat)):
            r["hand"][seat] = with_card(r["hand"][seat], work[DEALT + place])
            place += 1
    for rest in range(place, size):
        r["aside"] = with_card(r["aside"], work[DEALT + rest])


@kernel
def _choose_bids(r: State, rng: Rng) -> None:
    """Choose hidden bids: all cards of the hand are equally likely, including exchange cards."""
    if r["phase"] != BID:
        return
    for seat in range(r["players"]):
        made = not r["waiting"] >> seat & 1
        if made and r["bid"][r["attempt"], seat] == NOTHING:
            r["bid"][r["attempt"], seat] = min(pick(rng, r["hand"][seat]), EXCHANGE)


# --- the cards aside (A3), which nobody ever sees -------------------------------------------------


@kernel
def shown_at_once(s: State, due: int) -> int:
    return HAND * int(s["players"]) if due == DEAL else 1


@kernel
def face_down(s: State, pile: int, cards: Cards) -> int:
    return list_cards(s["aside"], cards) if pile == 0 and s["round"] > 0 else 0


@kernel
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    """They have no order."""
