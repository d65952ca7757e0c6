"""How the table of each game is drawn: one file a game, which draws its `View` and decides nothing.

A game without such a file is drawn as far as all games are alike.
"""

from importlib import import_module
from importlib.util import find_spec

from hastilude.core.game import Game
from hastilude.terminal.tables.drawing import Drawing


def drawing_of(game: Game) -> Drawing:
    name = f"{__name__}.{game.name}"
    if find_spec(name) is None:
        return Drawing()
    drawing: Drawing = import_module(name).Drawing()
    return drawing
