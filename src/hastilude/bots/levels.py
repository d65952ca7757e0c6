"""The levels a person chooses from.

Weaker levels think less and choose with more chance among what they find good; none plays absurd
moves on purpose. `docs/bots.md` has what was measured.
"""

from dataclasses import replace

from hastilude.bots.policy import load_bots
from hastilude.bots.search import SearchBot, Settings
from hastilude.core.game import Game

LEVELS = {
    "page": Settings(simulations=25, rollout="random", temperature=1.2, blind=True),
    "squire": Settings(simulations=60, rollout="reference", temperature=0.8),
    "knight": Settings(simulations=400, rollout="reference", temperature=0.3),
    "champion": Settings(milliseconds=400, rollout="reference", nodes=60_000),
}


def level_bot(level: str, game: Game, seed: int) -> SearchBot:
    """The level's bot; where simulations are long (the outlook's SHARE), it makes fewer."""
    settings = LEVELS[level]
    simulations = int(settings.simulations * getattr(load_bots(game), "SHARE", 1))
    return SearchBot(game, seed, replace(settings, simulations=simulations))
