"""Tornei's reference policy: it chooses joust card and prediction together, one trick ahead.

Seats that still have to play are assumed to hold random unseen cards, to follow if possible (T9)
and to play any card equally often. That gives each joust card a chance of each place; a prediction
is worth the chance of its place times its points (T12). The worth of a trick and the later use of
the two cards count too.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import NONE, ONE, Bits, bit, count, has, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.tornei.hidden import known_card, void_suits
from hastilude.games.tornei.rules import (
    CARDS,
    DUMMY,
    FOLLOW,
    LEAD,
    NO_CARD,
    RANKS,
    SEATS,
    SUITS,
    TRICKS,
    dummy_card,
    led_suit,
    legal,
    place_points,
    predicted_place,
    suit_cards,
    suit_of,
)

# The chance of a seat without tricks to end the round without any (T12), by the tricks to come.
NO_TRICK_HOPE = np.array([1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1])
KEEPING = 0.2  # the weight of a card's later use, relative to points now

# The scratch memory: for each seat its joust card, if known, and the suits it has none of; for
# each suit the two cards least useful as joust cards.
JOUST, VOIDS, SPARE, NEXT_SPARE = 0, 4, 8, 12
# From FRACTIONS on, numbers of four bytes: the chance that a seat follows, the chance of each
# place, the use of each card.
FRACTIONS = 32
FOLLOWS, PLACES, USE = 0, 4, 8
Fractions: TypeAlias = npt.NDArray[np.float32]

NEVER = -100.0
EVERY_CARD = np.uint64((1 << CARDS) - 1)
CARDS_OF = np.array(  # each set of suits
    [
        sum(((1 << RANKS) - 1) << RANKS * suit for suit in range(SUITS) if suits >> suit & 1)
        for suits in range(1 << SUITS)
    ],
    np.uint64,
)


@kernel
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    fractions = work[FRACTIONS:].view(np.float32)
    unseen = _unseen(s, seat)
    _read_table(s, seat, work)
    _judge_hand(s, seat, unseen, work, fractions)
    if s["phase"] == LEAD:
        return _lead(s, seat, unseen, work, fractions)
    _expect_answers(s, seat, led_suit(s), unseen, work, fractions)
    if s["phase"] == FOLLOW:
        return _follow(s, seat, unseen, work, fractions)
    if s["leader"][s["trick"]] == seat:
        return _predict_own_lead(s, seat, unseen, work, fractions)
    return _predict(s, seat, unseen, work, fractions)


# --- the four decisions -------------------------------------------------------------------------


@kernel
def _lead(s: State, seat: int, unseen: Bits, work: Cards, fractions: Fractions) -> int:
    """T6: the card that is best with its best prediction."""
    best, chosen, led = NEVER, NO_CARD, -1
    rest = s["hand"][seat]
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        if suit_of(card) != led:
            led = suit_of(card)
            _expect_answers(s, seat, led, unseen, work, fractions)
        _rank(seat, card, led, unseen, work, fractions)
        joust = _joust_value(s, seat, card, fractions)
        for suit in range(SUITS):
            spare = _spare(work, suit, card)
            if spare != NO_CARD:
                value = joust + _prediction_value(s, spare, fractions)
                if value > best:
                    best, chosen = value, card
    return chosen


@kernel
def _predict_own_lead(s: State, seat: int, unseen: Bits, work: Cards, fractions: Fractions) -> int:
    """T7, for the leader, whose joust card is already on the table."""
    card = int(work[JOUST + seat])
    _rank(seat, card, suit_of(card), unseen, work, fractions)
    best, chosen = NEVER, NO_CARD
    for suit in range(SUITS):
        spare = int(work[SPARE + suit])
        if spare != NO_CARD and _prediction_value(s, spare, fractions) > best:
            best, chosen = _prediction_value(s, spare, fractions), spare
    return chosen


@kernel
def _predict(s: State, seat: int, unseen: Bits, work: Cards, fractions: Fractions) -> int:
    """T7, for the others: the prediction that is best with its best joust card."""
    best, chosen, led = NEVER, NO_CARD, led_suit(s)
    following = s["hand"][seat] & suit_cards(led)
    # T9: with only one such card in hand, predicting with it allows any joust card.
    rest = following if count(following) > 1 else s["hand"][seat]
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        _rank(seat, card, led, unseen, work, fractions)
        joust = _joust_value(s, seat, card, fractions)
        for suit in range(SUITS):
            spare = _spare(work, suit, card)
            if spare != NO_CARD and _can_joust(following, card, spare):
                value = joust + _prediction_value(s, spare, fractions)
                if value > best:
                    best, chosen = value, spare
    return chosen


@kernel
def _follow(s: State, seat: int, unseen: Bits, work: Cards, fractions: Fractions) -> int:
    """T8: the card most likely to take the predicted place."""
    predicted = predicted_place(s["prediction"][s["trick"], seat])
    best, chosen = NEVER, NO_CARD
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        _rank(seat, card, led_suit(s), unseen, work, fractions)
        value = _joust_value(s, seat, card, fractions)
        value += float(fractions[PLACES + predicted]) * place_points(s, predicted)
        if value > best:
            best, chosen = value, card
    return chosen


# --- predictions --------------------------------------------------------------------------------


@kernel
def _prediction_value(s: State, spare: int, fractions: Fractions) -> float:
    predicted = predicted_place(spare)
    points = float(fractions[PLACES + predicted]) * place_points(s, predicted)
    return points - KEEPING * float(fractions[USE + spare])


@kernel
def _can_joust(following: Bits, card: int, spare: int) -> bool:
    """T9, after the prediction has left the hand."""
    left = following & ~bit(spare)
    return left == NONE or has(left, card)


@kernel
def _spare(work: Cards, suit: int, joust: int) -> int:
    """The card of a suit to predict with, besides a joust card: its number does not matter (T7)."""
    spare = int(work[SPARE + suit])
    return int(work[NEXT_SPARE + suit]) if spare == joust else spare


# --- what the cards can do ----------------------------------------------------------------------


@kernel
def _joust_value(s: State, seat: int, card: int, fractions: Fractions) -> float:
    """The value of a joust card apart from the prediction."""
    trick = float(fractions[PLACES]) * _trick_worth(s, seat)
    return trick - KEEPING * float(fractions[USE + card])


@kernel
def _trick_worth(s: State, seat: int) -> float:
    """T12: a point; the first trick of the round also costs the chance to have none."""
    if s["won"][seat]:
        return 1.0
    return 1.0 - s["no_trick_points"] * NO_TRICK_HOPE[TRICKS - 1 - s["trick"]]


@kernel
def _judge_hand(s: State, seat: int, unseen: Bits, work: Cards, fractions: Fractions) -> None:
    """Compute the use of each card, and the two least useful cards of each suit."""
    for suit in range(SUITS):
        work[SPARE + suit] = work[NEXT_SPARE + suit] = NO_CARD
    rest = s["hand"][seat]
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        fractions[USE + card] = _use(s, card, unseen)
        use = fractions[USE + card]
        suit = suit_of(card)
        spare, second = work[SPARE + suit], work[NEXT_SPARE + suit]
        if spare == NO_CARD or use < fractions[USE + spare]:
            work[SPARE + suit], work[NEXT_SPARE + suit] = card, spare
        elif second == NO_CARD or use < fractions[USE + second]:
            work[NEXT_SPARE + suit] = card


@kernel
def _use(s: State, card: int, unseen: Bits) -> float:
    """The expected later points of a card: with its likeliest place against three others."""
    above = _share(unseen >> np.uint64(card), unseen)
    below = 1.0 - above
    return max(
        place_points(s, 0) * below * below * below,
        3.0 * place_points(s, 1) * above * below * below,
        3.0 * place_points(s, 2) * above * below * above,
        place_points(s, 3) * above * above * above,
    )


@kernel
def _rank(seat: int, card: int, led: int, unseen: Bits, work: Cards, fractions: Fractions) -> None:
    """The chance of each place for a joust card (T10), into PLACES."""
    first, second, third, fourth = 1.0, 0.0, 0.0, 0.0
    for other in range(SEATS):
        if other != seat:
            ahead = _ahead(other, card, led, unseen, work, fractions)
            fourth += ahead * (third - fourth)
            third += ahead * (second - third)
            second += ahead * (first - second)
            first -= ahead * first
    fractions[PLACES] = first
    fractions[PLACES + 1] = second
    fractions[PLACES + 2] = third
    fractions[PLACES + 3] = fourth


@kernel
def _ahead(
    other: int, card: int, led: int, unseen: Bits, work: Cards, fractions: Fractions
) -> float:
    """The chance that another seat's card is stronger."""
    known = int(work[JOUST + other])
    if known != NO_CARD:
        return 1.0 if known > card else 0.0
    possible = unseen & ~CARDS_OF[work[VOIDS + other]]
    stronger = possible >> np.uint64(card) << np.uint64(card)
    led_cards = suit_cards(led)
    follows = float(fractions[FOLLOWS + other])
    following = _share(stronger & led_cards, possible & led_cards)
    discarding = _share(stronger & ~led_cards, possible & ~led_cards)
    return follows * following + (1.0 - follows) * discarding


@kernel
def _share(some: Bits, cards: Bits) -> float:
    """The share of the cards that are among `some`; 0 if there are no cards."""
    return count(some) / max(1, count(cards))


# --- what the seat knows ------------------------------------------------------------------------


@kernel
def _unseen(s: State, seat: int) -> Bits:
    """T18: the cards of which the seat does not know where they are."""
    trick = int(s["trick"])
    seen = s["hand"][seat] | known_card(s["prediction"][trick, seat])
    for earlier in range(trick):
        for other in range(SEATS):
            seen |= known_card(s["prediction"][earlier, other])
    for row in range(trick + 1):
        for other in range(SEATS):
            seen |= known_card(s["joust"][row, other])
    if s["players"] == DUMMY:
        seen |= s["hand"][DUMMY]
        for k in range(trick):
            seen |= bit(s["pile"][k])
    return EVERY_CARD & ~seen


@kernel
def _read_table(s: State, seat: int, work: Cards) -> None:
    trick = int(s["trick"])
    for other in range(SEATS):
        work[JOUST + other] = s["joust"][trick, other]
        work[VOIDS + other] = void_suits(s, other, trick) if other < s["players"] else 0


@kernel
def _expect_answers(
    s: State, seat: int, led: int, unseen: Bits, work: Cards, fractions: Fractions
) -> None:
    """Compute how likely each seat that has not played is to follow; the dummy's card is known
    (T15)."""
    held = RANKS - 1 - 2 * int(s["trick"])  # by each of them, the prediction laid
    trick = int(s["trick"])
    for other in range(SEATS):
        if other == seat or s["joust"][trick, other] != NO_CARD:
            continue
        if other == DUMMY and s["players"] == DUMMY:
            work[JOUST + DUMMY] = dummy_card(s, led)
        else:
            possible = unseen & ~CARDS_OF[work[VOIDS + other]]
            fractions[FOLLOWS + other] = _follow_chance(
                count(possible), count(possible & suit_cards(led)), held
            )


@kernel
def _follow_chance(possible: int, fitting: int, held: int) -> float:
    """The approximate chance that a hand of `held` possible cards has one of the fitting cards."""
    if possible - fitting < held:
        return 1.0
    missed = 1.0 - held / (possible - 0.5 * (fitting - 1))
    none = 1.0
    for _ in range(fitting):
        none *= missed
    return 1.0 - none
