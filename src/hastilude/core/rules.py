"""The rules of every game, for code that works with all games.

`rules.py` of a game provides `start` to `winners`, `hidden.py` provides `redact` to
`lay_face_down` and `infer`, `encode.py` provides `encode`.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import Bits
from hastilude.core.hooks import Hooks
from hastilude.core.random import Rng

State: TypeAlias = Any  # one record of a game's STATE; a NumPy void, or numba's view of it
Facts: TypeAlias = Any  # one record of a game's FACTS: what follows from a redacted state
Numbers: TypeAlias = npt.NDArray[np.int64]
Cards: TypeAlias = npt.NDArray[np.int8]

EVERYTHING = -2  # s["viewer"] of a true state: nothing in it is hidden
SPECTATOR = -1  # s["viewer"] of a spectator's redacted state; otherwise it is the viewer's seat
PILES = 2  # the maximum number of face-down piles in a game
WORK = 2560  # int8 cells of scratch for `undealt`, `determinize` and the policies of bots

RULES = Hooks("rules")


@RULES.hook
def start(s: State, options: Numbers) -> None:
    """Make `s` the start of a match, before the first chance event; sets every field."""


@RULES.hook
def pending(s: State) -> int:
    """The set (bits) of seats that may act now; 0 when chance is due or the match is over."""
    raise NotImplementedError


@RULES.hook
def turn(s: State) -> int:
    """The pending seat that acts first where seats must act one by one; -1 if none is pending."""
    raise NotImplementedError


@RULES.hook
def legal(s: State, seat: int) -> Bits:
    """The set of a seat's legal actions; empty exactly when it is not pending.

    It depends on nothing that is hidden from the seat, so it works on a redacted state too.
    """
    raise NotImplementedError


@RULES.hook
def apply(s: State, seat: int, action: int) -> None:
    """Apply a legal action, unchecked and in place. Nothing is drawn at random."""


@RULES.hook
def chance_due(s: State) -> int:
    """The positive number of the chance event that must happen next; 0 if none is due."""
    raise NotImplementedError


@RULES.hook
def undealt(s: State, due: int, cards: Cards) -> int:
    """Write the cards that the chance event shuffles, in canonical order; returns how many."""
    raise NotImplementedError


@RULES.hook
def deal(s: State, due: int, order: Cards) -> None:
    """Apply the chance event; `order` is what `undealt` wrote, shuffled."""


@RULES.hook
def score(s: State, seat: int) -> int:
    """The seat's score so far. Depends on nothing that is hidden from anybody."""
    raise NotImplementedError


@RULES.hook
def winners(s: State) -> int:
    """The set of seats that won or share the victory; 0 until the match is over. Depends on nothing
    that is hidden from anybody."""
    raise NotImplementedError


@RULES.hook
def redact(s: State, seat: int, r: State) -> None:
    """Build from nothing, in `r`, what a seat (or SPECTATOR) may know of the true state `s`.

    This function alone decides that: views, events, encodings and bots get only its result.
    """


@RULES.hook
def determinize(r: State, rng: Rng, work: Cards) -> None:
    """Fill in the hidden cards of a redacted state at random, in place, in proportion to their
    probability given what is known. Nothing is assumed about how the others choose: a hidden choice
    is equally likely to be any card that it could be."""


@RULES.hook
def hidden_places(r: State, work: Cards) -> int:
    """Write, for `deal_unseen` (core/dealing.py), the cards that the viewer of a redacted state
    cannot know and the places where they may be, face-down piles last; returns how many.

    Returns -1 if this form cannot express what is known: then not all deals are equally likely.
    """
    raise NotImplementedError


@RULES.hook
def fill_hidden(r: State, work: Cards) -> None:
    """Put the cards at DEALT into the places that `hidden_places` wrote."""


@RULES.hook
def shown_at_once(s: State, due: int) -> int:
    """How many cards at the start of a chance event's order somebody sees now; the rest are face
    down."""
    raise NotImplementedError


@RULES.hook
def face_down(s: State, pile: int, cards: Cards) -> int:
    """Write the unseen cards of a face-down pile in the order in which they will be drawn or turned
    up; returns how many. There are at most PILES piles, and a game may have none."""
    raise NotImplementedError


@RULES.hook
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    """Put the cards of a face-down pile in another order."""


@RULES.hook
def infer(r: State, facts: Facts) -> None:
    """Write what follows from a redacted state into the fields that FACTS has of its own.

    The kernels that decide play decide this too; views and events only read it.
    """


@RULES.hook
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    """Write a redacted state as numbers for learning; the layout is the game's `LAYOUT`."""
