"""Template: the game as the rest of the software sees it."""

from collections.abc import Sequence
from typing import Any

from hastilude.core.game import Game
from hastilude.core.rules import RULES
from hastilude.games._template import encode, events, hidden, rules, view
from hastilude.games._template.notation import CARD_TEXTS
from hastilude.games._template.rules import ASIDE, HAND, SEATS, TRICKS, Fields
from hastilude.messages import Message

RULES.provide(rules.STATE, rules, hidden, encode)


class Template(Game):
    name = "_template"
    title = "Template"
    credits = "Made as an example."
    rules_version = 1
    state = rules.STATE
    facts = rules.FACTS
    fields = Fields
    texts = CARD_TEXTS
    layout = encode.LAYOUT
    known_options = ()
    view_of = staticmethod(view.view_of)
    tell = staticmethod(events.tell)

    @property
    def seats(self) -> int:
        return SEATS

    @property
    def option_numbers(self) -> Sequence[int]:
        return ()

    @property
    def most_plays(self) -> int:
        return TRICKS * SEATS

    def refuse(self, r: Fields, seat: int, action: int) -> Message:
        if seat not in r.pending:
            return Message("_template_already_chosen", {}, "E3")
        hand = view.hand_texts(r.hand[seat])
        return Message("_template_not_in_hand", {"card": self.text(action), "hand": hand}, "E3")

    def chance_kind(self, due: int) -> str:
        return "deal"

    def chance_values(self, due: int, order: Sequence[int]) -> dict[str, Any]:
        texts = [self.text(card) for card in order]
        hands = [texts[HAND * seat : HAND * (seat + 1)] for seat in range(SEATS)]
        return {"hands": hands, "aside": texts[-ASIDE:]}

    def chance_order(self, due: int, values: dict[str, Any]) -> list[int]:
        return self.order_of_deal(values, hands=[HAND] * SEATS, aside=ASIDE)
