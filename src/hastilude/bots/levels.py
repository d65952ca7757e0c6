"""The levels of bots that people choose from.

Weaker levels look ahead less, and are more careless: they choose what looks nearly as good as the
best. So they often lose a little and rarely much, as people do; none plays bad moves on purpose.
What makes the levels clearly different depends on the game, whose outlook may have settings of its
own. `docs/bots.md` has the measurements.
"""

from dataclasses import replace

from hastilude.bots.knowledge import load_bots
from hastilude.bots.search import SearchBot, Settings
from hastilude.core.game import Game

LEVELS = {
    "page": Settings(simulations=20, carelessness=0.5),
    "squire": Settings(simulations=40, carelessness=0.12),
    "knight": Settings(simulations=120, carelessness=0.035),
    "champion": Settings(milliseconds=400, nodes=60_000),
}


def budget_seconds(level: str) -> float:
    """The time limit of a level per action; 0 if it has a number of simulations instead."""
    return (LEVELS[level].milliseconds or 0.0) / 1000


def level_bot(level: str, game: Game, seed: int) -> SearchBot:
    unusual = load_bots(game).levels.get(level, {})
    return SearchBot(game, seed, replace(LEVELS[level], **unusual))
