"""The functions that every game provides, as seen from code that serves all games.

Generic kernels (playouts, batches, search) call these. numba chooses the game's own function by
the record type of `s` while it compiles, so nothing is passed or closed over, which numba could not
cache between processes. Interpreted, the choice is made by dtype at each call.

`rules.py` of a game provides `start` to `winners`, `hidden.py` provides `redact` to
`lay_face_down` and `infer`, `encode.py` provides `encode`.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import overload

from hastilude.core.bits import Bits
from hastilude.core.random import Rng

P = ParamSpec("P")
R = TypeVar("R")

State: TypeAlias = Any  # one record of a game's STATE; a NumPy void, or numba's view of it
Facts: TypeAlias = Any  # one record of a game's FACTS: what follows from a redacted state
Numbers: TypeAlias = npt.NDArray[np.int64]
Cards: TypeAlias = npt.NDArray[np.int8]

EVERYTHING = -2  # s["viewer"] of a true state: nothing in it is hidden
SPECTATOR = -1  # s["viewer"] of what somebody without a seat may know; else the viewer's seat
PILES = 2  # the most face-down piles that a game has
WORK = 360  # int8 cells of scratch that `undealt` and `determinize` may use

_stubs: set[int] = set()  # the identities of the functions below, which only choose
_by_dtype: dict[np.dtype[np.void], dict[str, Any]] = {}
_by_type: dict[types.Record, dict[str, Any]] = {}


def register(state: np.dtype[np.void], *modules: ModuleType) -> None:
    """Make the functions of a game's modules answer for records of its STATE.

    More can be registered later: a game's bots add their policies.
    """
    functions = _by_dtype.setdefault(state, {})
    _by_type[numba.from_dtype(state)] = functions
    for module in modules:
        own = {name: what for name, what in vars(module).items() if id(what) not in _stubs}
        functions.update(own)


def of_each_game(stub: Callable[P, R]) -> Callable[P, R]:
    """Replace a stub by the function of that name of the game whose state comes first.

    A game that has none gets the stub itself: what it does is what a game need not provide.
    """
    name = stub.__name__

    def chosen(s: State, *rest: Any) -> Any:
        return _by_dtype[s.dtype].get(name, stub)(s, *rest)

    @overload(chosen, strict=False)  # type: ignore[untyped-decorator]  # numba is untyped
    def compiled(s: Any, *rest: Any) -> Any:
        if s not in _by_type:
            return None
        return _by_type[s][name].py_func if name in _by_type[s] else stub

    _stubs.add(id(chosen))
    return chosen  # type: ignore[return-value]  # its parameters are the stub's


@of_each_game
def start(s: State, options: Numbers) -> None:
    """Make `s` the start of a match, before the first chance event; sets every field."""


@of_each_game
def pending(s: State) -> int:
    """The set (bits) of seats that may act now; 0 when chance is due or the match is over."""
    raise NotImplementedError


@of_each_game
def turn(s: State) -> int:
    """The pending seat that acts first where seats must act one by one; -1 if none is pending."""
    raise NotImplementedError


@of_each_game
def legal(s: State, seat: int) -> Bits:
    """The set of actions of a seat; empty exactly when it is not pending.

    Depends on nothing that is hidden from the seat, so it may be asked of a redacted state.
    """
    raise NotImplementedError


@of_each_game
def apply(s: State, seat: int, action: int) -> None:
    """What follows from a legal action. Unchecked, in place, draws nothing."""


@of_each_game
def chance_due(s: State) -> int:
    """0, or a positive number that says which chance event must happen next."""
    raise NotImplementedError


@of_each_game
def undealt(s: State, due: int, cards: Cards) -> int:
    """Write what the chance event shuffles, in canonical order; returns how many."""
    raise NotImplementedError


@of_each_game
def deal(s: State, due: int, order: Cards) -> None:
    """The chance event: `order` is what `undealt` wrote, shuffled."""


@of_each_game
def score(s: State, seat: int) -> int:
    """The seat's score so far. Depends on nothing that is hidden from anybody."""
    raise NotImplementedError


@of_each_game
def winners(s: State) -> int:
    """The set of seats that won or share the victory; 0 until the match is over. Depends on nothing
    that is hidden from anybody."""
    raise NotImplementedError


@of_each_game
def redact(s: State, seat: int, r: State) -> None:
    """Build in `r`, from nothing, what a seat (or SPECTATOR) may know of the true state `s`.

    The one function that decides this: views, events, encodings and bots get only its result.
    """


@of_each_game
def determinize(r: State, rng: Rng, work: Cards) -> None:
    """Fill the blanks of a redacted state, in place, in proportion to the probability of the
    physical cards given what is known. Nothing is assumed of how the others choose: each hidden
    choice is equally likely to be any card that could be it."""


@of_each_game
def hidden_places(r: State, work: Cards) -> int:
    """Lay out for `deal_unseen` (core/dealing.py) the cards that the viewer of a redacted state
    cannot know, and the places where they may be, face-down piles last; returns how many.

    -1 if what is known cannot be told in this form, so that not all deals are equally likely.
    """
    raise NotImplementedError


@of_each_game
def fill_hidden(r: State, work: Cards) -> None:
    """Put the cards at DEALT into the places that `hidden_places` has laid out."""


@of_each_game
def shown_at_once(s: State, due: int) -> int:
    """How many cards at the head of a chance event's order somebody gets to see now; what follows
    lies face down."""
    raise NotImplementedError


@of_each_game
def face_down(s: State, pile: int, cards: Cards) -> int:
    """Write the cards of a face-down pile that nobody has seen, in the order in which they will be
    drawn or turned up; returns how many. There are PILES at most, and a game may have none."""
    raise NotImplementedError


@of_each_game
def lay_face_down(s: State, pile: int, cards: Cards) -> None:
    """Put the cards of a face-down pile into another order."""


@of_each_game
def infer(r: State, facts: Facts) -> None:
    """Write what follows from a redacted state into the fields that FACTS has of its own.

    The kernels that decide play decide this too; views and events only read it.
    """


@of_each_game
def encode(r: State, out: npt.NDArray[np.uint8]) -> None:
    """Write a redacted state as numbers for learning; the layout is the game's `LAYOUT`."""
