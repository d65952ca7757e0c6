"""How difficult a puzzle is: how long a search must be to find its answer.

The search bot gets more and more simulations. The rating of a puzzle is that of the first budget
with which the bot chooses the answer in most of several tries. Each budget is twice the one before,
and is worth 150 points more.
"""

from typing import Any

from hastilude.bots.knowledge import Choice
from hastilude.bots.search import SearchBot, Settings
from hastilude.core.game import Game
from hastilude.core.random import draw, generator

EASIEST = 800
DOUBLING = 150  # points
FEWEST = 4  # simulations
BUDGETS = tuple(FEWEST << k for k in range(9))  # 4 to 1,024
TRIES = 7
MOST = 6  # of them


def rate(game: Game, redacted: Any, seat: int, answer: Choice, seed: int) -> int | None:
    """The rating; None if even the longest search does not find the answer, which is then doubtful.
    Of a choice of several actions, the first has to be found."""
    seeds = generator(seed)

    def found(simulations: int) -> bool:
        settings = Settings(simulations, rollout="reference", nodes=2 * BUDGETS[-1])
        tries = (SearchBot(game, int(draw(seeds)), settings) for _ in range(TRIES))
        return sum(bot.think(redacted, seat).argmax() == answer[0] for bot in tries) >= MOST

    if not found(BUDGETS[-1]):
        return None
    return next(
        EASIEST + DOUBLING * k
        for k, simulations in enumerate(BUDGETS)
        if simulations == BUDGETS[-1] or found(simulations)
    )
