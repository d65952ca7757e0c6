"""King's Tournament's advice: how often a choice wins, what beats it, and how to mix lines."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hastilude.bots.analyse import Candidate
from hastilude.bots.knowledge import Advice, Choice
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, copies, size
from hastilude.games.kings_tournament.hidden import unseen_cards
from hastilude.games.kings_tournament.joust import line_shares
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BOTH,
    HAND,
    HIT,
    JOUST,
    LEAD,
    UNHORSING,
    among,
    hits,
)
from hastilude.messages import Message

ROUNDS = 100  # of solving a joust that is not stored
NEITHER, WON, LOST = range(3)  # the joust, or a hit in the melee
LEADS = 3  # added if the seat reveals first in the next turn


@kernel
def has_shown(s: State, before: State) -> bool:
    return bool(s["reveals"] > before["reveals"])


@kernel
def effect(s: State, before: State, seat: int) -> int:
    leads = LEADS if s["leader"] == seat else 0
    if before["phase"] == LEAD or before["phase"] == ANSWER:
        margin = MARGIN[s["last_turn"][seat], s["last_turn"][1 - seat]]
        if not hits(margin):
            return NEITHER + leads
        return (WON if margin > 0 else LOST) + leads
    if s["mounted"] == BOTH:
        return NEITHER  # K8: the joust is repeated
    return (WON if among(s["mounted"], seat) else LOST) + leads


@kernel
def count_beating(redacted: Any, other: int, card: int, margin: int) -> int:
    """How many cards that the other player may still hold beat a card by this margin."""
    unseen = unseen_cards(redacted[0], other)
    found = 0
    for theirs in range(KINDS):
        if MARGIN[theirs, card] >= margin:
            found += copies(unseen, theirs)
    return found


@kernel
def count_unseen(redacted: Any, other: int) -> int:
    return size(unseen_cards(redacted[0], other))


def reason(game: Game, redacted: Any, seat: int, candidates: Sequence[Candidate]) -> Message:
    best = candidates[0]
    phase = redacted["phase"][0]
    if phase == ANSWER:
        return _about_answer(game, redacted, seat, best)
    often = np.array(best.effects[: 2 * LEADS]).reshape(2, LEADS).sum(axis=0)
    won, lost = (round(100 * int(often[k]) / best.samples) for k in (WON, LOST))
    values: dict[str, Any] = {"won": won, "lost": lost}
    if phase not in (LEAD, JOUST):
        return Message("kings_tournament_hint_step", values)
    card = best.actions[-1]
    other, margin = 1 - seat, HIT if phase == LEAD else UNHORSING
    values |= {
        "card": game.text(card),
        "other": other,
        "count": count_beating(redacted, other, card, margin),
        "unseen": count_unseen(redacted, other),
    }
    if phase == LEAD:
        return Message("kings_tournament_hint_lead", values, "K12")
    begun = redacted["choice"][0, seat, : redacted["chosen"][0, seat]].tolist()
    values["cards"] = tuple(map(game.text, (*begun, *best.actions)))
    return Message("kings_tournament_hint_line", values, "K7")


def _about_answer(game: Game, redacted: Any, seat: int, best: Candidate) -> Message:
    """The result of an answer is certain."""
    card = best.actions[0]
    facing = int(redacted["melee"][0, 1 - seat, HAND - redacted["held"][0, seat]])
    margin = int(MARGIN[card, facing])
    values = {"card": game.text(card), "facing": game.text(facing), "margin": abs(margin)}
    if margin >= HIT:
        return Message("kings_tournament_hint_hits", values, "K12")
    if margin <= -HIT:
        return Message("kings_tournament_hint_is_hit", values, "K12")
    leader = seat if sum(best.effects[LEADS:]) else 1 - seat
    return Message("kings_tournament_hint_holds", {**values, "leader": leader}, "K11")


def mix(redacted: Any, seat: int) -> Mapping[Choice, float] | None:
    """The equilibrium of a committed joust (K5)."""
    r = redacted[0]
    if r["phase"] != JOUST:
        return None
    begun = int(r["chosen"][seat])
    shares = line_shares(redacted, seat, ROUNDS)
    return {line[begun:]: share for line, share in shares.items()} or None


ADVICE = Advice(reason, mix)
