"""Tornei: what is legal and what follows. Clauses T1-T17 of RULES.md.

A card is its number in the order of strength (T2): C1 is 0, W14 is 55, and a larger number is
always the stronger card. Each suit is a quarter of that order: C, S, F, W are 0, 1, 2, 3.

Deviations from the printed rules, each a ruling in RULES.md: predictions may come in any order
(T7), the dummy is a full fourth seat at seat 3 (T14, T16).
"""

import numpy as np

from hastilude.core import states
from hastilude.core.bits import NONE, Bits, bit, has, highest, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import EVERYTHING, Cards, Numbers, State

SEATS = 4
SUITS = 4
RANKS = 14
CARDS = SUITS * RANKS
TRICKS = 7
LAID = 7  # T14: the dummy's cards in columns, and as many in its pile
DUMMY = 3
PLACE_POINTS = (2, 3, 3, 2)  # T12, as printed
NO_TRICK_POINTS = 3
MOST_PLACE_POINTS, MOST_NO_TRICK_POINTS = 6, 10  # T19, T20: so that scores fit into a byte

DEAL, LEAD, PREDICT, FOLLOW, OVER = range(5)  # s["phase"]

NO_CARD = -1
HIDDEN = -2  # in a redacted state: a prediction that was played and is not shown yet

STATE = np.dtype(
    [
        ("hand", np.uint64, SEATS),  # the dummy's is the rest of its columns
        ("score", np.int16, SEATS),  # of the finished rounds
        ("joust", np.int8, (TRICKS, SEATS)),  # the cards of this round, trick by trick
        ("prediction", np.int8, (TRICKS, SEATS)),
        ("leader", np.int8, TRICKS + 1),  # of each trick; so leader[t + 1] won trick t
        ("last_joust", np.int8, SEATS),  # the last trick of the round before
        ("last_prediction", np.int8, SEATS),
        ("last_leader", np.int8),
        ("points", np.int8, SEATS),  # for right predictions in this round
        ("won", np.int8, SEATS),  # tricks in this round
        ("sheet", np.int8, (SEATS, SEATS)),  # points of each finished round, by seat
        ("laid", np.int8, LAID),  # T14: in the order dealt
        ("pile", np.int8, LAID),  # T17: in the order turned up
        ("place_points", np.int8, SEATS),  # T12, by place
        ("no_trick_points", np.int8),
        ("players", np.int8),
        ("round", np.int8),
        ("dealer", np.int8),
        ("trick", np.int8),  # tricks finished in this round
        ("phase", np.int8),
        ("turn", np.int8),
        ("waiting", np.int8),  # the set of seats that still have to predict
        ("viewer", np.int8),
    ],
    align=True,
)

FACTS = states.facts_type(
    SEATS,
    ("ahead", np.int8),  # the set of seats with the most points so far; empty if nobody has any
    ("held", np.int8, SEATS),  # the number of cards in each player's hand
    ("trick_points", np.int8, SEATS),  # for the tricks of this round, if it ended now (T12)
    ("total", np.int16, SEATS),  # the score, if this round ended now
    ("seen", np.uint64),  # the set of cards of which the viewer knows where they are
)


class Fields(states.Fields):
    hand: tuple[int, ...]
    score: tuple[int, ...]
    joust: tuple[tuple[int, ...], ...]
    prediction: tuple[tuple[int, ...], ...]
    leader: tuple[int, ...]
    last_joust: tuple[int, ...]
    last_prediction: tuple[int, ...]
    last_leader: int
    points: tuple[int, ...]
    won: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    laid: tuple[int, ...]
    pile: tuple[int, ...]
    place_points: tuple[int, ...]
    no_trick_points: int
    players: int
    round: int
    dealer: int
    trick: int
    phase: int
    turn: int
    waiting: int
    ahead: int
    held: tuple[int, ...]
    trick_points: tuple[int, ...]
    total: tuple[int, ...]
    seen: int


@kernel
def start(s: State, options: Numbers) -> None:
    """Options: players, first dealer, points for taking no trick, then for right predictions."""
    s["players"] = options[0]
    s["dealer"] = options[1]
    s["no_trick_points"] = options[2]
    s["place_points"][:] = options[3 : 3 + SEATS]
    s["score"][:] = 0
    s["sheet"][:] = 0
    s["last_joust"][:] = NO_CARD
    s["last_prediction"][:] = NO_CARD
    s["last_leader"] = -1
    s["hand"][:] = NONE
    s["joust"][:] = NO_CARD
    s["prediction"][:] = NO_CARD
    s["leader"][:] = -1
    s["points"][:] = 0
    s["won"][:] = 0
    s["laid"][:] = NO_CARD
    s["pile"][:] = NO_CARD
    s["round"] = 0
    s["trick"] = 0
    s["phase"] = DEAL
    s["turn"] = -1
    s["waiting"] = 0
    s["viewer"] = EVERYTHING


@kernel
def pending(s: State) -> int:
    if s["phase"] == PREDICT:
        return int(s["waiting"])
    if s["phase"] == LEAD or s["phase"] == FOLLOW:
        return 1 << int(s["turn"])
    return 0


@kernel
def turn(s: State) -> int:
    if s["phase"] == PREDICT:  # clockwise from the leader
        leader = int(s["leader"][s["trick"]])
        waiting = int(s["waiting"])
        return (leader + lowest(np.uint64((waiting | waiting << SEATS) >> leader))) % SEATS
    if s["phase"] == LEAD or s["phase"] == FOLLOW:
        return int(s["turn"])
    return -1


@kernel
def legal(s: State, seat: int) -> Bits:
    hand = s["hand"][seat]
    if s["phase"] == PREDICT:  # T7: any card
        return hand if int(s["waiting"]) >> seat & 1 else NONE
    if seat != s["turn"] or s["phase"] == DEAL or s["phase"] == OVER:
        return NONE
    if s["phase"] == FOLLOW:
        following = hand & suit_cards(led_suit(s))
        if following != NONE:  # T9: a prediction has left the hand, so it does not count here
            return following
    return hand


@kernel
def suit_cards(suit: int) -> Bits:
    return np.uint64((1 << RANKS) - 1) << np.uint64(RANKS * suit)


@kernel
def suit_of(card: int) -> int:
    return int(card) // RANKS


@kernel
def led_suit(s: State) -> int:
    trick = s["trick"]
    return suit_of(s["joust"][trick, s["leader"][trick]])


@kernel
def apply(s: State, seat: int, action: int) -> None:
    s["hand"][seat] ^= bit(action)
    trick = s["trick"]
    if s["phase"] == PREDICT:
        s["prediction"][trick, seat] = action
        s["waiting"] &= ~(1 << seat)
        if s["waiting"] == 0:  # T8: now the others play
            s["phase"] = FOLLOW
            pass_turn(s, int(s["leader"][trick]))
    elif s["phase"] == LEAD:
        s["joust"][trick, seat] = action
        ask_predictions(s)
    else:
        s["joust"][trick, seat] = action
        pass_turn(s, seat)


@kernel
def ask_predictions(s: State) -> None:
    """T7: everybody except the dummy has to predict."""
    s["phase"] = PREDICT
    s["waiting"] = (1 << int(s["players"])) - 1


@kernel
def pass_turn(s: State, seat: int) -> None:
    """Go on to the left of a seat that has played; the dummy plays at once, and the last seat ends
    the trick."""
    following = (seat + 1) % SEATS
    if following == DUMMY and s["players"] == DUMMY and following != s["leader"][s["trick"]]:
        s["joust"][s["trick"], DUMMY] = play_dummy(s, led_suit(s))
        following = 0
    if following == s["leader"][s["trick"]]:
        finish_trick(s)
    else:
        s["turn"] = following


@kernel
def play_dummy(s: State, led: int) -> int:
    card = dummy_card(s, led)
    s["hand"][DUMMY] ^= bit(card)
    return card


@kernel
def dummy_card(s: State, led: int) -> int:
    """T15: the top card of the led suit's column, otherwise of the strongest column. `led` is -1 if
    the dummy leads."""
    columns = s["hand"][DUMMY]
    column = columns & suit_cards(led) if led >= 0 else NONE
    if column == NONE:
        column = columns & suit_cards(suit_of(highest(columns)))
    top = LAID - 1
    while not has(column, s["laid"][top]):
        top -= 1
    return int(s["laid"][top])


@kernel
def place(joust: Cards, seat: int) -> int:
    """T10: the place of a seat's card among the four, counted from 0."""
    ahead = 0
    for other in range(SEATS):
        ahead += joust[other] > joust[seat]
    return ahead


@kernel
def predicted_place(card: int) -> int:
    """T7: W first, F second, S third, C fourth, counted from 0; -1 for no card."""
    return SUITS - 1 - suit_of(card) if card >= 0 else -1


@kernel
def is_right(prediction: int, place: int) -> bool:
    """T10: whether a prediction says the place that was taken."""
    return predicted_place(prediction) == place


@kernel
def place_points(s: State, place: int) -> int:
    """T12: the points for predicting this place."""
    return int(s["place_points"][place])


@kernel
def prediction_points(points: Cards, prediction: int, place: int) -> int:
    """T12, with the points for each place. A product: a branch would be mispredicted as often as a
    player mispredicts."""
    return is_right(prediction, place) * int(points[place])


@kernel
def trick_points(s: State, won: int) -> int:
    """T12: one for each trick, or a bonus for none at all."""
    return won if won else int(s["no_trick_points"])


@kernel
def finish_trick(s: State) -> None:
    trick = int(s["trick"])
    joust = s["joust"][trick]
    winner = 0
    for seat in range(SEATS):
        taken = place(joust, seat)
        if taken == 0:  # T11
            winner = seat
        prediction = s["prediction"][trick, seat]
        s["points"][seat] += prediction_points(s["place_points"], prediction, taken)
    s["won"][winner] += 1
    s["trick"] = trick + 1
    s["leader"][trick + 1] = winner
    if trick + 1 == TRICKS:
        finish_round(s)
    else:
        lead_trick(s, winner)


@kernel
def lead_trick(s: State, leader: int) -> None:
    s["turn"] = leader
    s["phase"] = LEAD
    if leader == DUMMY and s["players"] == DUMMY:  # T16
        s["joust"][s["trick"], DUMMY] = play_dummy(s, -1)
        ask_predictions(s)


@kernel
def finish_round(s: State) -> None:
    for seat in range(int(s["players"])):
        points = round_points(s, seat)
        s["sheet"][s["round"], seat] = points
        s["score"][seat] += points
    s["phase"] = OVER if s["round"] + 1 == s["players"] else DEAL  # T3


@kernel
def round_points(s: State, seat: int) -> int:
    """T12."""
    return int(s["points"][seat]) + trick_points(s, int(s["won"][seat]))


@kernel
def total(s: State, seat: int) -> int:
    """The score if this round ended now; after its last trick the round is in the score."""
    finished = s["trick"] == TRICKS
    return int(s["score"][seat]) + (0 if finished else round_points(s, seat))


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
    """T4: 14 cards to each seat in turn; T14: the dummy has seven in columns, seven in the pile."""
    if s["trick"] == TRICKS:
        pass_deal(s)
    for seat in range(int(s["players"])):
        hand = NONE
        for k in range(RANKS):
            hand |= bit(order[RANKS * seat + k])
        s["hand"][seat] = hand
    if s["players"] == DUMMY:
        deal_dummy(s, order[RANKS * DUMMY :])
    s["joust"][:] = NO_CARD
    s["prediction"][:] = NO_CARD
    s["points"][:] = 0
    s["won"][:] = 0
    s["trick"] = 0
    leader = (int(s["dealer"]) + 1) % SEATS  # T5
    s["leader"][:] = -1
    s["leader"][0] = leader
    lead_trick(s, leader)


@kernel
def pass_deal(s: State) -> None:
    """T3: the deal passes to the left; the state keeps the last trick of the old round."""
    s["last_joust"][:] = s["joust"][TRICKS - 1]
    s["last_prediction"][:] = s["prediction"][TRICKS - 1]
    s["last_leader"] = s["leader"][TRICKS - 1]
    s["round"] += 1
    s["dealer"] = (s["dealer"] + 1) % s["players"]


@kernel
def deal_dummy(s: State, order: Cards) -> None:
    columns = NONE
    for k in range(LAID):
        s["laid"][k] = order[k]
        s["pile"][k] = order[LAID + k]
        columns |= bit(order[k])
    s["hand"][DUMMY] = columns


@kernel
def score(s: State, seat: int) -> int:
    return int(s["score"][seat])


@kernel
def winners(s: State) -> int:
    """T13: equal highest totals share the victory."""
    return most_points(s, 0) if s["phase"] == OVER else 0


@kernel
def ahead(s: State) -> int:
    """Who has the most points, those for predictions in this round included; nobody without any."""
    return most_points(s, 1)


@kernel
def most_points(s: State, least: int) -> int:
    """The set of seats that share the highest total, if it is `least` or more."""
    best, found = least, 0
    for seat in range(int(s["players"])):
        total = int(s["score"][seat])
        if s["trick"] < TRICKS:  # else they are in the score
            total += int(s["points"][seat])
        if total > best:
            best, found = total, 0
        if total == best:
            found |= 1 << seat
    return found
