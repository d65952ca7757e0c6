"""TriATri: a redacted state as bytes, for learning.

Seats are counted clockwise from the viewer (for a spectator: from seat 0); with fewer than four
players the last places stay 0. A part "by card" has one byte per card, R2 to R8, B2 to B8, G2 to
G8, and one for the number of exchange cards; "card + 1" counts in the same order.
"""

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import Bits, count
from hastilude.core.encoding import Layout, Part, write_bits
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.triatri.hidden import begun_tricks, unseen_cards, void_colours
from hastilude.games.triatri.rules import (
    BIDS,
    COLOURS,
    EXCHANGE,
    NOTHING,
    TRICKS,
    score,
)

SEATS = 4
BY_CARD = EXCHANGE + 1
SCORE_OFFSET = 16  # no score is below -16

LAYOUT = Layout(
    Part("hand", BY_CARD, "by card: 1 if the viewer holds it"),
    Part("unseen", BY_CARD, "by card: 1 if the viewer does not know where it is"),
    Part("bids", BIDS * SEATS, "by bid and seat: card + 1; 0 if none or face down"),
    Part("played", TRICKS * SEATS, "by trick and seat: card played + 1, or 0"),
    Part("lies", TRICKS * SEATS, "by trick and seat: card there after exchanges + 1, or 0"),
    Part("worth", TRICKS * SEATS, "by trick and seat: the worth of that card"),
    Part("gem", TRICKS, "by trick: colour of its gem + 1, or 0"),
    Part("own", TRICKS, "by trick: 1 if the gem was the start player's own"),
    Part("first", TRICKS, "by trick: start player + 1, or 0"),
    Part("winner", TRICKS, "by trick: winner + 1, or 0"),
    Part("held", SEATS, "by seat: number of cards held"),
    Part("voids", SEATS * COLOURS, "by seat and colour R, B, G: 1 if it is known to have none"),
    Part("gems", SEATS * COLOURS, "by seat and colour: gems"),
    Part("supply", COLOURS, "by colour: gems in the supply"),
    Part("scores", SEATS, "by seat: current points + 16"),
    Part("waiting", SEATS, "by seat: 1 if it may act"),
    Part("phase", 6, "one of deal, draw, bid, name, play, over"),
    Part("decided", 1, "start player by: 1 number, 2 circle, 3 fourth seat, 4 lot; or 0"),
    Part("attempt", 1, "bids of this round that decided nothing"),
    Part("trick", 1, "tricks finished in this round"),
    Part("round", 1, "1 to 3"),
    Part("players", 1, "2, 3 or 4"),
)

_HAND = LAYOUT.start("hand")
_UNSEEN = LAYOUT.start("unseen")
_BIDS = LAYOUT.start("bids")
_PLAYED = LAYOUT.start("played")
_LIES = LAYOUT.start("lies")
_WORTH = LAYOUT.start("worth")
_GEM = LAYOUT.start("gem")
_OWN = LAYOUT.start("own")
_FIRST = LAYOUT.start("first")
_WINNER = LAYOUT.start("winner")
_HELD = LAYOUT.start("held")
_VOIDS = LAYOUT.start("voids")
_GEMS = LAYOUT.start("gems")
_SUPPLY = LAYOUT.start("supply")
_SCORES = LAYOUT.start("scores")
_WAITING = LAYOUT.start("waiting")
_PHASE = LAYOUT.start("phase")
_DECIDED = LAYOUT.start("decided")
_ATTEMPT = LAYOUT.start("attempt")
_TRICK = LAYOUT.start("trick")
_ROUND = LAYOUT.start("round")
_PLAYERS = LAYOUT.start("players")


@kernel
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    out[:] = 0
    players = int(r["players"])
    viewer = max(int(r["viewer"]), 0)
    if r["viewer"] >= 0:
        write_cards(out, _HAND, r["hand"][viewer])
    write_cards(out, _UNSEEN, unseen_cards(r))
    write_seats(r, out, viewer)
    write_tricks(r, out, viewer)
    for colour in range(COLOURS):
        out[_SUPPLY + colour] = r["supply"][colour]
    out[_PHASE + int(r["phase"]) - 1] = 1
    out[_DECIDED] = r["decided"]
    out[_ATTEMPT] = r["attempt"]
    out[_TRICK] = r["trick"] - 1
    out[_ROUND] = r["round"]
    out[_PLAYERS] = players


@kernel
def write_cards(out: npt.NDArray[np.uint8], first: int, cards: Bits) -> None:
    write_bits(out, first, cards, EXCHANGE)
    out[first + EXCHANGE] = count(cards >> np.uint64(EXCHANGE))


@kernel
def write_seats(r: State, out: npt.NDArray[np.uint8], viewer: int) -> None:
    players = int(r["players"])
    for place in range(players):
        seat = viewer + place if viewer + place < players else viewer + place - players
        for attempt in range(int(r["attempt"]) + 1):
            out[_BIDS + SEATS * attempt + place] = r["bid"][attempt, seat] + 1
        for trick in range(begun_tricks(r)):
            out[_PLAYED + SEATS * trick + place] = r["played"][trick + 1, seat] + 1
            out[_LIES + SEATS * trick + place] = r["lies"][trick + 1, seat] + 1
            out[_WORTH + SEATS * trick + place] = r["worth"][trick + 1, seat]
        voids = void_colours(r, seat)
        for colour in range(COLOURS):
            out[_VOIDS + COLOURS * place + colour] = voids >> colour & 1
            out[_GEMS + COLOURS * place + colour] = r["gems"][seat, colour]
        out[_HELD + place] = r["held"][seat]
        out[_SCORES + place] = score(r, seat) + SCORE_OFFSET
        out[_WAITING + place] = int(r["waiting"]) >> seat & 1


@kernel
def write_tricks(r: State, out: npt.NDArray[np.uint8], viewer: int) -> None:
    players = int(r["players"])
    for trick in range(begun_tricks(r)):
        out[_GEM + trick] = r["gem"][trick + 1] + 1
        out[_OWN + trick] = r["own"][trick + 1]
        first, winner = int(r["first"][trick + 1]), int(r["winner"][trick + 1])
        out[_FIRST + trick] = place_of(first, viewer, players)
        out[_WINNER + trick] = place_of(winner, viewer, players)


@kernel
def place_of(seat: int, viewer: int, players: int) -> int:
    """The place of a seat, counted from 1, clockwise from the viewer; 0 for no seat."""
    if seat == NOTHING:
        return 0
    return seat - viewer + 1 + (0 if seat >= viewer else players)  # % is a slow division here
