"""Tornei: the game as the rest of the software sees it."""

from collections.abc import Sequence
from typing import Any

from hastilude.core.game import Game
from hastilude.core.options import Numbers, Option, Options
from hastilude.core.rules import RULES
from hastilude.games.tornei import encode, events, hidden, rules, view
from hastilude.games.tornei.notation import CARD_TEXTS
from hastilude.games.tornei.rules import (
    DUMMY,
    FOLLOW,
    LAID,
    MOST_NO_TRICK_POINTS,
    MOST_PLACE_POINTS,
    NO_TRICK_POINTS,
    PLACE_POINTS,
    PREDICT,
    RANKS,
    TRICKS,
    Fields,
)
from hastilude.messages import Message, catalogue

RULES.provide(rules.STATE, rules, hidden, encode)


def players_seats(options: Options) -> tuple[int, ...]:
    return tuple(range(options["players"]))


class Tornei(Game):
    name = "tornei"
    title = "Tornei"
    credits = (
        "Game design Totsuca Chuo (戸塚中央); planning, production and artwork Arugha Satoru "
        "(有我悟, Tantra Machine / 秘教機械); published by A.I.Lab.遊; "
        "English translation Jim Palmeri."
    )
    rules_version = 1
    state = rules.STATE
    facts = rules.FACTS
    fields = Fields
    texts = CARD_TEXTS
    layout = encode.LAYOUT
    known_options = (
        Option("players", 4, (3, 4)),
        Option("first_dealer", 0, players_seats),
        Numbers("place_points", PLACE_POINTS, most=MOST_PLACE_POINTS, variant=True),
        Option(
            "no_trick_points", NO_TRICK_POINTS, tuple(range(MOST_NO_TRICK_POINTS + 1)), variant=True
        ),
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
        players, first_dealer, place_points, no_trick_points = self.options.values()
        return (players, first_dealer, no_trick_points, *place_points)

    @property
    def most_plays(self) -> int:
        return self.seats * TRICKS * 2 * self.seats  # T3: one round per seat; two cards per trick

    def names(self, language: str = "en", given: Sequence[str] = ()) -> tuple[str, ...]:
        names = super().names(language, given)
        dummy = str(catalogue(language)["tornei_dummy"])
        return (*names, dummy) if self.seats == DUMMY else names

    def refuse(self, r: Fields, seat: int, action: int) -> Message:
        card = self.text(action)
        if seat not in r.pending:
            if r.phase == PREDICT:
                own = self.text(r.prediction[r.trick][seat])
                return Message("tornei_already_predicted", {"card": own}, "T7")
            clause = "T8" if r.phase == FOLLOW else "T6"
            return Message("tornei_not_your_turn", {"seats": r.pending}, clause)
        hand = view.hand_texts(r.hand[seat])
        if card not in hand:
            clause = {PREDICT: "T7", FOLLOW: "T8"}.get(r.phase, "T6")
            return Message("tornei_not_in_hand", {"card": card, "hand": hand}, clause)
        led = self.text(r.joust[r.trick][r.leader[r.trick]])[0]
        following = tuple(held for held in hand if held[0] == led)
        return Message("tornei_must_follow", {"suit": led, "cards": following}, "T9")

    def chance_kind(self, due: int) -> str:
        return "deal"

    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        texts = [self.text(card) for card in order]
        hands = [texts[RANKS * seat : RANKS * (seat + 1)] for seat in range(self.seats)]
        if self.seats != DUMMY:
            return {"hands": hands}
        dummy = texts[RANKS * DUMMY :]
        return {"hands": hands, "dummy": dummy[:LAID], "pile": dummy[LAID:]}

    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        dummy = {"dummy": LAID, "pile": LAID} if self.seats == DUMMY else {}
        return self.order_of_deal(values, hands=[RANKS] * self.seats, **dummy)
