"""King's Tournament's outlook: simulations end with the game; later games count as even."""

from functools import cache
from typing import Any

import numpy as np

from hastilude.bots.budget import Budget
from hastilude.bots.knowledge import SCORE, Outlook
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import State
from hastilude.games.kings_tournament.duel import Duel
from hastilude.games.kings_tournament.joust import choose_line
from hastilude.games.kings_tournament.rules import ANSWER, HIT, JOUST, LEAD, NEW_GAME, OVER

MOST_WINS = 4  # K14: best of seven
SETUP_MILLISECONDS = 10.0  # about what solving a joust takes before its first round
ROUND_MILLISECONDS = 1.3  # the time per round
FEWEST_ROUNDS = 3
LEAST_MILLISECONDS = 5.0  # with less than this, cards of a melee are searched


@cache
def chance_of_match(wanted: int, wanted_by_other: int) -> float:
    """The chance to win `wanted` even games before the other wins `wanted_by_other`."""
    if wanted == 0 or wanted_by_other == 0:
        return float(wanted == 0)
    won = chance_of_match(wanted - 1, wanted_by_other)
    return (won + chance_of_match(wanted, wanted_by_other - 1)) / 2


CHANCES = np.array(
    [[chance_of_match(a, b) for b in range(MOST_WINS + 1)] for a in range(MOST_WINS + 1)]
)


@kernel
def settled(s: State) -> bool:
    return s["phase"] == OVER or s["phase"] == NEW_GAME


@kernel
def worth(s: State, seat: int, aim: int) -> float:
    own, other = int(s["won"][seat]), int(s["won"][1 - seat])
    if aim == SCORE:
        return 0.5 + (own - other) / (2.0 * MOST_WINS)
    needed = int(s["best_of"]) // 2 + 1
    if s["phase"] == OVER and max(own, other) < needed:
        return 0.5  # K16: drawn
    return CHANCES[needed - own, needed - other]


class Solver:
    """Solves a joust with committed lines, and melees if there is time; otherwise one searches.

    What is known of melees was learned with the printed margin. With another (K18), searching plays
    better.
    """

    def __init__(self) -> None:
        self._duel = Duel()

    def __call__(self, redacted: Any, seat: int, rng: Rng, budget: Budget) -> int | None:
        r = redacted[0]
        if r["phase"] == JOUST:
            rounds = int((budget.patience - SETUP_MILLISECONDS) / ROUND_MILLISECONDS)
            line = choose_line(redacted, seat, rng, max(rounds, FEWEST_ROUNDS))
            return line[int(r["chosen"][seat])]
        is_known = r["melee_margin"] == HIT and budget.patience >= LEAST_MILLISECONDS
        if r["phase"] in (LEAD, ANSWER) and is_known:
            return self._duel.choose(redacted, seat, rng, budget)
        return None


OUTLOOK = Outlook(
    exploration=0.3,  # found by measuring, with the trust
    trust=1.0,  # with so few choices, nodes of the other learn the policy too late
    levels={
        "page": {"simulations": 8, "carelessness": 0.8},
        "squire": {"simulations": 30, "carelessness": 0.15},
        "knight": {"simulations": 240, "carelessness": 0.01},
    },
    solver=Solver,
)
