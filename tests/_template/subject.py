"""What the conformance suite must know about the game: see CONTRIBUTING.md."""

from hastilude.core.bits import numbers
from hastilude.core.game import Game
from hastilude.games._template.rules import CARDS, HAND, NO_CARD, SEATS, Fields
from hastilude.testing import Secrets

VARIANTS = [{}]


def census(s: Fields) -> list[int]:
    played = [card for row in s.played for card in row if card != NO_CARD]
    return sorted([*played, *(c for hand in (*s.hand, s.aside) for c in numbers(hand))])


def secrets(game: Game, due: int, viewer: int) -> Secrets:
    own = range(HAND * viewer, HAND * (viewer + 1)) if viewer >= 0 else range(0)
    unseen = [place for place in range(CARDS) if place not in own]
    return Secrets(unseen, [place for place in unseen if place < HAND * SEATS])
