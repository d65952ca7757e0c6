"""Tornei's instinct: a small network that says how many points each card is worth.

It was trained by self-play (see `practice`). For the seat to act, it estimates what each card gains
in the rest of the round, compared with the mean of the others. There is one network for leading,
predicting on one's own lead, predicting on another's, and following; the last has one set of
outputs for each predicted place.

The inputs are facts that the seat knows, each either true or not: so the first layer is a sum of
rows. The network does not begin from nothing: it corrects what the reference policy expects of each
card, and says what each place is worth besides, which counts as much as the place is likely.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import MATCH, SCORE, SECOND_TERM
from hastilude.bots.network import Floats, grown, shrunk
from hastilude.core.bits import NONE, ONE, Bits, bit, count, highest, lowest
from hastilude.core.files import replacing
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.tornei.hidden import known_card
from hastilude.games.tornei.outlook import SPREAD, expected_share
from hastilude.games.tornei.reference import (
    FRACTIONS,
    JOUST,
    KEEPING,
    NEVER,
    PLACES,
    USE,
    VOIDS,
    Fractions,
    _expect_answers,
    _joust_value,
    _judge_hand,
    _prediction_value,
    _rank,
    _read_table,
    _spare,
    _unseen,
)
from hastilude.games.tornei.rules import (
    CARDS,
    DUMMY,
    FOLLOW,
    LEAD,
    NO_CARD,
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

STORE = Path(__file__).with_name("instinct.npz")

# The inputs: what is in hand, what has been played and seen, the known joust cards of the others
# by strength, the own one, the led suit, the own prediction, the number of the trick, the tricks
# won, who has yet to play, known voids, the cards in hand and unseen of each suit, and the dummy's
# columns and their top cards.
HAND, GONE, TABLE, OWN = 0, CARDS, 2 * CARDS, 5 * CARDS
LED = OWN + CARDS
PREDICTED = LED + SUITS
TRICK = PREDICTED + SEATS
WON = TRICK + TRICKS
TO_PLAY = WON + 4 * SEATS
LACKS = TO_PLAY + SEATS
HELD = LACKS + SEATS * SUITS
LEFT = HELD + 8 * SUITS
COLUMNS = LEFT + 8 * SUITS
TOPS = COLUMNS + CARDS
INPUTS = TOPS + CARDS
MOST_TRUE = 120  # inputs at the same time

UNITS = 128
OUTPUTS = CARDS + SEATS  # of each card, and of each place that a joust card takes
LEADING, ON_OWN_LEAD, PREDICTING, FOLLOWING = range(4)
KINDS = 4
HEADS = FOLLOWING + SEATS  # following has one for each predicted place
EVERY_CARD = np.uint64((1 << CARDS) - 1)

# The scratch memory, after that of the reference policy, in numbers of two and four bytes: the
# inputs that are true, the units, the outputs, and for each card the chance of each place and what
# the reference policy expects; for each predicted place the best two joust cards.
TRUE = 320
NUMBERS = TRUE + 2 * MOST_TRUE
UNIT, OUTPUT = 0, UNITS
CHANCE = OUTPUT + OUTPUTS
FORESEEN = CHANCE + SEATS * CARDS
PAIRS = FORESEEN + CARDS
PAIR_CARD, PAIR_CHANCE = 2 * SEATS, 4 * SEATS  # from the worth of a pair


class Mind(NamedTuple):
    """The weights of the network, for one number of players."""

    first: npt.NDArray[Any]  # of each kind of choice and input, in small numbers when it is stored
    scales: Floats  # what one of those numbers means, for each kind and unit
    second: Floats  # of each head and unit; the last row is always added


@kernel
def judge(s: State, seat: int, mind: Any, work: Cards) -> int:
    """Estimate what each legal card gains, in points, from OUTPUT on; returns how many inputs are
    true, listed at TRUE."""
    numbers = work[NUMBERS:].view(np.float32)
    units, outputs = numbers[UNIT : UNIT + UNITS], numbers[OUTPUT : OUTPUT + OUTPUTS]
    unseen = _unseen(s, seat)
    foresee(s, seat, unseen, numbers, work)
    size = look(s, seat, unseen, work)
    kind = kind_of(s, seat)
    think(work[TRUE:NUMBERS].view(np.int16), size, kind, mind, units)
    conclude(units, mind, head_of(s, seat, kind), outputs)
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        outputs[card] += numbers[FORESEEN + card]
        for place in range(SEATS):
            outputs[card] += numbers[CHANCE + SEATS * card + place] * outputs[CARDS + place]
    return size


@kernel
def think(true: npt.NDArray[np.int16], size: int, kind: int, mind: Any, units: Floats) -> None:
    """The first layer: no unit is below 0."""
    for unit in range(UNITS):
        units[unit] = 0.0
    for k in range(size):
        row = mind.first[kind * INPUTS + true[k]]
        for unit in range(UNITS):
            units[unit] += row[unit]
    for unit in range(UNITS):
        units[unit] = max(units[unit] * mind.scales[kind, unit], np.float32(0.0))


@kernel
def conclude(units: Floats, mind: Any, head: int, outputs: Floats) -> None:
    """The second layer."""
    rows, chosen = mind.second, np.uint64(head)
    for k in range(OUTPUTS):
        outputs[k] = rows[chosen, UNITS, k]
    for unit in range(UNITS):
        strength = units[unit]
        if strength > 0.0:
            for k in range(OUTPUTS):
                outputs[k] += strength * rows[chosen, unit, k]


@kernel
def kind_of(s: State, seat: int) -> int:
    if s["phase"] == LEAD:
        return LEADING
    if s["phase"] == FOLLOW:
        return FOLLOWING
    return ON_OWN_LEAD if s["leader"][s["trick"]] == seat else PREDICTING


@kernel
def head_of(s: State, seat: int, kind: int) -> int:
    """Which outputs are used."""
    if kind == FOLLOWING:
        return FOLLOWING + predicted_place(s["prediction"][s["trick"], seat])
    return kind


# --- what the reference policy foresees -----------------------------------------------------------


@kernel
def foresee(s: State, seat: int, unseen: Bits, numbers: Floats, work: Cards) -> None:
    """Write for each legal card how good the reference policy thinks it is, and the chance of each
    place: of that card, or for a prediction only of the place that it says."""
    fractions = work[FRACTIONS:].view(np.float32)
    _read_table(s, seat, work)
    _judge_hand(s, seat, unseen, work, fractions)
    if s["phase"] == LEAD:
        foresee_leads(s, seat, unseen, numbers, work, fractions)
        return
    _expect_answers(s, seat, led_suit(s), unseen, work, fractions)
    if s["phase"] == FOLLOW:
        foresee_answers(s, seat, unseen, numbers, work, fractions)
    elif s["leader"][s["trick"]] == seat:
        card = int(work[JOUST + seat])
        _rank(seat, card, suit_of(card), unseen, work, fractions)
        foresee_predictions(s, s["hand"][seat], 0.0, numbers, fractions)
    else:
        foresee_pairs(s, seat, unseen, numbers, work, fractions)


@kernel
def note_chances(card: int, numbers: Floats, fractions: Fractions) -> None:
    for place in range(SEATS):
        numbers[CHANCE + SEATS * card + place] = fractions[PLACES + place]


@kernel
def foresee_leads(
    s: State, seat: int, unseen: Bits, numbers: Floats, work: Cards, fractions: Fractions
) -> None:
    led = -1
    rest = s["hand"][seat]
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        if suit_of(card) != led:
            led = suit_of(card)
            _expect_answers(s, seat, led, unseen, work, fractions)
        _rank(seat, card, led, unseen, work, fractions)
        note_chances(card, numbers, fractions)
        best = NEVER
        for suit in range(SUITS):
            spare = _spare(work, suit, card)
            if spare != NO_CARD:
                best = max(best, _prediction_value(s, spare, fractions))
        numbers[FORESEEN + card] = _joust_value(s, seat, card, fractions) + best


@kernel
def foresee_answers(
    s: State, seat: int, unseen: Bits, numbers: Floats, work: Cards, fractions: Fractions
) -> None:
    predicted = predicted_place(s["prediction"][s["trick"], seat])
    points = place_points(s, predicted)
    led = led_suit(s)
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        _rank(seat, card, led, unseen, work, fractions)
        note_chances(card, numbers, fractions)
        value = _joust_value(s, seat, card, fractions)
        numbers[FORESEEN + card] = value + points * fractions[PLACES + predicted]


@kernel
def foresee_predictions(
    s: State, cards: Bits, joust: float, numbers: Floats, fractions: Fractions
) -> None:
    """For a joust card whose chances are at PLACES."""
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        place = predicted_place(card)
        for other in range(SEATS):
            numbers[CHANCE + SEATS * card + other] = 0.0
        numbers[CHANCE + SEATS * card + place] = fractions[PLACES + place]
        numbers[FORESEEN + card] = joust + _prediction_value(s, card, fractions)


@kernel
def foresee_pairs(
    s: State, seat: int, unseen: Bits, numbers: Floats, work: Cards, fractions: Fractions
) -> None:
    """Predictions, each with its best joust card."""
    hand = s["hand"][seat]
    following = hand & suit_cards(led_suit(s))
    if count(following) != 1:
        jousts = following if following != NONE else hand
        find_jousts(s, seat, jousts, unseen, numbers, work, fractions)
        take_jousts(hand, numbers, fractions)
        return
    # T9: the only card that follows must be played, unless it is the prediction.
    find_jousts(s, seat, following, unseen, numbers, work, fractions)
    take_jousts(hand & ~following, numbers, fractions)
    find_jousts(s, seat, hand & ~following, unseen, numbers, work, fractions)
    take_jousts(following, numbers, fractions)


@kernel
def find_jousts(
    s: State,
    seat: int,
    jousts: Bits,
    unseen: Bits,
    numbers: Floats,
    work: Cards,
    fractions: Fractions,
) -> None:
    """Find the best two joust cards for each predicted place: what they are worth with it, which
    they are, and the chance of the place."""
    led = led_suit(s)
    for k in range(PAIRS, PAIRS + 2 * SEATS):
        numbers[k], numbers[PAIR_CARD + k] = NEVER, NO_CARD
    rest = jousts
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        _rank(seat, card, led, unseen, work, fractions)
        joust = _joust_value(s, seat, card, fractions)
        for place in range(SEATS):
            value = joust + place_points(s, place) * fractions[PLACES + place]
            best, second = PAIRS + place, PAIRS + SEATS + place
            if value > numbers[best]:
                for part in (0, PAIR_CARD, PAIR_CHANCE):
                    numbers[second + part] = numbers[best + part]
                second = best
            if value > numbers[second] or second == best:
                numbers[second], numbers[PAIR_CARD + second] = value, card
                numbers[PAIR_CHANCE + second] = fractions[PLACES + place]


@kernel
def take_jousts(cards: Bits, numbers: Floats, fractions: Fractions) -> None:
    """Combine predictions with the joust cards that were found."""
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        place = predicted_place(card)
        found = PAIRS + place
        if numbers[PAIR_CARD + found] == card:
            found += SEATS
        for other in range(SEATS):
            numbers[CHANCE + SEATS * card + other] = 0.0
        numbers[CHANCE + SEATS * card + place] = numbers[PAIR_CHANCE + found]
        numbers[FORESEEN + card] = numbers[found] - KEEPING * fractions[USE + card]


# --- what the seat sees ---------------------------------------------------------------------------


@kernel
def look(s: State, seat: int, unseen: Bits, work: Cards) -> int:
    """List the inputs that are true, after `foresee`."""
    true = work[TRUE:NUMBERS].view(np.int16)
    hand = s["hand"][seat]
    size = list_cards(hand, HAND, true, 0)
    size = list_cards(EVERY_CARD & ~(hand | unseen | cards_in_sight(s)), GONE, true, size)
    size = look_at_columns(s, true, size)
    if s["phase"] != LEAD:
        size = look_at_table(s, seat, true, size)
    true[size] = TRICK + int(s["trick"])
    size += 1
    for k in range(SEATS):
        other = (seat + k) % SEATS
        true[size] = WON + 4 * k + min(int(s["won"][other]), 3)
        size += 1
        for suit in range(SUITS):
            if k and work[VOIDS + other] >> suit & 1:
                true[size] = LACKS + SUITS * k + suit
                size += 1
    for suit in range(SUITS):
        cards = suit_cards(suit)
        true[size] = HELD + 8 * suit + min(count(hand & cards), 7)
        true[size + 1] = LEFT + 8 * suit + count(unseen & cards) // 2
        size += 2
    return size


@kernel
def cards_in_sight(s: State) -> Bits:
    """The joust cards of this trick and the dummy's columns."""
    cards = s["hand"][DUMMY] if s["players"] == DUMMY else NONE
    for seat in range(SEATS):
        cards |= known_card(s["joust"][s["trick"], seat])
    return cards


@kernel
def list_cards(cards: Bits, first: int, true: npt.NDArray[np.int16], size: int) -> int:
    rest = cards
    while rest != NONE:
        true[size] = first + lowest(rest)
        rest &= rest - ONE
        size += 1
    return size


@kernel
def look_at_columns(s: State, true: npt.NDArray[np.int16], size: int) -> int:
    """The dummy's columns, and for a lead their top cards (T15)."""
    if s["players"] == DUMMY:
        columns = s["hand"][DUMMY]
        size = list_cards(columns, COLUMNS, true, size)
        for suit in range(SUITS):
            if s["phase"] == LEAD and columns & suit_cards(suit) != NONE:
                true[size] = TOPS + dummy_card(s, suit)
                size += 1
    return size


@kernel
def look_at_table(s: State, seat: int, true: npt.NDArray[np.int16], size: int) -> int:
    """The led suit, the joust cards, who has yet to play, and the own prediction; the dummy's card
    is known before it is played (T15)."""
    trick, led = int(s["trick"]), led_suit(s)
    true[size] = LED + led
    size += 1
    table = NONE
    for k in range(1, SEATS):
        other = (seat + k) % SEATS
        if s["joust"][trick, other] != NO_CARD:
            table |= bit(s["joust"][trick, other])
        elif other == DUMMY and s["players"] == DUMMY:
            table |= bit(dummy_card(s, led))
        else:
            true[size] = TO_PLAY + k
            size += 1
    first = TABLE
    while table != NONE:
        card = highest(table)
        table ^= bit(card)
        true[size] = first + card
        first += CARDS
        size += 1
    size = list_cards(known_card(s["joust"][trick, seat]), OWN, true, size)
    if s["phase"] == FOLLOW:
        true[size] = PREDICTED + predicted_place(s["prediction"][trick, seat])
        size += 1
    return size


# --- choosing -------------------------------------------------------------------------------------


@kernel
def instinct(s: State, seat: int, mind: Any, rng: Rng, work: Cards) -> int:
    cards = legal(s, seat)
    if count(cards) == 1:
        return lowest(cards)
    return best_card(s, seat, mind, work)


@kernel
def promises(
    s: State, seat: int, aim: int, mind: Any, worths: npt.NDArray[np.float64], work: Cards
) -> float:
    best = best_card(s, seat, mind, work)
    gains = work[NUMBERS:].view(np.float32)[OUTPUT:]
    most = 0.5 + (lead_so_far(s, seat) + gains[best]) / SPREAD
    point = 1.0 / SPREAD
    if aim != SCORE:
        share, more = expected_share(s, seat, float(gains[best]))
        second = SECOND_TERM if aim == MATCH else 0.0
        most = second * most + (1.0 - second) * share
        point = second * point + (1.0 - second) * more
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        worths[card] = min(max(most - point * (gains[best] - gains[card]), 0.0), 1.0)
    return point


@kernel
def lead_so_far(s: State, seat: int) -> float:
    """The points for predictions of this round, minus the mean of the others'."""
    players = int(s["players"])
    own, total = int(s["points"][seat]), 0
    for other in range(players):
        total += int(s["points"][other])
    return own - (total - own) / (players - 1)


@kernel
def best_card(s: State, seat: int, mind: Any, work: Cards) -> int:
    judge(s, seat, mind, work)
    outputs = work[NUMBERS:].view(np.float32)[OUTPUT:]
    rest = legal(s, seat)
    best = lowest(rest)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        if outputs[card] > outputs[best]:
            best = card
    return best


# --- the store ------------------------------------------------------------------------------------


def load(game: Game) -> Mind:
    """The network for a game's number of players."""
    return stored(int(game.options["players"]))


@cache
def stored(players: int) -> Mind:
    with np.load(STORE) as store:
        return Mind(
            first=store[f"first_{players}"],
            scales=store[f"first_scales_{players}"],
            second=grown(store[f"second_{players}"], store[f"second_scales_{players}"]),
        )


def save(minds: dict[int, Mind], path: Path) -> None:
    """Write trained networks: each weight as a number of one byte."""
    arrays = {}
    for players, mind in minds.items():
        kinds = (mind.first.reshape(KINDS, INPUTS, UNITS), mind.second)
        for name, weights in zip(("first", "second"), kinds, strict=True):
            small, scales = shrunk(weights)
            arrays[f"{name}_{players}"] = small.reshape(getattr(mind, name).shape)
            arrays[f"{name}_scales_{players}"] = scales
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
