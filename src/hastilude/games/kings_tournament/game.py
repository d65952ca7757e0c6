"""King's Tournament: the game as the rest of the software sees it."""

from collections.abc import Sequence
from typing import Any

from hastilude.core.errors import ChanceError
from hastilude.core.game import Game
from hastilude.core.options import Numbers, Option
from hastilude.core.rules import RULES
from hastilude.games.kings_tournament import encode, events, hidden, rules, view
from hastilude.games.kings_tournament.cards import VALUES
from hastilude.games.kings_tournament.notation import CARD_TEXTS, card_texts, pile_texts
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DISCARD,
    ENDLESS_GAMES,
    ENDLESS_REVEALS,
    HAND,
    HIT,
    JOUST,
    JOUST_MARGINS,
    LEAD,
    LINE,
    MELEE_MARGINS,
    SEATS,
    UNHORSING,
    USUAL_DECK,
    Fields,
)
from hastilude.games.kings_tournament.view import JOUSTS
from hastilude.messages import Message

RULES.provide(rules.STATE, rules, hidden, encode)

CLAUSES = {
    JOUST: "K5",
    DISCARD: "K6",
    BEAT: "K6",
    LEAD: "K10",
    ANSWER: "K10",
}  # the clause of each phase


class KingsTournament(Game):
    name = "kings_tournament"
    title = "King's Tournament"
    credits = "Game design Charles Sinning and Michael Warth; published by Flatworks Gaming."
    rules_version = 1
    state = rules.STATE
    facts = rules.FACTS
    fields = Fields
    texts = CARD_TEXTS
    layout = encode.LAYOUT
    known_options = (
        Option("best_of", 3, (1, 3, 5, 7)),
        Option("joust", "committed", JOUSTS),
        Numbers("values", USUAL_DECK[:VALUES]),
        Option("joust_margin", UNHORSING, JOUST_MARGINS, variant=True),
        Option("melee_margin", HIT, MELEE_MARGINS, variant=True),
    )
    view_of = staticmethod(view.view_of)
    tell = staticmethod(events.tell)

    @property
    def seats(self) -> int:
        return SEATS

    @property
    def option_numbers(self) -> Sequence[int]:
        stepwise = JOUSTS.index(self.options["joust"])
        margins = (self.options["joust_margin"], self.options["melee_margin"])
        return (self.options["best_of"], stepwise, *margins, *self.options["values"])

    @property
    def most_plays(self) -> int:
        """K16 limits the reveals. A joust has the most plays per reveal: all but one of the cards
        that each seat draws."""
        jousts = -(-ENDLESS_REVEALS // LINE)
        return ENDLESS_GAMES * jousts * SEATS * (HAND - 1)

    def refuse(self, r: Fields, seat: int, action: int) -> Message:
        card, clause = self.text(action), CLAUSES[r.phase]
        chosen = card_texts(r.choice[seat])
        if seat in r.pending:
            hand = pile_texts(r.hand[seat])
            key = "no_other" if card in chosen else "not_in_hand"
            return Message(f"kings_tournament_{key}", {"card": card, "hand": hand}, clause)
        if r.phase == LEAD:
            return Message("kings_tournament_not_first", {"leader": r.leader}, "K11")
        if r.phase == ANSWER:
            (led,) = card_texts(view.on_table(r, seat))
            values = {"card": led, "seat": 1 - seat}
            return Message("kings_tournament_not_answering", values, clause)
        return Message("kings_tournament_already_chosen", {"cards": chosen}, clause)

    def chance_kind(self, due: int) -> str:
        return "shuffle"

    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        return {"seat": due - 1, "deck": [self.text(card) for card in order]}

    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        fields = ("seat", "deck")
        if set(values) != set(fields):
            raise ChanceError.of("chance_fields", fields=fields)
        seat = values["seat"]
        if type(seat) is not int or seat != due - 1:
            raise ChanceError.of("kings_tournament_other_deck", wanted=due - 1, value=seat)
        return self.cards(values["deck"])
