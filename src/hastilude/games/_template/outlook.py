"""Template is simulated to the end of the match, which has only two tricks."""

from hastilude.bots.knowledge import SCORE, Outlook
from hastilude.core.bits import count
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games._template.rules import OVER, TRICKS, score, winners

OUTLOOK = Outlook()


@kernel
def settled(s: State) -> bool:
    return s["phase"] == OVER


@kernel
def worth(s: State, seat: int, aim: int) -> float:
    if aim == SCORE:
        return score(s, seat) / TRICKS
    found = winners(s)
    return 1.0 / count(found) if found >> seat & 1 else 0.0
