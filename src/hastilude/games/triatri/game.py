"""TriATri: the game as the rest of the software sees it."""

from collections.abc import Sequence
from typing import Any

from hastilude.core.errors import ChanceError
from hastilude.core.game import Game
from hastilude.core.options import Option
from hastilude.core.rules import RULES
from hastilude.games.triatri import encode, events, hidden, rules, view
from hastilude.games.triatri.notation import (
    ACTION_TEXTS,
    CARD_TEXTS,
    COLOUR_LETTERS,
    EXCHANGE_TEXT,
    hand_texts,
)
from hastilude.games.triatri.rules import (
    BID,
    BIDS,
    DRAW,
    EXCHANGE,
    HAND,
    LAST_RESORT,
    NAME,
    OWN,
    ROUNDS,
    SUPPLY,
    TRICKS,
    Fields,
)
from hastilude.messages import Message

RULES.provide(rules.STATE, rules, hidden, encode)


# The values in the order of their numbers in the rules.
VARIANTS = {
    "four_times": ("only_twos", "twos_and_chains", "no_card"),  # A17
    "equal_worth": ("stronger_colour", "later_player", "earlier_player"),  # A18
    "opening_exchange": ("any_time", "last_resort"),  # A19
}


class TriATri(Game):
    name = "triatri"
    title = "TriATri"
    credits = "Game design OR-U (おるー)."
    rules_version = 1
    state = rules.STATE
    facts = rules.FACTS
    fields = Fields
    texts = ACTION_TEXTS
    layout = encode.LAYOUT
    known_options = (
        Option("players", 3, (2, 3, 4)),
        *(Option(name, values[0], values, variant=True) for name, values in VARIANTS.items()),
    )
    has_tracker = True
    view_of = staticmethod(view.view_of)
    tracker_of = staticmethod(view.tracker_of)
    tell = staticmethod(events.tell)

    @property
    def seats(self) -> int:
        return int(self.options["players"])

    @property
    def option_numbers(self) -> Sequence[int]:
        chosen = (values.index(self.options[name]) for name, values in VARIANTS.items())
        return (self.options["players"], *chosen)

    @property
    def most_plays(self) -> int:
        return ROUNDS * (BIDS * self.seats + TRICKS * (1 + self.seats))

    def refuse(self, r: Fields, seat: int, action: int) -> Message:
        if seat not in r.pending:
            return refuse_turn(r, seat)
        if r.phase == NAME:
            return refuse_gem(r, seat, action)
        return refuse_card(r, seat, action)

    def chance_kind(self, due: int) -> str:
        return "start" if due == DRAW else "deal"

    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        if due == DRAW:
            return {"seat": order[0]}
        texts = [self.text(card) for card in order]
        hands = [texts[HAND * seat : HAND * (seat + 1)] for seat in range(self.seats)]
        return {"hands": hands, "aside": texts[HAND * self.seats :]}

    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        if due == DRAW:
            return self.order_of_draw(values)
        aside = view.cards_aside(self.seats)
        return self.order_of_deal(values, hands=[HAND] * self.seats, aside=aside)

    def chance_text(self, due: int, card: int) -> str:
        return str(card) if due == DRAW else self.text(card)

    def order_of_draw(self, values: dict[str, Any]) -> list[int]:
        """The drawn seat, then the others; only the first matters."""
        if set(values) != {"seat"}:
            raise ChanceError.of("chance_fields", fields=("seat",))
        seat = values["seat"]
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise ChanceError.of("seat_range", value=seat, last=self.seats - 1)
        return [seat, *(other for other in range(self.seats) if other != seat)]


def refuse_turn(r: Fields, seat: int) -> Message:
    if r.phase == BID:
        card = CARD_TEXTS[r.bid[r.attempt][seat]]
        return Message("triatri_already_bid", {"card": card}, "A5")
    clause = "A6" if r.phase == NAME else "A7"
    return Message("triatri_not_your_turn", {"seats": r.pending}, clause)


def refuse_gem(r: Fields, seat: int, action: int) -> Message:
    """A6, for the seat that must choose the gem of the trick."""
    if action <= EXCHANGE:
        return Message("triatri_name_first", {"card": CARD_TEXTS[action]}, "A6")
    key, gems = "triatri_none_in_supply", r.supply
    if action >= OWN:
        key, gems = "triatri_none_of_own", r.gems[seat]
    there = tuple(colour for colour, many in zip(COLOUR_LETTERS, gems, strict=True) if many)
    gem = COLOUR_LETTERS[action - (OWN if action >= OWN else SUPPLY)]
    return Message(key, {"gem": gem, "gems_there": there}, "A6")


def refuse_card(r: Fields, seat: int, action: int) -> Message:
    """A5 or A7, for a seat that must bid or play a card."""
    hand = hand_texts(r.hand[seat])
    clause = "A5" if r.phase == BID else "A7"
    if action > EXCHANGE:
        key = "triatri_bid_a_card" if r.phase == BID else "triatri_play_a_card"
        return Message(key, {"hand": hand}, clause)
    if CARD_TEXTS[action] not in hand:
        return Message("triatri_not_in_hand", {"card": CARD_TEXTS[action], "hand": hand}, clause)
    gem = COLOUR_LETTERS[r.gem[r.trick]]
    if action == EXCHANGE:
        others = tuple(card for card in hand if card != EXCHANGE_TEXT)
        following = tuple(card for card in others if card[0] == gem)
        return Message("triatri_no_opening_exchange", {"cards": following or others}, "A19")
    opens = r.opening_exchange == LAST_RESORT and seat == r.first[r.trick]
    letters = (gem,) if opens else (gem, EXCHANGE_TEXT)
    cards = tuple(dict.fromkeys(card for card in hand if card[0] in letters))
    return Message("triatri_must_follow", {"gem": gem, "cards": cards}, "A7")
