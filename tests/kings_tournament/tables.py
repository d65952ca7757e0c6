"""King's Tournament matches that begin with chosen cards."""

import hastilude
from hastilude.games.kings_tournament.notation import CARD_TEXTS


class Stacked:
    """A chance driver: these cards on top, shuffle by shuffle of each seat, the rest sorted."""

    def __init__(self, *tops):
        self.tops = [iter([top] if isinstance(top, str) else top) for top in tops]

    def order(self, due, cards):
        rest = cards.tolist()
        top = [CARD_TEXTS.index(card) for card in next(self.tops[due - 1], "").split()]
        for card in top:
            rest.remove(card)
        cards[:] = [*top, *rest]


def table(red="", blue="", **options):
    """A match with these cards on top of the decks; a list has the cards of each shuffle."""
    return hastilude.load("kings_tournament", **options).new(chance=Stacked(red, blue))


def play(match, moves):
    """Plays written like `0:10 1:B`."""
    for move in moves.split():
        seat, card = move.split(":")
        match.play(int(seat), card)
    return match


def joust(match, red, blue):
    """Both put down their lines, written like `10 5 D`."""
    for seat, line in enumerate((red, blue)):
        for card in line.split():
            match.play(seat, card)
    return match


def turn(match, led, answer):
    match.play(match.turn, led)
    match.play(match.turn, answer)
    return match


RED_MOUNTED = "10 1 1 2 2", "1 1 1 2 2"  # the first hands; Red's 10 wins the joust
BLUE_MOUNTED = RED_MOUNTED[::-1]


def melee(red, blue, mounted=0, **options):
    """A melee in which one knight is mounted, with these first hands for it."""
    first = RED_MOUNTED if mounted == 0 else BLUE_MOUNTED
    match = table(f"{first[0]} {red}", f"{first[1]} {blue}", **options)
    lines = "1 1 10", "1 1 1"
    return joust(match, *(lines if mounted == 0 else lines[::-1]))


def both_on_foot(red, blue, **options):
    """A melee in which both stand after a turn: Red was hit by Blue's 9, which leads next."""
    match = melee(f"1 {red}", f"9 {blue}", **options)
    return turn(match, "1", "9")
