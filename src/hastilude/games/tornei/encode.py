"""Tornei: a redacted state as bytes, for learning.

Seats are counted clockwise from the viewer (for a spectator: from seat 0). A part "by card" has one
byte per card, C1 to W14.
"""

import numpy as np
import numpy.typing as npt

from hastilude.core.encoding import Layout, Part, write_bits
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.tornei.hidden import seen_cards, void_suits
from hastilude.games.tornei.rules import CARDS, DUMMY, LAID, NO_CARD, SEATS, SUITS, TRICKS

LAYOUT = Layout(
    Part("hand", CARDS, "by card: 1 if the viewer holds it"),
    Part("unseen", CARDS, "by card: 1 if the viewer does not know where it is"),
    Part("columns", CARDS, "by card: 1 if it is in the dummy's columns"),
    Part("jousts", TRICKS * SEATS, "by trick and seat: joust card + 1, or 0"),
    Part("predictions", TRICKS * SEATS, "by trick and seat: prediction card + 1; 255 if face down"),
    Part("leaders", TRICKS, "by trick: leader + 1, or 0"),
    Part("laid", LAID, "the dummy's cards in the order they were dealt: card + 1, or 0"),
    Part("pile", LAID, "the dummy's pile in the order turned up: card + 1, or 0"),
    Part("voids", SEATS * SUITS, "by seat and suit C, S, F, W: 1 if it is known to have none"),
    Part("won", SEATS, "by seat: tricks won in this round"),
    Part("points", SEATS, "by seat: points for right predictions in this round"),
    Part("scores", SEATS, "by seat: score of the finished rounds"),
    Part("waiting", SEATS, "by seat: 1 if it still has to predict"),
    Part("turn", SEATS, "by seat: 1 if it leads or follows next"),
    Part("dealer", SEATS, "by seat: 1 for the dealer"),
    Part("phase", 5, "one of deal, lead, predict, play, over"),
    Part("trick", 1, "tricks finished in this round"),
    Part("round", 1, "rounds finished"),
    Part("players", 1, "3 or 4"),
)

FACE_DOWN = 255

_HAND = LAYOUT.start("hand")
_UNSEEN = LAYOUT.start("unseen")
_COLUMNS = LAYOUT.start("columns")
_JOUSTS = LAYOUT.start("jousts")
_PREDICTIONS = LAYOUT.start("predictions")
_LEADERS = LAYOUT.start("leaders")
_LAID = LAYOUT.start("laid")
_PILE = LAYOUT.start("pile")
_VOIDS = LAYOUT.start("voids")
_WON = LAYOUT.start("won")
_POINTS = LAYOUT.start("points")
_SCORES = LAYOUT.start("scores")
_WAITING = LAYOUT.start("waiting")
_TURN = LAYOUT.start("turn")
_DEALER = LAYOUT.start("dealer")
_PHASE = LAYOUT.start("phase")
_TRICK = LAYOUT.start("trick")
_ROUND = LAYOUT.start("round")
_PLAYERS = LAYOUT.start("players")


@kernel
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    out[:] = 0
    viewer = max(int(r["viewer"]), 0)
    if r["viewer"] >= 0:
        write_bits(out, _HAND, r["hand"][viewer], CARDS)
    if r["leader"][0] >= 0:
        write_bits(out, _UNSEEN, ~seen_cards(r), CARDS)
    if r["players"] == DUMMY:
        write_bits(out, _COLUMNS, r["hand"][DUMMY], CARDS)
        for k in range(LAID):
            out[_LAID + k] = r["laid"][k] + 1
            out[_PILE + k] = r["pile"][k] + 1
    tricks = min(int(r["trick"]) + 1, TRICKS)
    for trick in range(tricks):
        if r["leader"][trick] >= 0:
            out[_LEADERS + trick] = (int(r["leader"][trick]) - viewer) % SEATS + 1
    for place in range(SEATS):
        seat = (viewer + place) % SEATS
        write_seat(r, out, seat, place, tricks)
    out[_DEALER + (int(r["dealer"]) - viewer) % SEATS] = 1
    out[_PHASE + int(r["phase"])] = 1
    out[_TRICK] = r["trick"]
    out[_ROUND] = r["round"]
    out[_PLAYERS] = r["players"]


@kernel
def write_seat(r: State, out: npt.NDArray[np.uint8], seat: int, place: int, tricks: int) -> None:
    for trick in range(tricks):
        out[_JOUSTS + SEATS * trick + place] = r["joust"][trick, seat] + 1
        card = int(r["prediction"][trick, seat])
        out[_PREDICTIONS + SEATS * trick + place] = card + 1 if card >= NO_CARD else FACE_DOWN
    voids = void_suits(r, seat, tricks)
    for suit in range(SUITS):
        out[_VOIDS + SUITS * place + suit] = voids >> suit & 1
    out[_WON + place] = r["won"][seat]
    out[_POINTS + place] = r["points"][seat]
    out[_SCORES + place] = r["score"][seat]
    out[_WAITING + place] = int(r["waiting"]) >> seat & 1
    out[_TURN + place] = r["turn"] == seat and r["waiting"] == 0
