"""What the conformance suite must know about TriATri."""

from hastilude.core.bits import numbers
from hastilude.core.game import Game
from hastilude.games.triatri.rules import BID, DRAW, EXCHANGE, HAND, NOTHING, Fields
from hastilude.games.triatri.view import cards_aside
from hastilude.testing import Secrets

VARIANTS = [
    {"players": 3},
    {"players": 2},
    {"players": 4},
    {"players": 2, "equal_worth": "earlier_player", "opening_exchange": "last_resort"},
    {"players": 4, "four_times": "twos_and_chains", "equal_worth": "later_player"},
    {"players": 4, "four_times": "no_card", "opening_exchange": "last_resort"},
]


def census(s: Fields) -> list[int]:
    held = [min(card, EXCHANGE) for hand in (*s.hand, s.aside) for card in numbers(hand)]
    gone = [card for row in s.played[1:] for card in row]
    if s.phase != BID:
        gone += s.bid[s.attempt]
    return sorted(held + [card for card in gone if card != NOTHING])


def secrets(game: Game, due: int, viewer: int) -> Secrets:
    if due == DRAW:
        return Secrets((), ())
    own = range(HAND * viewer, HAND * (viewer + 1)) if viewer >= 0 else range(0)
    size = HAND * game.seats + cards_aside(game.seats)
    unseen = [place for place in range(size) if place not in own]
    return Secrets(unseen, unseen)
