"""TriATri's foresight: simulations end with the round, where `prospects` knows the chances."""

from typing import Any

from hastilude.bots.knowledge import SCORE, SECOND_TERM
from hastilude.core.kernel import kernel
from hastilude.core.rules import Cards, State
from hastilude.games.triatri.outlook import share_of_lead, worth
from hastilude.games.triatri.prospects import UNKNOWN, begin, chance_of
from hastilude.games.triatri.reference import copy_gems
from hastilude.games.triatri.rules import DEAL, OVER, TRICKS


@kernel
def foreseen(s: State) -> bool:
    return s["phase"] == OVER or (s["phase"] == DEAL and s["round"] > 0)


@kernel
def prospect(s: State, seat: int, aim: int, mind: Any, work: Cards) -> float:
    if s["phase"] == OVER or aim == SCORE:
        return worth(s, seat, aim)
    players = int(s["players"])
    copy_gems(s, work)
    begin(mind.prospects, players, TRICKS * int(s["round"]), work)
    chance = chance_of(mind.prospects, players, seat, UNKNOWN, 0, 0, work)
    return (1.0 - SECOND_TERM) * chance + SECOND_TERM * share_of_lead(s, seat)
