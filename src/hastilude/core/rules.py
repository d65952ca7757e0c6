"""The rules of every game, as seen from code that serves all games.

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
SPECTATOR = -1  # s["viewer"] of what somebody without a seat may know; else the viewer's seat
PILES = 2  # the most face-down piles that a game has
WORK = 360  # int8 cells of scratch that `undealt` and `determinize` may use

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
    """The set of actions of a seat; empty exactly when it is not pending.

    Depends on nothing that is hidden from the seat, so it may be asked of a redacted state.
    """
    raise NotImplementedError


@RULES.hook
def apply(s: State, seat: int, action: int) -> None:
    """What follows from a legal action. Unchecked, in place, draws nothing."""


@RULES.hook
def chance_due(s: State) -> int:
    """0, or a positive number that says which chance event must happen next."""
    raise NotImplementedError


@RULES.hook
def undealt(s: State, due: int, cards: Cards) -> int:
    """Write what the chance event shuffles, in canonical order; returns how many."""
    raise NotImplementedError


@RULES.hook
def deal(s: State, due: int, order: Cards) -> None:
    """The chance event: `order` is what `undealt` wrote, shuffled."""


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
    """Build in `r`, from nothing, what a seat (or SPECTATOR) may know of the true state `s`.

    The one function that decides this: views, events, encodings and bots get only its result.
    """


@RULES.hook
def determinize(r: State, rng: Rng, work: Cards) -> None:
    """Fill the blanks of a redacted state, in place, in proportion to the probability of the
    physical cards given what is known. Nothing is assumed of how the others choose: each hidden
    choice is equally likely to be any card that could be it."""


@RULES.hook
def hidden_places(r: State, work: Cards) -> int:
    """Lay out for `deal_unseen` (core/dealing.py) the cards that the viewer of a redacted state
    cannot know, and the places where they may be, face-down piles last; returns how many.

    -1 if what is known cannot be told in this form, so that not all deals are equally likely.
    """
    raise NotImplementedError


@RULES.hook
def fill_hidden(r: State, work: Cards) -> None:
    """Put the cards at DEALT into the places that `hidden_places` has laid out."""


@RULES.hook
def shown_at_once(s: State, due: int) -> int:
    """How many cards at the head of a chance event's order somebody gets to see now; what follows
    lies face down."""
    raise NotImplementedError


@RULES.hook
def face_down(s: State, pile: int, cards: Cards) -> int:
    """Write the cards of a face-down pile that nobody has seen, in the order in which they will be
    drawn or turned up; returns how many. There are PILES at most, and a game may have none."""
    raise NotImplementedError


@RULES.hook
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    """Put the cards of a face-down pile into another order."""


@RULES.hook
def infer(r: State, facts: Facts) -> None:
    """Write what follows from a redacted state into the fields that FACTS has of its own.

    The kernels that decide play decide this too; views and events only read it.
    """


@RULES.hook
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    """Write a redacted state as numbers for learning; the layout is the game's `LAYOUT`."""
