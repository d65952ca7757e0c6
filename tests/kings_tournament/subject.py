"""What the conformance suite must know about King's Tournament."""

from hastilude.core.game import Game
from hastilude.games.kings_tournament.notation import card_texts, pile_texts
from hastilude.games.kings_tournament.rules import DECK, HAND, SEATS, Fields
from hastilude.testing import Secrets

EXTREMES = (14, 0, 0, 0, 0, 0, 0, 0, 0, 13)  # only 1 and 10: short games
LEVEL = (0, 0, 0, 0, 9, 9, 9, 0, 0, 0)  # only 5, 6, 7: undecided jousts and several reshuffles
GAPS = (5, 0, 5, 0, 5, 0, 0, 6, 0, 6)

VARIANTS = [
    {},
    {"joust": "stepwise"},
    {"best_of": 7, "values": EXTREMES},
    {"best_of": 5, "joust": "stepwise", "values": GAPS},
    {"best_of": 1, "values": LEVEL},
    {"best_of": 1, "joust": "stepwise", "values": LEVEL},
    {"joust_margin": 1, "melee_margin": 3},
    {"best_of": 1, "joust": "stepwise", "joust_margin": 6, "melee_margin": 9},
]

RESHUFFLED = 30  # K13: three of the 33 are always in hand then


def census(s: Fields) -> list[str]:
    """Every card with its owner's seat."""
    found = []
    for seat in range(SEATS):
        cards = [
            *card_texts(s.deck[seat][s.top[seat] :]),
            *card_texts(s.choice[seat][: s.chosen[seat]]),
            *pile_texts(s.hand[seat]),
            *pile_texts(s.seen[seat]),
        ]
        found += [f"{seat} {card}" for card in cards]
    return sorted(found)


def secrets(game: Game, due: int, viewer: int) -> Secrets:
    if viewer == due - 1:  # its own deck: it draws, and sees, what lies on top
        return Secrets(unseen=range(HAND, DECK), lasting=())
    return Secrets(unseen=range(DECK), lasting=range(RESHUFFLED))


def shown(s: Fields) -> list[int]:
    """The face-up cards, including leftover cards of a joust."""
    return s.seen
