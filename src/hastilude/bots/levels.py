"""The levels a person chooses from.

Weaker levels think less and choose with more chance among what they find good; none plays absurd
moves on purpose. `docs/bots.md` has what was measured.
"""

from hastilude.bots.search import SearchBot, Settings
from hastilude.core.game import Game

LEVELS = {
    "page": Settings(simulations=40, rollout="random", temperature=1.0),
    "squire": Settings(simulations=150, rollout="reference", temperature=0.5),
    "knight": Settings(simulations=1500, rollout="reference", temperature=0.1),
    "champion": Settings(milliseconds=800, rollout="reference", nodes=60_000),
}


def level_bot(level: str, game: Game, seed: int) -> SearchBot:
    return SearchBot(game, seed, LEVELS[level])
