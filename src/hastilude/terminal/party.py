"""Who sits where at a table of this terminal."""

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
LEVEL = "squire"  # whom a newcomer meets


@dataclass(frozen=True)
class Party:
    """Each seat's player, PERSON or the name of a bot; and what the people are called ("": by
    their seat)."""

    players: tuple[str, ...]
    given: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if player == PERSON)

    def names(self, game: Game, language: str) -> tuple[str, ...]:
        """People as they are given, bots after their level, unless the game has names of its own
        for its seats."""
        names = list(game.names(language))
        own = catalogue(language)
        for seat, player in enumerate(self.players):
            if player in LEVELS and f"{game.name}_seat_{seat}" not in own:
                names[seat] = own[f"terminal_bot_{player}"].format(number=seat + 1)
        for seat, name in zip(self.people, self.given, strict=False):
            names[seat] = name or names[seat]
        return tuple(names)


def seat_party(game: Game, players: Sequence[str], level: str, given: Sequence[str] = ()) -> Party:
    """The players by seat, bots of a level in the seats that are not named; OptionError says what
    does not fit."""
    if len(players) > game.seats:
        raise OptionError.of(
            "terminal_seats_too_many", game=game.title, players=game.seats, count=len(players)
        )
    party = Party((*players, *[level] * (game.seats - len(players))))
    for player in set(party.players) - {PERSON}:
        bots.make(player, game, 0)
    if not party.people:
        raise OptionError.of("terminal_no_person", game=game.name)
    if len(given) > len(party.people):
        raise OptionError.of("terminal_names_too_many", count=len(given), people=len(party.people))
    return replace(party, given=tuple(clean_name(name) if name.strip() else "" for name in given))
