"""TriATri matches that begin with chosen cards, and an oracle for the points."""

from collections import Counter
from itertools import chain, combinations

import hastilude

EXCHANGE_CARDS = {2: 2, 3: 1, 4: 3}


def pack(players):
    """A2, spelt out."""
    numbers = range(2, {2: 7, 3: 8, 4: 9}[players])
    return [f"{c}{n}" for c in "RBG" for n in numbers] + ["X"] * EXCHANGE_CARDS[players]


def deal(*hands):
    """A deal in which the seats hold these cards at least; the rest is dealt as it comes.

    Fillers are given in the order R2 to X, so tests should name all the cards that matter.
    """
    named = [hand.split() for hand in hands]
    rest = Counter(pack(len(hands)))
    rest.subtract(chain(*named))
    assert min(rest.values()) >= 0, "a card is dealt twice"
    fillers = iter(list(rest.elements()))
    full = [hand + [next(fillers) for _ in range(6 - len(hand))] for hand in named]
    return ["deal", {"hands": full, "aside": list(fillers)}]


def table(*hands, chance=()):
    """A match with `deal`, then the other chance events."""
    return hastilude.load("triatri", players=len(hands)).new(chance=[deal(*hands), *chance])


def play(match, moves):
    """Plays written like `1:R5 0:supply:B`."""
    for move in moves.split():
        seat, action = move.split(":", 1)
        match.play(int(seat), action)
    return match


def bid(match, cards):
    """A card of each seat, in the order of the seats."""
    for seat, card in enumerate(cards.split()):
        match.play(seat, card)
    return match


def trick(match, gem, cards):
    """The start player names the gem, then all play these cards in turn."""
    match.play(match.turn, gem)
    for card in cards.split():
        match.play(match.turn, card)
    return match


def finish(match, most=1_000):
    """Everybody does the first thing that is legal."""
    for _ in range(most):
        if match.over:
            break
        match.play(match.turn, match.legal(match.turn)[0])
    return match


def finish_trick(match):
    done = match.view().trick, match.view().round
    while not match.over and (match.view().trick, match.view().round) == done:
        match.play(match.turn, match.legal(match.turn)[0])
    return match


def kinds(events):
    return [event.key.removeprefix("triatri_") for event in events]


def points(gems, supply):
    """A14 by taking gems away one set and one pair at a time."""
    gems, total = Counter(gems), 0
    while all(gems[colour] for colour in "RBG"):
        gems.subtract("RBG")
        total += 1
    for pair in combinations("RBG", 2):
        while all(gems[colour] for colour in pair):
            gems.subtract(pair)
            total -= 2
    return total + sum(gems[colour] * supply[colour] for colour in "RBG")
