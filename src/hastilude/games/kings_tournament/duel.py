"""Melee cards for bots: the rest of the present hand is solved as well as the budget allows.

- Both hands are dealt from what everybody knows, so that the other seat can learn nothing of use
  from a card. In every fourth traversal the seat has its own cards: these matter most.
- Hands that explain the cards played since the draw are dealt more often. How well a hand explains
  them is how often the blueprint would have played them from it. A card that it would not play
  counts as unlikely, not as impossible. This is Metropolis-Hastings sampling.
"""

from typing import Any

import numpy as np

from hastilude.bots.budget import Budget, spend
from hastilude.bots.search import pick_by_weight
from hastilude.core import rules
from hastilude.core.bits import count, lowest
from hastilude.core.kernel import inlined, kernel
from hastilude.core.random import Rng, unit
from hastilude.core.rules import SPECTATOR, WORK, Cards, State
from hastilude.core.uncounted import uncounted
from hastilude.games.kings_tournament import melee
from hastilude.games.kings_tournament.blueprint import blueprint
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, Pile, kinds, single
from hastilude.games.kings_tournament.hands import hand_number
from hastilude.games.kings_tournament.melee import (
    LEADS,
    Floats,
    Shares,
    explore,
    forget,
    situation,
    weigh,
)
from hastilude.games.kings_tournament.prospects import look_ahead
from hastilude.games.kings_tournament.rules import ANSWER, HAND, HIT, SEATS, STATE

NODES = 20_000
RARE = 0.15  # less frequent choices are left out: mostly they are remains of early traversals
OWN_HAND_EVERY = 4  # traversals; in every second of them the seat learns, otherwise the other one
PROPOSALS = 2  # new hands that each traversal considers
DOUBT = 0.35  # how likely a card is that the blueprint would not play; found by measuring

ROOT, DEALT, PROPOSED = range(3)  # states


class Duel:
    """Chooses cards in the melee; its memory is used again for every choice."""

    def __init__(self) -> None:
        known = blueprint()
        self._memory = melee.new_memory(NODES, known.shares, averaged=False)
        self._prices = known.prices
        self._states = np.zeros(PROPOSED + 1, STATE)
        self._work = np.zeros(WORK, np.int8)

    def choose(self, redacted: Any, seat: int, rng: Rng, budget: Budget) -> int:
        """`redacted` is the result of `Match.redacted(seat)`, in a melee."""
        shares = self.shares(redacted, seat, rng, budget)
        return pick_by_weight(without_rare_cards(shares), rng)

    def shares(self, redacted: Any, seat: int, rng: Rng, budget: Budget) -> Floats:
        """How often to play each card."""
        shares = np.zeros(KINDS)
        if only_card(redacted, seat, shares):
            return shares
        memory, prices, states, work = self._memory, self._prices, self._states, self._work
        forget(memory)
        begin(redacted, seat, memory, states, rng, work)
        done = 0

        def learn_some(some: int) -> None:
            nonlocal done
            learn(redacted, seat, done, some, memory, prices, states, shares, rng, work)
            done += some

        spend(budget.simulations, budget.milliseconds, budget.begun, learn_some)
        return shares / shares.sum()


def without_rare_cards(shares: Floats) -> Floats:
    """The shares of the cards that are not rare, and of the likeliest in any case."""
    kept = np.where(shares < min(RARE, shares.max()), 0.0, shares)
    return kept / kept.sum()


@kernel
def only_card(redacted: Any, seat: int, shares: Floats) -> bool:
    """Whether there is no choice; then the card gets the share."""
    cards = kinds(redacted[0]["hand"][seat])
    if count(cards) > 1:
        return False
    shares[lowest(cards)] = 1.0
    return True


@kernel
def begin(redacted: Any, seat: int, memory: Any, states: Any, rng: Rng, work: Cards) -> None:
    """Keep what everybody knows, and a first deal."""
    root, deal = states[ROOT], memory.deal[0]
    rules.redact(redacted[0], SPECTATOR, root)
    deal["leader"] = root["leader"]
    deal["mounted"] = int(root["mounted"] != 0)
    deal["led"] = LEADS
    if root["phase"] == ANSWER:
        deal["led"] = root["melee"][1 - seat, HAND - int(root["held"][seat])]
    states[DEALT] = root
    rules.determinize(states[DEALT], rng, work)


@kernel
def learn(
    redacted: Any,
    seat: int,
    first: int,
    traversals: int,
    memory: Any,
    prices: Floats,
    states: Any,
    shares: Floats,
    rng: Rng,
    work: Cards,
) -> None:
    """Add up the seat's strategies over some traversals, after `first` earlier ones. Later ones
    count more."""
    memory, prices, states, rng, work = uncounted((memory, prices, states, rng, work))
    deal, own = memory.deal[0], redacted[0]["hand"][seat]
    for done in range(first, first + traversals):
        deal_hands(memory, states, rng, work)
        is_own = done % OWN_HAND_EVERY == 0
        if is_own:
            deal["hand"][seat] = own
        look_ahead(states[ROOT], deal, prices)
        explore(seat if done % 2 == 0 else 1 - seat, 0.0, memory, rng)
        if is_own:
            add_shares(float(done + 1), memory, shares)


@inlined
def deal_hands(memory: Any, states: Any, rng: Rng, work: Cards) -> None:
    """Deal hands, which rather explain what was played from them."""
    s, proposed, deal = states[DEALT], states[PROPOSED], memory.deal[0]
    for _ in range(PROPOSALS):
        states[PROPOSED] = states[ROOT]
        rules.determinize(proposed, rng, work)
        for player in range(SEATS):
            before = likelihood(s, player, s["hand"][player], memory.blueprint)
            after = likelihood(s, player, proposed["hand"][player], memory.blueprint)
            if unit(rng) * before < after:
                s["hand"][player] = proposed["hand"][player]
    deal["hand"][:] = s["hand"]


@inlined
def likelihood(s: State, player: int, hand: Pile, blueprint: Shares) -> float:
    """How likely the blueprint plays the cards that were revealed since the draw, if this is what
    is left of the player's hand."""
    likely = 1.0
    mounted = int(s["mounted"] != 0)
    for place in range(HAND - int(s["held"][player]) - 1, -1, -1):
        card, facing = int(s["melee"][player, place]), int(s["melee"][1 - player, place])
        if facing >= 0 and abs(MARGIN[card, facing]) >= HIT:
            mounted = 1  # K12: otherwise the game would be over
        hand += single(card)
        led = LEADS if s["led"][place] == player else facing
        mix = blueprint[situation(led, mounted), hand_number(hand)]
        total = 0.0
        for kind in range(KINDS):
            total += mix[kind]
        if total > 0.0:
            likely *= DOUBT + (1.0 - DOUBT) * mix[card] / total
    return likely


@kernel
def add_shares(weight: float, memory: Any, shares: Floats) -> None:
    """Add the present strategy of the turn that a traversal began with."""
    turn = memory.turns[0]
    hand, cards, mix = memory.hands[turn["own"]], turn["cards"], turn["mix"]
    weigh(memory.nodes[turn["node"]]["regrets"], cards, mix)
    for card in range(cards):
        shares[hand["card"][card]] += weight * mix[card]
