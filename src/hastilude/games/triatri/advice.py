"""TriATri's advice: how often a choice wins the gem or the start, and how many cards beat it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hastilude.bots.analyse import Candidate
from hastilude.bots.knowledge import Advice
from hastilude.core.bits import count
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.rules import WORK, Cards, State
from hastilude.games.triatri.reference import (
    LIES,
    WORTHS,
    holder_after,
    is_doubled,
    lay,
    unseen_by,
    winning_cards,
)
from hastilude.games.triatri.rules import (
    BID,
    DRAW,
    NAME,
    SUPPLY,
    colour_of,
)
from hastilude.messages import Message

LOST, WON = range(2)  # the gem, or the start
NOT_HIGHEST, PLAYS_LAST = -1, -2  # instead of a number of cards
MUCH = 10  # per cent more often
NOTABLE = 4  # per cent more often, where the loss is known


@kernel
def has_shown(s: State, before: State) -> bool:
    if before["phase"] == BID:
        return bool(s["phase"] != BID and s["phase"] != DRAW)
    return bool(s["trick"] != before["trick"])


@kernel
def effect(s: State, before: State, seat: int) -> int:
    trick = before["trick"]
    winner = s["first"][trick] if before["phase"] == BID else s["winner"][trick]
    return WON if winner == seat else LOST


@kernel
def count_beating(redacted: Any, seat: int, card: int, work: Cards) -> int:
    """How many unseen cards would win the trick from a card if the next player played them."""
    s = redacted[0]
    first, players = int(s["first"][s["trick"]]), int(s["players"])
    lay(s, seat, card, work)
    holder = holder_after(s, first, seat, work)
    if holder != seat:
        return NOT_HIGHEST
    if (seat + 1) % players == first:
        return PLAYS_LAST
    colour = colour_of(work[LIES + seat])
    worth, doubled = int(work[WORTHS + seat]), is_doubled(seat, work)
    return count(unseen_by(s, seat) & winning_cards(s, worth, colour, colour, doubled))


def reason(game: Game, redacted: Any, seat: int, candidates: Sequence[Candidate]) -> Message:
    best = candidates[0]
    action = best.actions[0]
    phase = redacted["phase"][0]
    values: dict[str, Any] = {"card": game.text(action), "share": share_of(best)}
    if phase == BID:
        return Message("triatri_hint_bid", values, "A5")
    if phase == NAME:
        gem = game.text(action)[-1]
        return Message("triatri_hint_name", {"gem": gem, "share": values["share"]})
    values["gem"] = gem_in_play(game, redacted)
    rival = max(candidates, key=share_of)
    if rival.group > 0 and share_of(rival) >= share_of(best) + MUCH:
        kept = {"kept": game.text(rival.actions[0]), "kept_share": share_of(rival)}
        return Message("triatri_hint_keep", values | kept)
    beating = count_beating(redacted, seat, action, np.zeros(WORK, np.int8))
    if beating == PLAYS_LAST:
        return Message("triatri_hint_last", values, "A10")
    if beating == NOT_HIGHEST:
        return Message("triatri_hint_low", values)
    return Message("triatri_hint_play", {**values, "count": beating})


def compare(
    game: Game, redacted: Any, seat: int, played: Candidate, best: Candidate
) -> list[Message]:
    gained = share_of(best) - share_of(played)
    reasons = [_about_shares(game, redacted, played, best, abs(gained) >= NOTABLE)]
    if gained < NOTABLE:  # then it is not what makes the choice better
        points = round(best.score - played.score, 1)
        key = "triatri_review_points" if points > 0 else "triatri_review_others"
        reasons.append(Message(key, {"points": points}))
    elif redacted["phase"][0] not in (BID, NAME):
        card = played.actions[0]
        beating = count_beating(redacted, seat, card, np.zeros(WORK, np.int8))
        if beating > 0:
            values = {"card": game.text(card), "count": beating}
            reasons.append(Message("triatri_review_beaten", values))
    return reasons


def _about_shares(
    game: Game, redacted: Any, played: Candidate, best: Candidate, differ: bool
) -> Message:
    """How often each of the two choices wins the gem or the start."""
    action, better = game.text(played.actions[0]), game.text(best.actions[0])
    values: dict[str, Any] = {"share": share_of(played), "better_share": share_of(best)}
    if redacted["phase"][0] == NAME:
        gem, better_gem = action[-1], better[-1]
        if gem == better_gem:
            return Message("triatri_review_source", {"gem": gem}, "A6")
        return Message("triatri_review_name", {**values, "gem": gem, "better_gem": better_gem})
    values |= {"card": action, "better": better}
    if not differ:
        return Message("triatri_review_keep", values)
    if redacted["phase"][0] == BID:
        return Message("triatri_review_bid", values, "A5")
    return Message("triatri_review_play", {**values, "gem": gem_in_play(game, redacted)})


def gem_in_play(game: Game, redacted: Any) -> str:
    return game.text(SUPPLY + int(redacted["gem"][0, redacted["trick"][0]]))[-1]


def share_of(candidate: Candidate) -> int:
    return round(100 * candidate.effects[WON] / candidate.samples)


ADVICE = Advice(reason, compare=compare)
