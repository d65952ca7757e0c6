"""The ceiling: the baseline with all cards open.

Only the arena knows it: it shows how much of the others' lead could be skill at all. It also sees
what others have chosen face down, so nobody can expect to reach it.
"""

from collections.abc import Callable
from functools import partial

from hastilude.bots.baseline import BaselineBot, read_budgets
from hastilude.core.game import Game

CEILING = "ceiling"  # with a budget, like the baseline: `ceiling:50ms`


class CeilingBot(BaselineBot):
    open_cards = True


def ceiling_maker(name: str) -> Callable[[Game, int], CeilingBot]:
    return partial(CeilingBot, **read_budgets(name.split(":")[1:]))
