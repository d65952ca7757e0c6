"""Estimates the value of each action of a position, given what the seat to act knows.

All candidates are evaluated on the same sampled deals with the same random numbers, so that their
differences are much more certain than each estimate alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.hindsight import DEAL, imagine, look_back, new_hindsight
from hastilude.bots.knowledge import MATCH, load_bots, worth
from hastilude.bots.search import REFERENCE, SearchBot, Settings, play_on
from hastilude.core import rules
from hastilude.core.bits import numbers
from hastilude.core.calls import legal_at
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator
from hastilude.core.rules import WORK, Cards

NORMAL_95 = 1.96


@dataclass(frozen=True)
class Candidate:
    """An action with its estimated results. `margin` is half of the 95 % interval of `win`;
    `behind` is how much less often it wins than the best, with its own margin."""

    action: int
    text: str
    visits: int
    win: float
    margin: float
    score: float
    behind: float
    behind_margin: float


def analyse(
    game: Game,
    redacted: Any,
    seat: int,
    samples: int = 400,
    simulations: int = 2000,
    seed: int = 0,
) -> list[Candidate]:
    """The legal actions of a seat, best first. `redacted` is from `Match.redacted(seat)`."""
    load_bots(game)
    actions = np.array(numbers(legal_at(redacted, 0, seat)), np.int64)
    visits = SearchBot(game, seed, Settings(simulations=simulations)).think(redacted, seat)
    wins = np.zeros((samples, len(actions)))
    scores = np.zeros((samples, len(actions)))
    played, work = np.zeros(1, game.state), np.zeros(WORK, np.int8)
    hindsight = new_hindsight(game.state)
    judge(redacted, seat, actions, wins, scores, played, hindsight, generator(seed), work)
    best = int(wins.mean(axis=0).argmax())
    behind = wins[:, [best]] - wins
    candidates = [
        Candidate(
            action=int(action),
            text=game.text(int(action)),
            visits=int(visits[action]),
            win=float(wins[:, k].mean()),
            margin=half_interval(wins[:, k]),
            score=float(scores[:, k].mean()),
            behind=float(behind[:, k].mean()),
            behind_margin=half_interval(behind[:, k]),
        )
        for k, action in enumerate(actions)
    ]
    return sorted(candidates, key=lambda candidate: -candidate.win)


def half_interval(observed: npt.NDArray[np.float64]) -> float:
    return float(NORMAL_95 * observed.std(ddof=1) / np.sqrt(len(observed)))


@kernel
def judge(
    redacted: Any,
    seat: int,
    actions: npt.NDArray[np.int64],
    wins: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    played: Any,
    hindsight: Any,
    rng: Rng,
    work: Cards,
) -> None:
    """Play every action on every sampled deal to a settled state."""
    for sample in range(wins.shape[0]):
        look_back(redacted, hindsight)  # start with a new deal: intervals need independent samples
        imagine(redacted, seat, hindsight, rng, work)
        luck = rng[0]
        for k in range(len(actions)):
            rng[0] = luck
            played[0] = hindsight.worlds[DEAL]
            rules.apply(played[0], seat, actions[k])
            play_on(played[0], REFERENCE, rng, work)
            wins[sample, k] = worth(played[0], seat, MATCH, rng)
            scores[sample, k] = rules.score(played[0], seat)
