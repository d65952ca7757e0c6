"""Where the yardstick's simulations of Tornei end: with the round, whose points count. Frozen."""

from hastilude.core.kernel import kernel
from hastilude.core.rules import State
from hastilude.games.tornei.rules import TRICKS

SPREAD = 16.0  # the difference in points that is the whole scale from 0 to 1


@kernel
def ended(s: State) -> bool:
    return s["trick"] == TRICKS


@kernel
def result(s: State, seat: int) -> float:
    players = int(s["players"])
    own = int(s["sheet"][s["round"], seat])
    total = 0
    for other in range(players):
        total += int(s["sheet"][s["round"], other])
    difference = own - (total - own) / (players - 1)
    return min(max(0.5 + difference / SPREAD, 0.0), 1.0)
