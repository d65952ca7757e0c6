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
    WINNING,
    WORTHS,
    holder_after,
    lay,
    unseen_by,
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
    holder = holder_after(first, seat, players, work)
    if holder != seat:
        return NOT_HIGHEST
    if (seat + 1) % players == first:
        return PLAYS_LAST
    colour = colour_of(work[LIES + seat])
    return count(unseen_by(s, seat) & WINNING[int(work[WORTHS + seat]), colour, colour])


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
    values["gem"] = game.text(SUPPLY + int(redacted["gem"][0, redacted["trick"][0]]))[-1]
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


def share_of(candidate: Candidate) -> int:
    return round(100 * candidate.effects[WON] / candidate.samples)


ADVICE = Advice(reason)
