"""TriATri: the sections of a match, and what the lab tells apart in them."""

from hastilude.core.bits import count
from hastilude.core.kernel import kernel
from hastilude.core.rules import Numbers, State
from hastilude.games.triatri.rules import (
    BID,
    DEAL,
    DRAW,
    EXCHANGE,
    HAND,
    INSTANT_WIN,
    LOWEST,
    NAME,
    NUMBERS,
    OWN,
    PLAY,
    ROUNDS,
    number_of,
)
from hastilude.lab.course import Course

STAGES = ("deal", "bid", "tricks")
_NUMBERS = tuple(str(number) for number in range(LOWEST, LOWEST + NUMBERS))
# Kinds: what is bid, which gem is named, what is played first in a trick, and after that.
BIDS, NAMES = 0, 1 + NUMBERS
FIRSTS = NAMES + 2
LATERS = FIRSTS + 1 + NUMBERS

WON_AT_ONCE, STARTED = 1, 2  # feats

COURSE = Course(
    sections=tuple(f"{stage} {n}" for n in range(1, ROUNDS + 1) for stage in STAGES),
    stages=STAGES * ROUNDS,
    roles=("starts", "second", "third", "fourth"),
    kinds=(
        *(f"bid {card}" for card in (*_NUMBERS, "X")),
        "name a gem from the supply",
        "name an own gem",
        *(f"open with {card}" for card in (*_NUMBERS, "X")),
        *(f"play {card} later" for card in (*_NUMBERS, "X")),
    ),
    cards=EXCHANGE + 1,
    feats=("won at once", "started the round"),
)


@kernel
def section(s: State) -> int:
    """A lot that is drawn (A5) belongs to the bid."""
    begun = len(STAGES) * (int(s["round"]) - 1)
    if s["phase"] == DEAL:
        return begun + len(STAGES)
    return begun + (1 if s["phase"] == BID or s["phase"] == DRAW else 2)


@kernel
def role(s: State, seat: int) -> int:
    if s["phase"] != NAME or s["trick"] != 1:
        return -1
    return (seat - int(s["first"][1])) % int(s["players"])


@kernel
def hand_over(s: State, seat: int) -> bool:
    """Let another seat start the first trick; the bids stay discarded."""
    if s["phase"] != NAME or s["trick"] != 1:
        return False
    s["first"][1] = seat
    s["waiting"] = 1 << seat
    return True


@kernel
def holding(s: State, seat: int, counts: Numbers) -> int:
    if s["phase"] != BID or s["attempt"] > 0:
        return 0
    cards = s["hand"][seat]
    counts[:] = 0
    for card in range(EXCHANGE):
        counts[card] = int(cards >> card & 1)
    counts[EXCHANGE] = count(cards >> EXCHANGE)
    return HAND


@kernel
def kind(s: State, seat: int, action: int) -> int:
    if s["phase"] == NAME:
        return NAMES + (action >= OWN)
    card = NUMBERS if action == EXCHANGE else number_of(action) - LOWEST
    if s["phase"] == PLAY:
        return (FIRSTS if seat == s["first"][s["trick"]] else LATERS) + card
    return BIDS + card


@kernel
def feats(s: State, seat: int) -> int:
    found = 0
    if s["ending"] == INSTANT_WIN and s["winner"][s["trick"] - 1] == seat:
        found |= WON_AT_ONCE
    if s["trick"] > 1 and s["first"][1] == seat:
        found |= STARTED
    return found
