"""The rest of a melee hand (K10 to K12) as a small game, and how to learn to play it.

The method is Monte Carlo counterfactual regret minimization with external sampling. A traversal
begins with two hands, and one seat learns: all its cards are tried, while the other seat plays by
its regrets. So each seat mixes its cards in such a way that the other learns nothing of use from
them. `blueprint` learns in this way how to play any hand, and `duel` learns more about the present
one.

- A node stands for a seat's hand and its situation: whether a knight is mounted, and the card that
  it must answer. Nodes of a duel also distinguish what the other has revealed.
- New nodes of a duel begin with the mix of the blueprint.
- What comes after the hand is in the deal's `prospects`.
- Hands are numbers (see `hands`), and so are the different cards of a hand, in their order.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.kernel import inlined, kernel
from hastilude.core.random import Rng, mixed, unit
from hastilude.core.uncounted import uncounted
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, Pile, single
from hastilude.games.kings_tournament.hands import HANDS, hand_number, numbered_hands
from hastilude.games.kings_tournament.rules import HAND, HIT, SEATS

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.uint8]

LEADS = -1  # instead of the card that a seat must answer
OPEN = -1.0  # instead of a chance: it is not certain yet
EMPTY = -1  # instead of a node
SITUATIONS = 2 * (KINDS + 1)
HABIT = 0.5  # the regret that the blueprint gives to new nodes
SEARCH, USED, MOST = range(3)  # places of `Memory.counts`

# What is learned at a node, for each card of the hand. It counts only in the search that wrote it,
# so nothing needs to be cleared.
NODE = np.dtype([("key", np.uint64), ("search", np.int64), ("regrets", np.float64, HAND)])
# A turn of a traversal: the learner has to choose a card.
TURN = np.dtype(
    [
        ("own", np.int64),  # the hand of the learner
        ("other", np.int64),  # the hand of the other, without the card that it has led
        ("own_shown", np.uint64),  # what was revealed of them since the traversal began
        ("other_shown", np.uint64),
        ("led", np.int64),  # the card to answer, or LEADS
        ("again", np.bool_),  # whether the seat that answered in the turn before leads
        ("mounted", np.int64),  # whether the leader's knight is
        ("node", np.int64),  # EMPTY if nothing is learned there
        ("cards", np.int64),  # how many can be played
        ("tried", np.int64),  # how many of them were
        ("chance", np.float64),  # of the learner: what these add up to
        ("mix", np.float64, HAND),
        ("gains", np.float64, HAND),
    ]
)
# What a traversal begins with.
DEAL = np.dtype(
    [
        ("hand", np.uint64, SEATS),
        ("leader", np.int64),
        ("led", np.int64),  # the card to answer, or LEADS
        ("mounted", np.int64),  # whether the leader's knight is
        ("prospects", np.float64, (2, SEATS)),  # the leader's chance after the hand, by `mounted`
        ("learner", np.int64),
        ("weight", np.float64),  # of the present strategies in `sums`
    ]
)


class Memory(NamedTuple):
    """What is known and learned, and the scratch memory of a traversal."""

    hands: Any  # see `numbered_hands`
    nodes: Any  # a hash table; if the average strategy is wanted, an array by situation and hand
    sums: Floats  # of the mixes of each node, if the average strategy is wanted; otherwise empty
    counts: Whole  # the number of this search, the nodes that it uses, and the most that it may use
    blueprint: Shares  # the mixes that nodes begin with, by situation, hand and card; or empty
    turns: Any
    mix: Floats  # of the other's cards
    deal: Any


def new_memory(nodes: int, blueprint: Shares, averaged: bool) -> Memory:
    """With room for so many nodes of a search; averages are kept of all nodes that there are."""
    rows = SITUATIONS * HANDS if averaged else 1 << (2 * nodes - 1).bit_length()
    deal = np.zeros(1, DEAL)
    deal["prospects"] = 0.5
    return Memory(
        hands=numbered_hands(),
        nodes=np.zeros(rows, NODE),
        sums=np.zeros((rows if averaged else 0, HAND)),
        counts=np.array([1, 0, nodes]),
        blueprint=blueprint,
        turns=np.zeros(HAND, TURN),
        mix=np.zeros(HAND),
        deal=deal,
    )


@kernel
def forget(memory: Any) -> None:
    """Begin a new search."""
    memory.counts[SEARCH] += 1
    memory.counts[USED] = 0


@inlined
def situation(led: int, mounted: int) -> int:
    return 2 * (led + 1) + mounted


# --- traversals -----------------------------------------------------------------------------------


@kernel
def explore(learner: int, weight: float, memory: Any, rng: Rng) -> float:
    """Play the dealt hands to their end, with all cards of the learner; returns its chance.
    Strategies count with this weight in `sums`."""
    memory, rng = uncounted((memory, rng))
    turns, deal = memory.turns, memory.deal[0]
    deal["learner"], deal["weight"] = learner, weight
    chance = set_out(turns[0], memory, rng)
    if chance != OPEN:
        return 1.0 - chance
    arrive(turns[0], memory)
    depth = 0
    while True:
        turn = turns[depth]
        if turn["tried"] < turn["cards"]:
            chance = try_card(turn, turns[depth + 1], memory, rng)
            if chance == OPEN:
                depth += 1
                arrive(turns[depth], memory)
            else:
                note(turn, chance)
        else:
            learn(turn, memory.nodes)
            if depth == 0:
                return float(turn["chance"])
            depth -= 1
            note(turns[depth], chance_before(turn))


@inlined
def set_out(turn: Any, memory: Any, rng: Rng) -> float:
    """Prepare the first turn. If the learner has led already, the other answers before it; then
    this returns the chance of the other if nobody has a choice any more. Otherwise OPEN."""
    deal = memory.deal[0]
    learner, led, mounted = deal["learner"], deal["led"], deal["mounted"]
    own, other = hand_number(deal["hand"][learner]), hand_number(deal["hand"][1 - learner])
    turn["own_shown"] = turn["other_shown"] = NO_CARDS
    if led == LEADS:
        begin_turn(turn, own, other, deal["leader"] == learner, mounted, memory, rng)
        return OPEN
    if deal["leader"] == learner:
        return be_answered(turn, own, other, led, mounted, memory, rng)
    turn["own"], turn["other"], turn["led"], turn["mounted"] = own, other, led, mounted
    return OPEN


@inlined
def try_card(turn: Any, after: Any, memory: Any, rng: Rng) -> float:
    """Play the learner's next card; returns the chance of the seat that answers in this turn if
    nobody has a choice any more, otherwise OPEN, and `after` is the next turn."""
    hand, other, mounted = memory.hands[turn["own"]], turn["other"], turn["mounted"]
    card = hand["card"][turn["tried"]]
    own = hand["left"][card]
    after["own_shown"] = turn["own_shown"] + single(card)
    after["other_shown"] = turn["other_shown"]
    if turn["led"] == LEADS:
        return be_answered(after, own, other, card, mounted, memory, rng)
    chance, again, mounted = compare(card, turn["led"], mounted)
    if chance != OPEN:
        return chance
    if own < KINDS:
        deal = memory.deal[0]
        return last_turn(own, other, deal["learner"], again, mounted, deal)
    after["again"] = again
    begin_turn(after, own, other, again, mounted, memory, rng)
    return OPEN


@inlined
def be_answered(
    after: Any, own: int, other: int, card: int, mounted: int, memory: Any, rng: Rng
) -> float:
    """Let the other answer a card of the learner; returns the chance of the other, or OPEN."""
    answer = choose(other, situation(card, mounted), after["own_shown"], memory, rng)
    chance, again, mounted = compare(answer, card, mounted)
    if chance != OPEN:
        return chance
    other = memory.hands[other]["left"][answer]
    if own < KINDS:
        deal = memory.deal[0]
        return last_turn(other, own, 1 - deal["learner"], again, mounted, deal)
    after["again"] = again
    after["other_shown"] += single(answer)
    begin_turn(after, own, other, not again, mounted, memory, rng)
    return OPEN


@inlined
def begin_turn(
    turn: Any, own: int, other: int, leads: bool, mounted: int, memory: Any, rng: Rng
) -> None:
    """Prepare a turn in which the learner leads, or else the other, by its strategy."""
    turn["own"], turn["other"], turn["mounted"], turn["led"] = own, other, mounted, LEADS
    if not leads:
        led = choose(other, situation(LEADS, mounted), turn["own_shown"], memory, rng)
        turn["led"], turn["other"] = led, memory.hands[other]["left"][led]
        turn["other_shown"] += single(led)


@inlined
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


@inlined
def prospect(seat: int, leads: bool, mounted: int, deal: Any) -> float:
    """The chance of a seat after the hand."""
    chances = deal["prospects"]
    return float(chances[mounted, seat] if leads else 1.0 - chances[mounted, 1 - seat])


@inlined
def last_turn(card: int, facing: int, seat: int, leads: bool, mounted: int, deal: Any) -> float:
    """The chance of a seat when both have one card left."""
    if leads:
        gain, again, rides = compare(facing, card, mounted)
        return 1.0 - (prospect(1 - seat, again, rides, deal) if gain == OPEN else gain)
    gain, again, rides = compare(card, facing, mounted)
    return prospect(seat, again, rides, deal) if gain == OPEN else gain


@inlined
def chance_before(turn: Any) -> float:
    """The chance of the seat that answered before a turn.

    1 - (1 - x) is not always x. So chances change sides one seat after another, as they did when
    the shipped strategy was learned: then training still gives the same.
    """
    chance = turn["chance"] if turn["led"] == LEADS else 1.0 - turn["chance"]
    return float(chance if turn["again"] else 1.0 - chance)


@inlined
def note(turn: Any, chance: float) -> None:
    """Keep what the last card leads to, as the chance of the seat that answered."""
    tried = turn["tried"]
    gain = 1.0 - chance if turn["led"] == LEADS else chance
    turn["gains"][tried] = gain
    turn["chance"] += turn["mix"][tried] * gain
    turn["tried"] = tried + 1


@inlined
def learn(turn: Any, nodes: Any) -> None:
    if turn["node"] == EMPTY:
        return
    regrets, gains, chance = nodes[turn["node"]]["regrets"], turn["gains"], turn["chance"]
    for card in range(turn["cards"]):
        regrets[card] = max(regrets[card] + gains[card] - chance, 0.0)


# --- the strategies of nodes ----------------------------------------------------------------------


@inlined
def arrive(turn: Any, memory: Any) -> None:
    """Find the node and the mix of the learner's cards."""
    own, nodes, mix, counts = turn["own"], memory.nodes, turn["mix"], memory.counts
    cards = int(memory.hands[own]["cards"])
    turn["cards"], turn["tried"], turn["chance"], turn["node"] = cards, 0, 0.0, EMPTY
    if cards == 1:
        mix[0] = 1.0
        return
    place = situation(turn["led"], turn["mounted"])
    if len(memory.sums):
        turn["node"] = node_of(place, own)
        weigh(nodes[turn["node"]]["regrets"], cards, mix)
        return
    key = key_of(memory.deal[0]["learner"], own, place, turn["other_shown"])
    node = find(key, nodes, counts[SEARCH])
    if nodes[node]["search"] == counts[SEARCH]:
        turn["node"] = node
        weigh(nodes[node]["regrets"], cards, mix)
        return
    look_up(place, own, memory, mix)
    weigh(mix, cards, mix)
    if counts[USED] < counts[MOST]:
        counts[USED] += 1
        turn["node"] = node
        nodes[node]["key"], nodes[node]["search"] = key, counts[SEARCH]
        for card in range(cards):
            nodes[node]["regrets"][card] = HABIT * mix[card]


@inlined
def choose(hand: int, place: int, shown: Pile, memory: Any, rng: Rng) -> int:
    """A card of the seat that does not learn. It adds no nodes."""
    held, nodes, mix, deal = memory.hands[hand], memory.nodes, memory.mix, memory.deal[0]
    cards = int(held["cards"])
    if cards == 1:
        return int(held["card"][0])
    if len(memory.sums):
        node = node_of(place, hand)
        weigh(nodes[node]["regrets"], cards, mix)
        for card in range(cards):
            memory.sums[node, card] += deal["weight"] * mix[card]
        return int(held["card"][pick_card(mix, cards, rng)])
    search = memory.counts[SEARCH]
    node = find(key_of(1 - deal["learner"], hand, place, shown), nodes, search)
    if nodes[node]["search"] == search:
        return int(held["card"][pick_card(nodes[node]["regrets"], cards, rng)])
    look_up(place, hand, memory, mix)
    return int(held["card"][pick_card(mix, cards, rng)])


@inlined
def node_of(place: int, hand: int) -> int:
    """The node of the average strategy, which distinguishes nothing else."""
    return place * HANDS + hand


@inlined
def key_of(seat: int, hand: int, place: int, shown: Pile) -> np.uint64:
    """A hash of what a seat knows: its hand, the situation, and what the other has revealed."""
    return mixed(mixed(shown) ^ np.uint64((hand * SITUATIONS + place) * SEATS + seat))


@inlined
def find(key: np.uint64, nodes: Any, search: int) -> int:
    """The node of a key in this search, or a free one, which would be added for it."""
    last = np.uint64(len(nodes) - 1)
    node = key & last
    while nodes[node]["search"] == search and nodes[node]["key"] != key:
        node = (node + np.uint64(1)) & last
    return int(node)


@inlined
def look_up(place: int, hand: int, memory: Any, weights: Floats) -> None:
    """The weights of a hand's cards in the blueprint."""
    held, shares = memory.hands[hand], memory.blueprint[place, hand]
    for card in range(held["cards"]):
        weights[card] = shares[held["card"][card]]


@inlined
def weigh(weights: Floats, cards: int, mix: Floats) -> None:
    """Each card in proportion to its weight; evenly if there is none."""
    total = 0.0
    for card in range(cards):
        total += weights[card]
    scale = 1.0 / total if total > 0.0 else 0.0
    even = 0.0 if total > 0.0 else 1.0 / cards
    for card in range(cards):
        mix[card] = weights[card] * scale + even


@inlined
def pick_card(weights: Floats, cards: int, rng: Rng) -> int:
    """A card in proportion to its weight; any card if there is none."""
    total = 0.0
    for card in range(cards):
        total += weights[card]
    left = unit(rng)
    if total == 0.0:
        return int(left * cards)
    left *= total
    for card in range(cards - 1):
        left -= weights[card]
        if left < 0.0:
            return card
    return cards - 1
