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
from hastilude.games.kings_tournament.mixing import card_shares
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BOTH,
    HAND,
    JOUST,
    LEAD,
    among,
    hits,
)
from hastilude.messages import Message

ROUNDS = 100  # of solving a joust that is not stored
NEITHER, WON, LOST = range(3)  # the joust, or a hit in the melee
LEADS = 3  # added if the seat reveals first in the next turn
NOTABLE = 4  # per cent more often, where the loss is known


@kernel
def has_shown(s: State, before: State) -> bool:
    return bool(s["reveals"] > before["reveals"])


@kernel
def effect(s: State, before: State, seat: int) -> int:
    leads = LEADS if s["leader"] == seat else 0
    if before["phase"] == LEAD or before["phase"] == ANSWER:
        margin = MARGIN[s["last_turn"][seat], s["last_turn"][1 - seat]]
        if not hits(margin, s["melee_margin"]):
            return NEITHER + leads
        return (WON if margin > 0 else LOST) + leads
    if s["mounted"] == BOTH:
        return NEITHER  # K8: the joust is repeated
    return (WON if among(s["mounted"], seat) else LOST) + leads


def needed_margin(redacted: Any) -> int:
    """The margin that decides the joust (K7) or hits (K12), whichever is fought."""
    is_melee = redacted["phase"][0] in (LEAD, ANSWER)
    return int(redacted["melee_margin" if is_melee else "joust_margin"][0])


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
        return _about_answer(game, redacted, seat, best, "kings_tournament_hint_is_hit")
    values: dict[str, Any] = dict(zip(("won", "lost"), won_and_lost(best), strict=True))
    if phase not in (LEAD, JOUST):
        return Message("kings_tournament_hint_step", values)
    card = best.actions[-1]
    other, margin = 1 - seat, needed_margin(redacted)
    values |= {
        "card": game.text(card),
        "other": other,
        "count": count_beating(redacted, other, card, margin),
        "unseen": count_unseen(redacted, other),
    }
    if phase == LEAD:
        return Message("kings_tournament_hint_lead", values, "K12")
    values["cards"] = line_of(game, redacted, seat, best)
    return Message("kings_tournament_hint_line", values, "K7")


def won_and_lost(candidate: Candidate) -> tuple[int, int]:
    """How often the choice wins and loses the joust or a hit, in per cent."""
    often = np.array(candidate.effects[: 2 * LEADS]).reshape(2, LEADS).sum(axis=0)
    won, lost = (percent(often[k], candidate) for k in (WON, LOST))
    return won, lost


def first_share(candidate: Candidate) -> int:
    """How often the seat reveals first in the next turn, in per cent."""
    return percent(sum(candidate.effects[LEADS:]), candidate)


def percent(some: int, candidate: Candidate) -> int:
    return round(100 * int(some) / candidate.samples)


def differ(share: int, other: int) -> bool:
    return abs(share - other) >= NOTABLE


def line_of(game: Game, redacted: Any, seat: int, candidate: Candidate) -> tuple[str, ...]:
    """The whole line, with the cards that were chosen before."""
    begun = redacted["choice"][0, seat, : redacted["chosen"][0, seat]].tolist()
    return tuple(map(game.text, (*begun, *candidate.actions)))


def _about_answer(
    game: Game, redacted: Any, seat: int, candidate: Candidate, is_hit: str
) -> Message:
    """The result of an answer is certain. `is_hit` is the sentence if the answer is hit."""
    card = candidate.actions[0]
    facing = int(redacted["melee"][0, 1 - seat, HAND - redacted["held"][0, seat]])
    margin = int(MARGIN[card, facing])
    values = {"card": game.text(card), "facing": game.text(facing), "margin": abs(margin)}
    needed = needed_margin(redacted)
    if margin >= needed:
        return Message("kings_tournament_hint_hits", values, "K12")
    if margin <= -needed:
        return Message(is_hit, values, "K12")
    leader = seat if sum(candidate.effects[LEADS:]) else 1 - seat
    return Message("kings_tournament_hint_holds", {**values, "leader": leader}, "K11")


def compare(
    game: Game, redacted: Any, seat: int, played: Candidate, best: Candidate
) -> list[Message]:
    if redacted["phase"][0] in (LEAD, ANSWER):
        return _compare_cards(game, redacted, seat, played, best)
    values = _hits(played, best)
    values["cards"] = line_of(game, redacted, seat, played)
    values["better_cards"] = line_of(game, redacted, seat, best)
    return [Message("kings_tournament_review_line", values, "K7")]


def _compare_cards(
    game: Game, redacted: Any, seat: int, played: Candidate, best: Candidate
) -> list[Message]:
    answers = redacted["phase"][0] == ANSWER
    cards = {"card": game.text(played.actions[0]), "better": game.text(best.actions[0])}
    first, better_first = first_share(played), first_share(best)
    same_hits = not any(map(differ, won_and_lost(played), won_and_lost(best)))
    if same_hits and not differ(first, better_first):
        return [Message("kings_tournament_review_keep", cards)]
    if same_hits and not answers:
        firsts = {"share": first, "better_share": better_first}
        return [Message("kings_tournament_review_first", cards | firsts, "K11")]
    reasons = [Message("kings_tournament_review_lead", _hits(played, best) | cards)]
    if answers:
        is_hit = "kings_tournament_review_is_hit"
        reasons = [_about_answer(game, redacted, seat, made, is_hit) for made in (played, best)]
    if balance(played) >= balance(best) + NOTABLE:  # then this turn is not why the other is better
        reasons.append(Message("kings_tournament_review_later", cards))
    elif not answers:
        other, needed = 1 - seat, needed_margin(redacted)
        exposed = {
            "other": other,
            "unseen": count_unseen(redacted, other),
            "count": count_beating(redacted, other, played.actions[0], needed),
            "better_count": count_beating(redacted, other, best.actions[0], needed),
        }
        reasons.append(Message("kings_tournament_review_exposed", cards | exposed, "K12"))
    return reasons


def _hits(played: Candidate, best: Candidate) -> dict[str, Any]:
    names = ("won", "lost", "better_won", "better_lost")
    return dict(zip(names, (*won_and_lost(played), *won_and_lost(best)), strict=True))


def balance(candidate: Candidate) -> int:
    """How much more often the choice hits than it is hit, in per cent."""
    won, lost = won_and_lost(candidate)
    return won - lost


def mix_lines(redacted: Any, seat: int) -> Mapping[Choice, float] | None:
    """The equilibrium of a committed joust (K5)."""
    r = redacted[0]
    if r["phase"] != JOUST:
        return None
    begun = int(r["chosen"][seat])
    shares = line_shares(redacted, seat, ROUNDS)
    return {line[begun:]: share for line, share in shares.items()} or None


def mix(redacted: Any, seat: int) -> Mapping[Choice, float] | None:
    if redacted["phase"][0] == JOUST:
        return mix_lines(redacted, seat)
    return card_shares(redacted, seat) or None


# In the melee a comparison of all cards says more than the shares of the good ones.
ADVICE = Advice(reason, mix, mix_lines, compare)
