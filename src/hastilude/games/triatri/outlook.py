"""TriATri's outlook: simulations end with the match, because its rounds are short."""

from hastilude.bots.knowledge import SCORE, SECOND_TERM, VICTORY, Outlook
from hastilude.core.bits import count
from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.triatri.rules import OVER, score, winners

OUTLOOK = Outlook(
    trust=1.0,  # nodes of the others would first have to learn what the policy knows
    guided=10.0,
    faith=3,
    levels={  # instinct alone, without looking ahead; carelessness in points of winning chance
        "page": {"simulations": 1, "blind": True, "carelessness": 25.0},
        "squire": {"simulations": 1, "blind": True, "carelessness": 6.0},
        "knight": {"simulations": 1, "blind": True, "carelessness": 0.3},
    },
)
SPREAD = 24.0  # the difference in points that is the whole scale from 0 to 1


@kernel
def settled(s: State) -> bool:
    return s["phase"] == OVER


@kernel
def worth(s: State, seat: int, aim: int) -> float:
    found = winners(s)
    victory = 1.0 / count(found) if found >> seat & 1 else 0.0
    if aim == VICTORY:
        return victory
    lead = share_of_lead(s, seat)
    if aim == SCORE:
        return lead
    return (1.0 - SECOND_TERM) * victory + SECOND_TERM * lead


@kernel
def share_of_lead(s: State, seat: int) -> float:
    players = int(s["players"])
    own, total = score(s, seat), 0
    for other in range(players):
        total += score(s, other)
    difference = own - (total - own) / (players - 1)
    return min(max(0.5 + difference / SPREAD, 0.0), 1.0)
