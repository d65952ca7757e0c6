"""The rest of a melee hand (K10 to K12) as a small game, and how to learn to play it.

The method is Monte Carlo counterfactual regret minimization with external sampling. A traversal
begins with two hands, and one seat learns: all its cards are tried, while the other seat plays by
its regrets. So each seat mixes its cards in such a way that the other learns nothing of use from
them. `blueprint` learns in this way how to play any hand, and `duel` learns more about the present
one.

- A node stands for a seat's hand and its situation: whether a knight is mounted, and the card that
  it must answer. Nodes of a duel also distinguish what the other has revealed.
- New nodes of a duel begin with the mix of the blueprint.
- All chances are those of the seat to act. What comes after the hand is in the deal's `prospects`.
"""

from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.bots.tree import EMPTY, Tree, find, find_or_add, new_tree
from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, mixed, unit
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, Pile, kinds, lowest_card, single
from hastilude.games.kings_tournament.rules import HAND, HIT, SEATS

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Piles: TypeAlias = npt.NDArray[np.uint64]
Shares: TypeAlias = npt.NDArray[np.uint8]

LEADS = -1  # instead of the card that a seat must answer
OPEN = -1.0  # instead of a chance: it is not certain yet
SITUATIONS = 2 * (KINDS + 1)
HABIT = 0.5  # the regret that the blueprint gives to new nodes
DEEPEST = 2 * HAND

# Hands are numbered: those with fewer cards first, then in colexicographic order.
_WAYS = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(KINDS + HAND)])
_FIRST = np.cumsum([0, 0, *(comb(KINDS + size - 1, size) for size in range(1, HAND + 1))])
HANDS = int(_FIRST[-1])


# A step of a traversal: a seat that has to choose a card.
STEP = np.dtype(
    [
        ("own", np.uint64),  # what the seat has left
        ("other", np.uint64),  # what the other has
        ("untried", np.uint64),  # cards
        ("seat", np.int64),
        ("led", np.int64),  # the card to answer, or LEADS
        ("mounted", np.int64),  # whether the knight of the seat that reveals first is
        ("tried", np.int64),  # the last card
        ("node", np.int64),  # EMPTY if nothing is learned there
        ("chance", np.float64),  # what the cards that were tried add up to
        ("mix", np.float64, KINDS),
        ("gains", np.float64, KINDS),
    ]
)
# What a traversal begins with.
DEAL = np.dtype(
    [
        ("hand", np.uint64, SEATS),
        ("leader", np.int64),
        ("led", np.int64),  # the card to answer, or LEADS
        ("mounted", np.int64),  # whether the leader's knight is
        ("size", np.int64),  # the number of cards of the seat that acts first
        ("prospects", np.float64, (2, SEATS)),  # the leader's chance after the hand, by `mounted`
    ]
)


class Memory(NamedTuple):
    """What is known and learned, and the scratch memory of a traversal."""

    tree: Tree  # its values are regrets
    sums: Floats  # of the mixes of each node, if the average strategy is wanted; otherwise empty
    blueprint: Shares  # the mixes that nodes begin with, by situation, hand and card; or empty
    steps: Any
    deal: Any


def new_memory(nodes: int, blueprint: Shares, averaged: bool) -> Memory:
    deal = np.zeros(1, DEAL)
    deal["prospects"] = 0.5
    return Memory(
        tree=new_tree(nodes, KINDS),
        sums=np.zeros((nodes if averaged else 0, KINDS)),
        blueprint=blueprint,
        steps=np.zeros(DEEPEST + 1, STEP),
        deal=deal,
    )


@kernel
def hand_number(hand: Pile) -> int:
    number, place = 0, 0
    while hand != NO_CARDS:
        card = lowest_card(hand)
        hand -= single(card)
        number += _WAYS[card + place, place + 1]
        place += 1
    return int(_FIRST[place] + number)


@kernel
def situation(led: int, mounted: int) -> int:
    return 2 * (led + 1) + mounted


@kernel
def key_of(own: Pile, place: int) -> np.uint64:
    """A hash of a hand and its situation."""
    return mixed(mixed(own) ^ np.uint64(place))


@kernel
def explore(learner: int, weight: float, memory: Any, rng: Rng) -> float:
    """Play the dealt hands to their end, with all cards of the learner; returns the chance of the
    seat that acts first. Strategies count with this weight in `sums`."""
    deal = memory.deal[0]
    begun = int(deal["led"] != LEADS)
    # The answer after which both have one card.
    last = 2 * deal["size"] - 3 - begun
    set_out(memory.steps[0], deal, begun)
    arrive(memory.steps[0], learner, weight, memory, rng)
    depth = 0
    while True:
        step = memory.steps[depth]
        if step["untried"] != NONE:
            gain = try_card(step, memory.steps[depth + 1], depth == last, deal)
            if gain == OPEN:
                depth += 1
                arrive(memory.steps[depth], learner, weight, memory, rng)
            else:
                note(step, gain)
        else:
            learn(step, memory.tree.values)
            if depth == 0:
                return float(step["chance"])
            depth -= 1
            before = memory.steps[depth]
            same = before["seat"] == step["seat"]
            note(before, step["chance"] if same else 1.0 - step["chance"])


@kernel
def set_out(step: Any, deal: Any, begun: int) -> None:
    seat = deal["leader"] ^ begun
    step["seat"] = seat
    step["led"], step["mounted"] = deal["led"], deal["mounted"]
    step["own"], step["other"] = deal["hand"][seat], deal["hand"][1 - seat]


@kernel
def try_card(step: Any, after: Any, is_last: bool, deal: Any) -> float:
    """Play the next card; returns the chance of the seat if nobody has a choice any more, otherwise
    OPEN, and `after` is the next step."""
    card = lowest(step["untried"])
    step["untried"] &= step["untried"] - ONE
    step["tried"] = card
    seat, left, other = step["seat"], step["own"] - single(card), step["other"]
    again, mounted = False, step["mounted"]
    if step["led"] != LEADS:
        gain, again, mounted = compare(card, step["led"], mounted)
        if gain != OPEN:
            return gain
        if left == NO_CARDS:
            return prospect(seat, again, mounted, deal)
        if is_last:
            return last_turn(left, other, seat, again, mounted, deal)
    after["led"] = card if step["led"] == LEADS else LEADS
    after["mounted"] = mounted
    after["seat"] = seat if again else 1 - seat
    after["own"] = left if again else other
    after["other"] = other if again else left
    return OPEN


@kernel
def compare(card: int, led: int, mounted: int) -> tuple[float, bool, int]:
    """What an answer leads to (K11, K12): the chance of the seat that answers if that is certain,
    otherwise OPEN; whether this seat reveals first in the next turn; whether a knight is mounted
    then."""
    margin = MARGIN[card, led]
    if margin <= -HIT:
        return 0.0, False, 0
    if margin >= HIT and not mounted:
        return 1.0, True, 0
    if mounted and margin < HIT:
        return OPEN, False, 1
    return OPEN, margin > 0, 0


@kernel
def prospect(seat: int, leads: bool, mounted: int, deal: Any) -> float:
    """The chance of a seat after the hand."""
    chances = deal["prospects"]
    return float(chances[mounted, seat] if leads else 1.0 - chances[mounted, 1 - seat])


@kernel
def last_turn(own: Pile, other: Pile, seat: int, leads: bool, mounted: int, deal: Any) -> float:
    """The chance of a seat when both have one card left."""
    card, facing = lowest_card(own), lowest_card(other)
    if leads:
        gain, again, rides = compare(facing, card, mounted)
        return 1.0 - (prospect(1 - seat, again, rides, deal) if gain == OPEN else gain)
    gain, again, rides = compare(card, facing, mounted)
    return prospect(seat, again, rides, deal) if gain == OPEN else gain


@kernel
def note(step: Any, gain: float) -> None:
    """Keep the chance that the last card gives."""
    card = step["tried"]
    step["gains"][card] = gain
    step["chance"] += step["mix"][card] * gain


@kernel
def learn(step: Any, regrets: Floats) -> None:
    node, chance, gains = step["node"], step["chance"], step["gains"]
    if node == EMPTY:
        return
    rest = kinds(step["own"])
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        regrets[node, card] = max(regrets[node, card] + gains[card] - chance, 0.0)


# --- the strategies of nodes ----------------------------------------------------------------------


@kernel
def arrive(step: Any, learner: int, weight: float, memory: Any, rng: Rng) -> None:
    """Decide which cards to try: all cards of the learner, or one by the strategy of the other."""
    cards, mix = kinds(step["own"]), step["mix"]
    step["chance"] = 0.0
    step["node"] = EMPTY
    step["untried"] = cards
    if count(cards) == 1:
        mix[lowest(cards)] = 1.0
        return
    learns = step["seat"] == learner
    node = recall(step, cards, learns, memory)
    if learns:
        step["node"] = node
        return
    if len(memory.sums):
        for card in range(KINDS):
            if cards >> np.uint64(card) & ONE:
                memory.sums[node, card] += weight * mix[card]
    card = pick_card(mix, cards, rng)
    step["untried"] = bit(card)
    mix[card] = 1.0


@kernel
def recall(step: Any, cards: Bits, learns: bool, memory: Any) -> int:
    """Find the mix of a step; returns its node, or EMPTY. Only a seat that learns adds nodes,
    unless averages are wanted."""
    tree, deal, mix, averaged = memory.tree, memory.deal[0], step["mix"], len(memory.sums) > 0
    seat, own = step["seat"], step["own"]
    place = situation(step["led"], step["mounted"])
    key = key_of(own, place)
    if not averaged:
        key ^= mixed((deal["hand"][1 - seat] - step["other"]) ^ np.uint64(seat << 62))
    known = tree.used[0]
    node = find_or_add(tree, key) if learns or averaged else find(tree, key)
    if averaged or (node != EMPTY and tree.used[0] == known):
        weigh(tree.values[node], cards, mix)
        return node
    number = hand_number(own)
    for card in range(KINDS):
        mix[card] = memory.blueprint[place, number, card]
    weigh(mix, cards, mix)
    if node != EMPTY:
        for card in range(KINDS):
            tree.values[node, card] = HABIT * mix[card]
    return node


@kernel
def weigh(weights: Floats, cards: Bits, mix: Floats) -> None:
    """Each card in proportion to its weight; evenly if there is none."""
    total = 0.0
    rest = cards
    while rest != NONE:
        total += weights[lowest(rest)]
        rest &= rest - ONE
    scale = 1.0 / total if total > 0.0 else 0.0
    even = 0.0 if total > 0.0 else 1.0 / count(cards)
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        mix[card] = weights[card] * scale + even


@kernel
def pick_card(mix: Floats, cards: Bits, rng: Rng) -> int:
    left = unit(rng)
    chosen = lowest(cards)
    while cards != NONE:
        card = lowest(cards)
        cards &= cards - ONE
        if left >= 0.0 and mix[card] > 0.0:
            chosen = card
        left -= mix[card]
    return chosen
