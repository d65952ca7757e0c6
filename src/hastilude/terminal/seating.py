"""Who sits where at a table in this terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hastilude import bots
from hastilude.bots.levels import LEVELS
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.names import clean_name
from hastilude.messages import catalogue

PERSON = "person"
LEVEL = "squire"  # of bots, by default


@dataclass(frozen=True)
class Seating:
    """`players` has PERSON or the name of a bot for each seat. `given` are the names of the people
    in the order of their seats; "" for a name by seat."""

    players: tuple[str, ...]
    given: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if player == PERSON)

    def names(self, game: Game, language: str) -> tuple[str, ...]:
        """The name of each seat: a person's given name, the game's own name for the seat, or a
        bot's level."""
        names = list(game.names(language))
        own = catalogue(language)
        for seat, player in enumerate(self.players):
            if player in LEVELS and f"{game.name}_seat_{seat}" not in own:
                names[seat] = own[f"terminal_bot_{player}"].format(number=seat + 1)
        for seat, name in zip(self.people, self.given, strict=False):
            names[seat] = name or names[seat]
        return tuple(names)


def seat_players(
    game: Game, players: Sequence[str], level: str, given: Sequence[str] = ()
) -> Seating:
    """Who sits where, with bots of `level` in the remaining seats; OptionError if it does not fit
    the game."""
    if len(players) > game.seats:
        raise OptionError.of(
            "terminal_seats_too_many", game=game.title, players=game.seats, count=len(players)
        )
    seating = Seating((*players, *[level] * (game.seats - len(players))))
    for player in set(seating.players) - {PERSON}:
        bots.make(player, game, 0)
    if not seating.people:
        raise OptionError.of("terminal_no_person", game=game.name)
    if len(given) > len(seating.people):
        raise OptionError.of(
            "terminal_names_too_many", count=len(given), people=len(seating.people)
        )
    return replace(seating, given=tuple(clean_name(name) if name.strip() else "" for name in given))
