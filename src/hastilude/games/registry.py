"""The list of games, one line each, and loading them."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from hastilude.core.chance import Chance
from hastilude.core.errors import OptionError, RecordError, nearest
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.core.replay import replay as replay_in

# The easiest first: this is the order in which every list shows them.
GAMES = {
    "triatri": "TriATri",
    "kings_tournament": "KingsTournament",
    "tornei": "Tornei",
}


def game_class(name: str) -> type[Game]:
    if name not in GAMES:
        near = nearest(name, list(GAMES)) if isinstance(name, str) else None
        key = "game_unknown_near" if near else "game_unknown"
        raise OptionError.of(key, game=name, known=tuple(GAMES), near=near)
    found: type[Game] = getattr(import_module(f"hastilude.games.{name}.game"), GAMES[name])
    return found


def part_of(game: str, name: str) -> ModuleType | None:
    """A module of a game's folder that not every game has."""
    module = f"hastilude.games.{game}.{name}"
    return import_module(module) if find_spec(module) else None


def needed_part(game: str, name: str, refusal: str) -> ModuleType:
    """The same; OptionError with this key if the game has none."""
    game_class(game)  # refuses an unknown game
    found = part_of(game, name)
    if found is None:
        known = tuple(other for other in GAMES if part_of(other, name))
        raise OptionError.of(refusal, game=game, known=known)
    return found


def load(name: str, /, **options: Any) -> Game:
    """A game with these options; OptionError says what is allowed."""
    return game_class(name)(**options)


def replay(
    record: Record | str | Path, upto: int | None = None, then: Chance | None = None
) -> Match:
    """The match of a record, or of a file with one, checked move by move.

    `upto` stops after that many events; `then` supplies chance events to continue the match.
    """
    if not isinstance(record, Record):
        record = Record.load(record)
    try:
        game = load(record.game, **record.options)
    except OptionError as error:
        raise RecordError.of("record_options", problem=error.message) from None
    needed = tuple(option.name for option in game.known_options if not option.variant)
    if not set(needed) <= set(record.options):
        raise RecordError.of("record_lacks_options", options=needed)
    return replay_in(game, record, upto, then)


def player_counts(name: str) -> tuple[int, ...]:
    """The numbers of players that a game can have."""
    game = load(name)
    for option in game.known_options:
        if option.name == "players":
            return option.allowed(game.options)
    return (game.seats,)
