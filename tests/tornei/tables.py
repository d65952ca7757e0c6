"""Tornei matches that begin with chosen cards."""

import hastilude
from hastilude.games.tornei.notation import CARD_TEXTS


def deal(*hands, dummy="", pile=""):
    """A deal in which the seats hold at least these cards.

    The rest is dealt in the order C1 to W14, so tests should name all cards that matter.
    """
    named = [hand.split() for hand in hands]
    parts = [*named, dummy.split(), pile.split()] if dummy or pile else named
    sizes = [14] * len(named) + [7] * (len(parts) - len(named))
    taken = {card for part in parts for card in part}
    rest = iter(card for card in CARD_TEXTS if card not in taken)
    full = [
        part + [next(rest) for _ in range(size - len(part))]
        for part, size in zip(parts, sizes, strict=True)
    ]
    values = {"hands": full[: len(named)]}
    if dummy or pile:
        values |= {"dummy": full[-2], "pile": full[-1]}
    return ["deal", values]


def table(*hands, first_dealer=0, dummy="", pile="", deals=1):
    """A match with `deal`, repeated for as many rounds as needed."""
    game = hastilude.load("tornei", players=len(hands), first_dealer=first_dealer)
    return game.new(chance=[deal(*hands, dummy=dummy, pile=pile)] * deals)


def play(match, moves):
    """Plays written like `1:W14 0:C3`."""
    for move in moves.split():
        seat, card = move.split(":")
        match.play(int(seat), card)
    return match
