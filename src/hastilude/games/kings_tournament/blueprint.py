"""How to play any melee hand between whole decks, learned by self-play.

It is what `duel` begins with. `hastilude train kings_tournament`
learns it and stores it in `melee.npz`.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hastilude.core.files import replacing
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, shuffle
from hastilude.core.rules import Cards
from hastilude.core.uncounted import uncounted
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, Pile, single
from hastilude.games.kings_tournament.hands import HANDS, hand_number
from hastilude.games.kings_tournament.melee import (
    LEADS,
    SITUATIONS,
    Floats,
    Memory,
    Shares,
    explore,
    new_memory,
    node_of,
)
from hastilude.games.kings_tournament.rules import HAND, SEATS, USUAL_DECK

STORE = Path(__file__).with_name("melee.npz")
UNIT = 10  # stored shares are multiples of 1 / this
RARE = 0.15  # less frequent choices are left out
SLOWEST = 1e-5  # the pace of the running means of the chances after a hand


class Blueprint(NamedTuple):
    shares: Shares  # how often to play a card: by situation, hand and card, not normalized
    prices: Floats  # see `prospects`


@cache
def blueprint() -> Blueprint:
    """The stored blueprint."""
    shares = np.zeros((SITUATIONS, HANDS, KINDS), np.uint8)
    with np.load(STORE) as stored:
        shares[:, [hand_number(hand) for hand in choices()]] = stored["shares"]
        return Blueprint(shares, stored["prices"].astype(np.float64))


def choices() -> Iterator[Pile]:
    """The hands with a choice."""
    for size in range(2, HAND + 1):
        for cards in combinations_with_replacement(range(KINDS), size):
            if len(set(cards)) > 1:
                yield np.uint64(sum(int(single(card)) for card in cards))


def save(shares: Shares, prices: Floats, path: Path) -> None:
    """Store a blueprint; the prices are those of its games (`prospects.fit`)."""
    stored = shares[:, [hand_number(hand) for hand in choices()]]
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, shares=stored, prices=prices.astype(np.float32))


def whole_deck() -> Cards:
    return np.repeat(np.arange(KINDS), USUAL_DECK).astype(np.int8)


def empty_memory() -> Memory:
    return new_memory(0, np.zeros((0, 0, 0), np.uint8), averaged=True)


@kernel
def train(first: int, traversals: int, cards: Cards, memory: Any, rng: Rng) -> None:
    """Learn from hands of whole decks, after `first` earlier traversals. What comes after a hand is
    worth what hands of whole decks turn out to be worth."""
    cards, memory, rng = uncounted((cards, memory, rng))
    deal = memory.deal[0]
    deal["leader"], deal["led"] = 0, LEADS
    for done in range(first, first + traversals):
        for seat in range(SEATS):
            shuffle(rng, cards, len(cards))
            hand = NO_CARDS
            for place in range(HAND):
                hand += single(cards[place])
            deal["hand"][seat] = hand
        mounted, learner = done & 1, (done >> 1) & 1
        deal["mounted"] = mounted
        chance = explore(learner, float(done), memory, rng)
        if learner != deal["leader"]:
            chance = 1.0 - chance
        mean = deal["prospects"][mounted, 0]
        mean += max(SLOWEST, 1.0 / ((done >> 1) + 2 * HAND)) * (chance - mean)
        deal["prospects"][mounted, :] = mean


def average(memory: Memory) -> Shares:
    """The average strategy without rare choices, in multiples of 1 / UNIT."""
    shares = np.zeros((SITUATIONS, HANDS, KINDS), np.uint8)
    for number in map(hand_number, choices()):
        hand, sums = memory.hands[number], np.zeros(KINDS)
        cards = hand["card"][: hand["cards"]]
        for place in range(SITUATIONS):
            sums[cards] = memory.sums[node_of(place, number), : len(cards)]
            if sums.any():
                mix = sums / sums.sum()
                mix[mix < min(RARE, mix.max())] = 0.0
                shares[place, number] = np.rint(UNIT * mix / mix.sum())
    return shares
