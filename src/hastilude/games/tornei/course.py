"""Tornei: the sections of a match, and what the lab tells apart in them."""

from hastilude.core.bits import has
from hastilude.core.kernel import kernel
from hastilude.core.rules import Numbers, State
from hastilude.games.tornei.rules import (
    CARDS,
    DEAL,
    LEAD,
    OVER,
    PREDICT,
    RANKS,
    SEATS,
    SUITS,
    TRICKS,
    lead_trick,
    suit_of,
)
from hastilude.lab.course import Course

SUIT_NAMES = "CSFW"  # weakest first, as cards are numbered
BANDS = ("low", "middle", "high")  # 1 to 5, 6 to 10, 11 to 14
BAND = 5
LEADS, PREDICTIONS = 0, SUITS * len(BANDS)
FOLLOWS = PREDICTIONS + SUITS

NO_TRICK, MANY_TRICKS = 1, 2  # feats
MANY = 3

_CARDS = tuple(f"{suit} {band}" for suit in SUIT_NAMES for band in BANDS)

COURSE = Course(
    sections=tuple(f"{stage} {n}" for n in range(1, SEATS + 1) for stage in ("deal", "round")),
    stages=("deal", "round") * SEATS,
    roles=("leads first", "second", "third", "deals"),
    kinds=(
        *(f"lead {card}" for card in _CARDS),
        *(f"predict {suit}" for suit in SUIT_NAMES),
        *(f"play {card}" for card in _CARDS),
    ),
    cards=CARDS,
    feats=("took no tricks", "took three tricks or more"),
)


@kernel
def section(s: State) -> int:
    if s["phase"] == OVER:
        return 2 * int(s["players"])
    if s["phase"] == DEAL:  # the state still shows the round before
        return 2 * (int(s["round"]) + (s["trick"] == TRICKS))
    return 2 * int(s["round"]) + 1


@kernel
def role(s: State, seat: int) -> int:
    """The place in the first trick of the round, counted from its leader."""
    if s["phase"] != LEAD and s["phase"] != PREDICT:
        return -1
    return (seat - int(s["leader"][0])) % SEATS


@kernel
def hand_over(s: State, seat: int) -> bool:
    """Let another seat lead the first trick; not if the dummy has already done so."""
    if s["phase"] != LEAD:
        return False
    s["leader"][0] = seat
    lead_trick(s, seat)
    return True


@kernel
def holding(s: State, seat: int, counts: Numbers) -> int:
    if s["phase"] == DEAL or s["phase"] == OVER:
        return 0
    for card in range(CARDS):
        counts[card] = has(s["hand"][seat], card)
    return RANKS


@kernel
def kind(s: State, seat: int, action: int) -> int:
    suit, band = suit_of(action), (int(action) % RANKS) // BAND
    if s["phase"] == PREDICT:
        return PREDICTIONS + suit
    first = LEADS if s["phase"] == LEAD else FOLLOWS
    return first + len(BANDS) * suit + band


@kernel
def feats(s: State, seat: int) -> int:
    if s["trick"] < TRICKS:
        return 0
    won = int(s["won"][seat])
    return NO_TRICK if won == 0 else MANY_TRICKS if won >= MANY else 0
