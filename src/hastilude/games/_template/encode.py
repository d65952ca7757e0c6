"""Template: a redacted state as bytes, for learning. Seats are counted from the viewer."""

import numpy as np
import numpy.typing as npt

from hastilude.core.encoding import Layout, Part, write_bits
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games._template.rules import CARDS, NO_CARD, SEATS, TRICKS

LAYOUT = Layout(
    Part("hand", CARDS, "by card, 1 to 6: 1 if the viewer holds it"),
    Part("played", TRICKS * SEATS, "by trick and seat: card + 1, or 0; 255 if hidden"),
    Part("scores", SEATS, "by seat: tricks won"),
)

FACE_DOWN = 255

_HAND = LAYOUT.start("hand")
_PLAYED = LAYOUT.start("played")
_SCORES = LAYOUT.start("scores")


@kernel
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    out[:] = 0
    viewer = max(int(r["viewer"]), 0)
    if r["viewer"] >= 0:
        write_bits(out, _HAND, r["hand"][viewer], CARDS)
    for place in range(SEATS):
        seat = (viewer + place) % SEATS
        for trick in range(TRICKS):
            card = int(r["played"][trick, seat])
            out[_PLAYED + SEATS * trick + place] = card + 1 if card >= NO_CARD else FACE_DOWN
        out[_SCORES + place] = r["score"][seat]
