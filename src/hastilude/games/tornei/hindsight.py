"""Tornei's hindsight: every card that another seat has played in this round was a choice."""

from typing import Any

from hastilude.core.bits import NONE, Bits, bit
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below, pick
from hastilude.core.rules import State
from hastilude.games.tornei.hidden import is_hidden, known_card, predictions_are_down, void_suits
from hastilude.games.tornei.rules import (
    DUMMY,
    FOLLOW,
    HIDDEN,
    LAID,
    LEAD,
    NO_CARD,
    PREDICT,
    SEATS,
    TRICKS,
    suit_of,
)


@kernel
def recall(r: State, choices: Any) -> int:
    """Leads, predictions and joust cards of the others (T6-T8)."""
    size = 0
    for seat in range(SEATS):
        if is_hidden(r, seat):
            for trick in range(min(int(r["trick"]) + 1, TRICKS)):
                leads = r["leader"][trick] == seat
                joust, prediction = r["joust"][trick, seat], r["prediction"][trick, seat]
                if leads:
                    size = note(r, choices, size, seat, trick, LEAD, joust)
                size = note(r, choices, size, seat, trick, PREDICT, prediction)
                if not leads:
                    size = note(r, choices, size, seat, trick, FOLLOW, joust)
    return size


@kernel
def note(r: State, choices: Any, size: int, seat: int, trick: int, phase: int, card: int) -> int:
    if card == NO_CARD:
        return size
    choices.states[size] = r
    choices.seats[size], choices.actions[size] = seat, card
    go_back(choices.states[size], seat, trick, phase)
    return size + 1


@kernel
def go_back(s: State, seat: int, trick: int, phase: int) -> None:
    """Go back to a seat's choice in an earlier trick, with the cards of its hand seen since."""
    s["hand"][seat] = put_down(s, seat, trick, phase)
    s["trick"], s["phase"], s["turn"], s["waiting"] = trick, phase, seat, 1 << seat
    leader = int(s["leader"][trick])
    for other in range(SEATS):
        after = (other - leader) % SEATS >= (seat - leader) % SEATS
        led = other == leader and phase != LEAD
        if not led and (after or phase != FOLLOW):
            s["joust"][trick, other] = NO_CARD
        if other != seat or phase != FOLLOW:
            s["prediction"][trick, other] = NO_CARD
    s["joust"][trick + 1 :] = NO_CARD
    s["prediction"][trick + 1 :] = NO_CARD
    s["won"][seat] = 0
    for earlier in range(trick):
        s["won"][seat] += s["leader"][earlier + 1] == seat
    if s["players"] == DUMMY:
        s["hand"][DUMMY] = columns(s)


@kernel
def put_down(s: State, seat: int, trick: int, phase: int) -> Bits:
    """The public cards that a seat has played since a choice."""
    cards = NONE
    for later in range(trick, TRICKS):
        cards |= known_card(s["joust"][later, seat]) | known_card(s["prediction"][later, seat])
    if phase == PREDICT and s["leader"][trick] == seat:
        cards &= ~known_card(s["joust"][trick, seat])
    if phase == FOLLOW:
        cards &= ~known_card(s["prediction"][trick, seat])
    return cards


@kernel
def columns(s: State) -> Bits:
    """The rest of the dummy's columns (T15)."""
    left = NONE
    for k in range(LAID):
        left |= bit(s["laid"][k])
    for trick in range(TRICKS):
        left &= ~known_card(s["joust"][trick, DUMMY])
    return left


@kernel
def relive(s: State, world: State, seat: int, action: int) -> int:
    s["hand"][seat] |= world["hand"][seat]
    laid = laid_by(world, seat)
    if laid == NO_CARD:
        return action
    if s["phase"] == FOLLOW and s["trick"] == world["trick"]:
        s["prediction"][s["trick"], seat] = laid
    else:
        s["hand"][seat] |= bit(laid)
    return laid if action == HIDDEN else action


@kernel
def laid_by(world: State, seat: int) -> int:
    """T7: a seat's prediction that is still face down."""
    return (
        int(world["prediction"][world["trick"], seat]) if predictions_are_down(world) else NO_CARD
    )


@kernel
def exchange(world: State, viewer: int, rng: Rng) -> int:
    """Two cards from different places: hands, face-down predictions, the dummy's pile."""
    seat = (viewer + 1 + below(rng, SEATS - 1)) % SEATS
    other = (viewer + 1 + below(rng, SEATS - 1)) % SEATS
    first, second = hidden_cards(world, seat), hidden_cards(world, other)
    laid = laid_by(world, seat)
    if NONE in (first, second) or (seat == other and laid == NO_CARD):
        return 0
    card = laid if seat == other else pick(rng, first)
    instead = pick(rng, second)
    if card == instead:
        return 0
    if lacks(world, seat, card, instead) or lacks(world, other, instead, card):
        return 0
    if seat == other:
        swap_prediction(world, seat, card, instead)
        return 1 << seat
    put_instead(world, seat, card, instead)
    put_instead(world, other, instead, card)
    return 1 << seat | 1 << other


@kernel
def hidden_cards(world: State, seat: int) -> Bits:
    """The cards in a seat's hand and its face-down prediction; for the dummy, its pile."""
    if seat < world["players"]:
        return world["hand"][seat] | known_card(laid_by(world, seat))
    cards = NONE
    for k in range(int(world["trick"]), LAID):
        cards |= bit(world["pile"][k])
    return cards


@kernel
def lacks(world: State, seat: int, card: int, instead: int) -> bool:
    """Whether a seat is known to have no cards of the suit that would replace a card (T9).

    A prediction left the hand before the joust cards of its trick: see `hidden.list_places`.
    """
    if seat >= world["players"]:
        return False
    tricks = int(world["trick"]) + (card != laid_by(world, seat))
    return bool(void_suits(world, seat, tricks) >> suit_of(instead) & 1)


@kernel
def swap_prediction(world: State, seat: int, card: int, instead: int) -> None:
    """Swap a card in hand with the face-down prediction."""
    world["hand"][seat] ^= bit(card) | bit(instead)
    trick = int(world["trick"])
    world["prediction"][trick, seat] = instead if world["prediction"][trick, seat] == card else card


@kernel
def put_instead(world: State, seat: int, card: int, instead: int) -> None:
    if seat >= world["players"]:
        for k in range(LAID):
            if world["pile"][k] == card:
                world["pile"][k] = instead
    elif laid_by(world, seat) == card:
        world["prediction"][world["trick"], seat] = instead
    else:
        world["hand"][seat] ^= bit(card) | bit(instead)
