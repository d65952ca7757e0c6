"""The chances to win the game before a melee hand is drawn (K9), from the cards that are left.

They are a linear function of the cards that both players will draw on average: with a knight that
is mounted or without one, how much each card of the player who reveals first is worth, and how much
each card of the other. The prices are fitted to games of the blueprint against itself.
"""

from typing import Any

import numpy as np

from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator, shuffle, unit
from hastilude.core.rules import Cards, State
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, Pile, copies, single, size, spread
from hastilude.games.kings_tournament.hands import hand_number
from hastilude.games.kings_tournament.melee import (
    LEADS,
    OPEN,
    Floats,
    Shares,
    compare,
    situation,
)
from hastilude.games.kings_tournament.rules import DECK, HAND, SEATS

GAMES = 2_000_000  # that the prices are fitted to
LONGEST = 64  # hands of a game that are used
FACTORS = SEATS * KINDS + 1  # the leader's cards, the other's, and 1
REPEATED = 4  # one joust of so many is repeated
ON_FOOT = 3  # and one game of so many begins with both knights on foot

GAME = np.dtype(
    [
        ("deck", np.int8, (SEATS, DECK)),  # in the order of drawing, from `top` to the end
        ("top", np.int64, SEATS),
        ("hand", np.uint64, SEATS),
        ("leader", np.int64),
        ("mounted", np.int64),
        # What the hands began with.
        ("factors", np.float64, (LONGEST, FACTORS)),
        ("leaders", np.int64, LONGEST),
        ("rides", np.int64, LONGEST),
    ]
)


@kernel
def look_ahead(root: State, deal: Any, prices: Floats) -> None:
    """The chances after the hands of a deal: of the seat that then reveals first."""
    prospects = deal["prospects"]
    for mounted in range(2):
        prospects[mounted, :] = prices[mounted, FACTORS - 1]
    for player in range(SEATS):
        deck = root["total"] - root["seen"][player] - deal["hand"][player]
        cards = size(deck)
        for kind in range(KINDS):
            drawn = drawn_next(deck, cards, root["total"], kind)
            for mounted in range(2):
                prospects[mounted, player] += prices[mounted, kind] * drawn
                prospects[mounted, 1 - player] += prices[mounted, KINDS + kind] * drawn


@kernel
def drawn_next(deck: Pile, cards: int, total: Pile, kind: int) -> float:
    """How many cards of a kind the next hand has on average, drawn from a deck of so many cards
    and, if these are too few, from all others (K13)."""
    inside = copies(deck, kind)
    if cards >= HAND:
        return HAND * inside / cards
    return inside + (HAND - cards) * (copies(total, kind) - inside) / (DECK - cards)


def fit(shares: Shares, cards: Cards, games: int = GAMES) -> Floats:
    """The prices by `mounted` and factor, from games of a strategy against itself."""
    squares, products = np.zeros((2, FACTORS, FACTORS)), np.zeros((2, FACTORS))
    play_games(games, cards.copy(), shares, np.zeros(1, GAME), squares, products, generator(1))
    found = [np.linalg.lstsq(squares[k], products[k], rcond=1e-9)[0] for k in range(2)]
    return np.array(found)


@kernel
def play_games(
    games: int,
    cards: Cards,
    shares: Shares,
    memory: Any,
    squares: Floats,
    products: Floats,
    rng: Rng,
) -> None:
    """Play games from the melee on, and add up what least squares need."""
    g = memory[0]
    total = NO_CARDS
    for card in cards:
        total += single(card)
    for number in range(games):
        for seat in range(SEATS):
            shuffle(rng, cards, DECK)
            g["deck"][seat, :] = cards
            g["top"][seat] = HAND if number % REPEATED else 2 * HAND
        g["leader"], g["mounted"] = 0, int(number % ON_FOOT != 0)
        hands, winner = 0, -1
        while winner < 0:
            if hands < LONGEST:
                note_factors(g, hands, total)
                hands += 1
            for seat in range(SEATS):
                draw_hand(g, seat, total, rng)
            winner = play_hand(g, shares, rng)
        for hand in range(hands):
            add_squares(
                g["factors"][hand],
                1.0 if g["leaders"][hand] == winner else 0.0,
                squares[g["rides"][hand]],
                products[g["rides"][hand]],
            )


@kernel
def note_factors(g: Any, hand: int, total: Pile) -> None:
    leader, factors = g["leader"], g["factors"][hand]
    g["leaders"][hand], g["rides"][hand] = leader, g["mounted"]
    factors[FACTORS - 1] = 1.0
    for seat in range(SEATS):
        deck = NO_CARDS
        for place in range(g["top"][seat], DECK):
            deck += single(g["deck"][seat, place])
        first = 0 if seat == leader else KINDS
        for kind in range(KINDS):
            factors[first + kind] = drawn_next(deck, DECK - int(g["top"][seat]), total, kind)


@kernel
def draw_hand(g: Any, seat: int, total: Pile, rng: Rng) -> None:
    """K9, K13."""
    deck, hand = g["deck"][seat], NO_CARDS
    for held in range(HAND):
        if g["top"][seat] == DECK:
            spread(total - hand, deck[held:])
            shuffle(rng, deck[held:], DECK - held)
            g["top"][seat] = held
        hand += single(deck[g["top"][seat]])
        g["top"][seat] += 1
    g["hand"][seat] = hand


@kernel
def play_hand(g: Any, shares: Shares, rng: Rng) -> int:
    """Play a hand by a strategy; returns the winner of the game, or -1."""
    hands = g["hand"]
    for _ in range(HAND):
        leader, other = g["leader"], 1 - g["leader"]
        led = choose(hands[leader], LEADS, g["mounted"], shares, rng)
        hands[leader] -= single(led)
        card = choose(hands[other], led, g["mounted"], shares, rng)
        hands[other] -= single(card)
        chance, again, mounted = compare(card, led, g["mounted"])
        if chance != OPEN:
            return other if chance == 1.0 else leader
        g["leader"], g["mounted"] = other if again else leader, mounted
    return -1


@kernel
def choose(hand: Pile, led: int, mounted: int, shares: Shares, rng: Rng) -> int:
    """A card by the strategy; any card where it knows none."""
    mix = shares[situation(led, mounted), hand_number(hand)]
    unknown = not mix.any()
    total = 0.0
    for card in range(KINDS):
        total += copies(hand, card) if unknown else mix[card]
    left = unit(rng) * total
    chosen = 0
    for card in range(KINDS):
        weight = copies(hand, card) if unknown else int(mix[card])
        if weight and left >= 0.0:
            chosen = card
        left -= weight
    return chosen


@kernel
def add_squares(factors: Floats, won: float, squares: Floats, products: Floats) -> None:
    for i in range(FACTORS):
        products[i] += won * factors[i]
        for j in range(FACTORS):
            squares[i, j] += factors[i] * factors[j]
