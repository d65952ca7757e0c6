"""The levels of bots that people choose from.

Weaker levels think less and choose more randomly among good actions; none plays bad moves on
purpose. Only the champion uses the instinct of a game that has one: with it the squire would be
nearly as strong as the knight. The number of simulations that makes the levels clearly different
depends on the game, whose outlook may set its own. `docs/bots.md` has the measurements.
"""

from dataclasses import replace

from hastilude.bots.knowledge import load_bots
from hastilude.bots.search import SearchBot, Settings
from hastilude.core.game import Game

LEVELS = {
    "page": Settings(simulations=25, rollout="random", temperature=1.2, blind=True),
    "squire": Settings(simulations=60, rollout="reference", temperature=0.8),
    "knight": Settings(simulations=400, rollout="reference", temperature=0.3),
    "champion": Settings(milliseconds=400, nodes=60_000),
}


def budget_seconds(level: str) -> float:
    """The time limit of a level per action; 0 if it has a number of simulations instead."""
    return (LEVELS[level].milliseconds or 0.0) / 1000


def level_bot(level: str, game: Game, seed: int) -> SearchBot:
    settings = LEVELS[level]
    simulations = load_bots(game).simulations.get(level, settings.simulations)
    return SearchBot(game, seed, replace(settings, simulations=simulations))
