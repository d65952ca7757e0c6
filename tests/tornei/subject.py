"""What the conformance suite must know about Tornei."""

from hastilude.core.bits import numbers
from hastilude.core.game import Game
from hastilude.games.tornei.rules import CARDS, DUMMY, LAID, NO_CARD, RANKS, Fields
from hastilude.testing import Secrets

VARIANTS = [
    {"players": 4},
    {"players": 3},
    {"players": 4, "first_dealer": 3},
    {"players": 3, "first_dealer": 2},
    {"players": 4, "place_points": (1, 0, 6, 5), "no_trick_points": 10},
    {"players": 3, "place_points": (0, 0, 0, 0), "no_trick_points": 0},
]


def census(s: Fields) -> list[int]:
    put_down = [card for row in (*s.joust, *s.prediction) for card in row if card != NO_CARD]
    held = [card for hand in s.hand for card in numbers(hand)]
    pile = s.pile if s.players == DUMMY else []
    return sorted([*put_down, *held, *pile])


def secrets(game: Game, due: int, viewer: int) -> Secrets:
    own = range(RANKS * viewer, RANKS * (viewer + 1)) if viewer >= 0 else range(0)
    laid = range(RANKS * DUMMY, RANKS * DUMMY + LAID) if game.seats == DUMMY else range(0)
    unseen = [place for place in range(CARDS) if place not in own and place not in laid]
    lasting = [place for place in unseen if place < RANKS * game.seats]
    return Secrets(unseen, lasting)
