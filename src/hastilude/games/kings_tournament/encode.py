"""King's Tournament: a redacted state as bytes, for learning.

The viewer comes first, then the other player (for a spectator: seat 0, then seat 1). A part "by
kind" has one byte for each of 1 to 10, D, B: the number of such cards.
"""

import numpy as np
import numpy.typing as npt

from hastilude.core.encoding import Layout, Part
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.kings_tournament.cards import BLANK, KINDS, Pile, copies, single
from hastilude.games.kings_tournament.hidden import has_chosen, surely_held
from hastilude.games.kings_tournament.rules import (
    ASIDE,
    DECK,
    HAND,
    LINE,
    OVER,
    SEATS,
    among,
)

LAYOUT = Layout(
    Part("hand", KINDS, "by kind: cards that the viewer holds, except those already chosen"),
    Part("choice", LINE, "the viewer's own hidden choice: card + 1, or 0"),
    Part("seen", SEATS * KINDS, "by seat and kind: discard pile and face-up cards"),
    Part("unseen", SEATS * KINDS, "by seat and kind: unseen cards, except the viewer's own"),
    Part("sure", SEATS * KINDS, "by seat and kind: cards that are definitely in hand"),
    Part("line", SEATS * LINE, "by seat: the cards of the current or last joust, card + 1 or 0"),
    Part("aside", SEATS * ASIDE, "by seat: its discards, card + 1 or 0"),
    Part("melee", SEATS * HAND, "by seat: its cards in the current or last melee, card + 1 or 0"),
    Part("led", HAND, "by turn: the seat that revealed first + 1, or 0"),
    Part("hand_sizes", SEATS, "by seat: number of cards in hand, including chosen ones"),
    Part("deck_sizes", SEATS, "by seat: number of cards left to draw"),
    Part("mounted", SEATS, "by seat: 1 if the knight is mounted"),
    Part("chosen", SEATS, "by seat: 1 if it has chosen and the other seat has not"),
    Part("pending", SEATS, "by seat: 1 if it may act"),
    Part("leader", SEATS, "by seat: 1 if it reveals first in the melee"),
    Part("won", SEATS, "by seat: games won"),
    Part("drawn", 1, "games drawn"),
    Part("game", 1, "the number of this game, from 1"),
    Part("reveals", 2, "reveals in this game: the quotient and remainder by 256"),
    Part("phase", OVER + 1, "one of new_game, joust, discard, beat, lead, answer, over"),
    Part("best_of", 1, "1, 3, 5 or 7"),
    Part("stepwise", 1, "1 if the joust is stepwise"),
)

_HAND = LAYOUT.start("hand")
_CHOICE = LAYOUT.start("choice")
_SEEN = LAYOUT.start("seen")
_UNSEEN = LAYOUT.start("unseen")
_SURE = LAYOUT.start("sure")
_LINE = LAYOUT.start("line")
_ASIDE = LAYOUT.start("aside")
_MELEE = LAYOUT.start("melee")
_LED = LAYOUT.start("led")
_HAND_SIZES = LAYOUT.start("hand_sizes")
_DECK_SIZES = LAYOUT.start("deck_sizes")
_MOUNTED = LAYOUT.start("mounted")
_CHOSEN = LAYOUT.start("chosen")
_PENDING = LAYOUT.start("pending")
_LEADER = LAYOUT.start("leader")
_WON = LAYOUT.start("won")
_DRAWN = LAYOUT.start("drawn")
_GAME = LAYOUT.start("game")
_REVEALS = LAYOUT.start("reveals")
_PHASE = LAYOUT.start("phase")
_BEST_OF = LAYOUT.start("best_of")
_STEPWISE = LAYOUT.start("stepwise")


@kernel
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    out[:] = 0
    viewer = max(int(r["viewer"]), 0)
    if r["viewer"] >= 0:
        write_pile(out, _HAND, r["hand"][viewer])
        for k in range(LINE):
            out[_CHOICE + k] = r["choice"][viewer, k] + 1
    for place in range(SEATS):
        write_seat(r, out, viewer ^ place, place)
    for k in range(HAND):
        if r["led"][k] != BLANK:
            out[_LED + k] = 1 + (int(r["led"][k]) ^ viewer)
    out[_DRAWN] = r["drawn"]
    out[_GAME] = r["game"]
    out[_REVEALS] = int(r["reveals"]) // 256
    out[_REVEALS + 1] = int(r["reveals"]) % 256
    out[_PHASE + int(r["phase"])] = 1
    out[_BEST_OF] = r["best_of"]
    out[_STEPWISE] = r["stepwise"]


@kernel
def write_seat(r: State, out: npt.NDArray[np.uint8], seat: int, place: int) -> None:
    unseen = r["total"] - r["seen"][seat] - r["hand"][seat]
    for k in range(int(r["chosen"][seat])):
        if r["choice"][seat, k] != BLANK:
            unseen -= single(r["choice"][seat, k])
    write_pile(out, _SEEN + KINDS * place, r["seen"][seat])
    write_pile(out, _UNSEEN + KINDS * place, unseen)
    write_pile(out, _SURE + KINDS * place, surely_held(r, seat))
    for k in range(LINE):
        out[_LINE + LINE * place + k] = r["line"][seat, k] + 1
    for k in range(ASIDE):
        out[_ASIDE + ASIDE * place + k] = r["aside"][seat, k] + 1
    for k in range(HAND):
        out[_MELEE + HAND * place + k] = r["melee"][seat, k] + 1
    out[_HAND_SIZES + place] = r["held"][seat]
    out[_DECK_SIZES + place] = DECK - r["top"][seat]
    out[_MOUNTED + place] = among(r["mounted"], seat)
    out[_CHOSEN + place] = has_chosen(r, seat)
    out[_PENDING + place] = among(r["waiting"], seat)
    out[_LEADER + place] = r["leader"] == seat
    out[_WON + place] = r["won"][seat]


@kernel
def write_pile(out: npt.NDArray[np.uint8], first: int, pile: Pile) -> None:
    for card in range(KINDS):
        out[first + card] = copies(pile, card)
