"""Tornei's advice: how often a card takes its place, and how many stronger ones are unseen."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hastilude.bots.analyse import Candidate
from hastilude.bots.knowledge import Advice
from hastilude.core.bits import ONE, bit, count
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.tornei.hidden import seen_cards
from hastilude.games.tornei.rules import (
    LEAD,
    PREDICT,
    SEATS,
    is_right,
    place,
    predicted_place,
    suit_cards,
    suit_of,
)
from hastilude.messages import Message

HOPE = 10  # per cent; below that, a prediction hardly ever comes true
MUCH = 10  # per cent more often
NOTABLE = 4  # per cent more often, where the loss is known


@kernel
def has_shown(s: State, before: State) -> bool:
    return bool(s["trick"] > before["trick"])


@kernel
def effect(s: State, before: State, seat: int) -> int:
    """The place that the card took, counted from 0, and whether it was predicted (T10)."""
    trick = int(before["trick"])
    taken = place(s["joust"][trick], seat)
    return 2 * taken + is_right(s["prediction"][trick, seat], taken)


@kernel
def stronger_unseen(redacted: Any, card: int) -> int:
    """How many stronger cards of its suit the viewer has not seen (T2)."""
    up_to = (bit(card) << ONE) - ONE
    return count(suit_cards(suit_of(card)) & ~up_to & ~seen_cards(redacted[0]))


def reason(game: Game, redacted: Any, seat: int, candidates: Sequence[Candidate]) -> Message:
    best = candidates[0]
    card = best.actions[0]
    phase = redacted["phase"][0]
    values: dict[str, Any] = {"card": game.text(card), "suit": game.text(card)[0]}
    if phase != PREDICT:
        values["count"] = stronger_unseen(redacted, card)
    if phase == LEAD:
        often = np.array(best.effects).reshape(SEATS, 2).sum(axis=1)  # by place
        taken = int(often.argmax())
        share = percent(often[taken], best)
        return Message("tornei_hint_lead", {**values, "place": taken + 1, "share": share})
    rival = max(candidates, key=right_share)
    if right_share(rival) < HOPE:
        return Message("tornei_hint_hopeless", {"share": right_share(rival), **values})
    if rival.group > 0 and right_share(rival) >= right_share(best) + MUCH:
        kept = {"kept": game.text(rival.actions[0]), "kept_share": right_share(rival)}
        return Message("tornei_hint_keep", {**values, "share": right_share(best), **kept})
    laid = card if phase == PREDICT else int(redacted["prediction"][0, redacted["trick"][0], seat])
    values |= {"predicted": predicted_place(laid) + 1, "share": right_share(best)}
    return Message("tornei_hint_predict" if phase == PREDICT else "tornei_hint_follow", values)


def compare(
    game: Game, redacted: Any, seat: int, played: Candidate, best: Candidate
) -> list[Message]:
    card, better = played.actions[0], best.actions[0]
    values: dict[str, Any] = {"card": game.text(card), "better": game.text(better)}
    right = values | {"share": right_share(played), "better_share": right_share(best)}
    if right["better_share"] >= right["share"] + NOTABLE:
        if redacted["phase"][0] == PREDICT:
            places = predicted_place(card) + 1, predicted_place(better) + 1
            named = dict(zip(("predicted", "better_predicted"), places, strict=True))
            return [Message("tornei_review_predict", right | named)]
        reasons = [Message("tornei_review_right", right)]
        if unseen := stronger_unseen(redacted, card):
            stronger = {"card": game.text(card), "suit": game.text(card)[0], "count": unseen}
            reasons.append(Message("tornei_review_stronger", stronger, "T2"))
        return reasons
    taken = values | {"share": taken_share(played), "better_share": taken_share(best)}
    reasons = []
    if abs(taken["share"] - taken["better_share"]) >= NOTABLE:
        reasons.append(Message("tornei_review_taken", taken))
    points = round(best.score - played.score, 1)
    if points > 0:
        reasons.append(Message("tornei_review_points", values | {"points": points}, "T12"))
    else:
        reasons.append(Message("tornei_review_others", values, "T12"))
    return reasons


def taken_share(candidate: Candidate) -> int:
    """How often the card took the trick, in per cent."""
    return percent(sum(candidate.effects[:2]), candidate)


def right_share(candidate: Candidate) -> int:
    """How often the prediction came true, in per cent."""
    return percent(sum(candidate.effects[1::2]), candidate)


def percent(some: int, candidate: Candidate) -> int:
    return round(100 * int(some) / candidate.samples)


ADVICE = Advice(reason, compare=compare)
