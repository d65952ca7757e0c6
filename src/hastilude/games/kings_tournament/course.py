"""King's Tournament: the sections of a match, and what the lab tells apart in them."""

from hastilude.core.kernel import kernel
from hastilude.core.rules import Numbers, State
from hastilude.games.kings_tournament.cards import BLANK, BLOCK, DOUBLE, KINDS, copies
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DISCARD,
    HAND,
    JOUST,
    LEAD,
    LINE,
    NEW_GAME,
    OVER,
    unhorsed,
)
from hastilude.lab.course import Course

GAMES = 7  # K14: best of seven; games after it count as the seventh
STAGES = ("shuffle", "joust", "melee with one mounted", "melee on foot")
SHUFFLE, TILT, MOUNTED, ON_FOOT = range(4)
OTHER_DECK = 2  # the second chance event of a new game

# Cards that are alike, and what they are played as.
CLASSES = ("1 to 3", "4 to 7", "8 to 10", "D", "B")
LOW, MIDDLE = 3, 7
USES = ("first", "second", "third", "discard", "lead", "answer")

WON_JOUST, WON_GAME = 1, 2  # feats

COURSE = Course(
    sections=tuple(f"{stage}, game {n}" for n in range(1, GAMES + 1) for stage in STAGES),
    stages=STAGES * GAMES,
    roles=("mounted", "unhorsed", "reveals first on foot", "answers first on foot"),
    kinds=tuple(f"{card} as {use}" for use in USES for card in CLASSES),
    cards=KINDS,
    feats=("won the joust", "won the game"),
)


@kernel
def stage(s: State) -> int:
    if s["phase"] == JOUST or s["phase"] == DISCARD or s["phase"] == BEAT:
        return TILT
    return MOUNTED if s["mounted"] else ON_FOOT


@kernel
def section(s: State) -> int:
    games = int(s["game"])
    if s["phase"] == NEW_GAME or s["phase"] == OVER:
        begun = s["due"] == OTHER_DECK  # else the state still shows the game before
        return len(STAGES) * min(games - begun, GAMES - 1)
    return len(STAGES) * (min(games, GAMES) - 1) + stage(s)


@kernel
def role(s: State, seat: int) -> int:
    if stage(s) == TILT or s["leader"] == BLANK:
        return -1
    return (2 if stage(s) == ON_FOOT else 0) + (s["leader"] != seat)


@kernel
def hand_over(s: State, seat: int) -> bool:
    """Let the other knight have won the joust, or let its player reveal first on foot."""
    if stage(s) == TILT or s["leader"] == BLANK:
        return False
    s["leader"] = seat
    if s["mounted"]:
        s["mounted"] = 1 << seat
    if s["waiting"]:
        s["waiting"] = 1 << seat
    return True


@kernel
def holding(s: State, seat: int, counts: Numbers) -> int:
    """The hand of the first joust."""
    if stage(s) != TILT or s["held"][seat] != HAND or s["jousts"]:
        return 0
    for card in range(KINDS):
        counts[card] = copies(s["hand"][seat], card)
    return HAND


@kernel
def kind(s: State, seat: int, action: int) -> int:
    if s["phase"] == JOUST:
        use = int(s["chosen"][seat])
    elif s["phase"] == BEAT:
        use = LINE - int(s["held"][seat])
    elif s["phase"] == DISCARD:
        use = 3
    else:
        use = 4 + (s["phase"] == ANSWER)
    return len(CLASSES) * use + class_of(action)


@kernel
def class_of(card: int) -> int:
    return (card >= LOW) + (card >= MIDDLE) + (card >= DOUBLE) + (card == BLOCK)


@kernel
def feats(s: State, seat: int) -> int:
    found = 0
    if s["phase"] == LEAD and s["mounted"] and unhorsed(s) == 1 - seat:
        found |= WON_JOUST
    if s["fallen"] == 1 - seat:
        found |= WON_GAME
    return found
