"""How good play mixes its cards in the melee (K10), and in a joust one card at a time (K6).

What is left of the present hand is solved approximately, as a game of its own, by Monte Carlo
counterfactual regret minimization with external sampling. A traversal deals both hands at random,
from what everybody knows, and one seat learns: all its cards are tried, while the other seat plays
by its regrets. So each seat mixes its cards in such a way that the other learns nothing of use from
them. The mean strategy of the seat with its own hand is the result; later traversals count more.

- A node stands for a seat's hand and the situation (see `knowledge`), not for the order in which
  cards were played: there are too many orders to learn anything about each of them.
- Most hands come up only a few times. Their nodes begin with the card of the reference policy.
- After a melee hand, the chances are those of the reference policy; after a joust, winning it is
  everything.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import Choice
from hastilude.bots.search import pick_by_weight, play_on
from hastilude.bots.tree import EMPTY, Tree, find, find_or_add, new_tree
from hastilude.core import rules
from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, generator, mixed
from hastilude.core.rules import SPECTATOR, WORK, Cards, State
from hastilude.core.uncounted import uncounted
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, single
from hastilude.games.kings_tournament.outlook import settled
from hastilude.games.kings_tournament.reference import reference
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    ASIDE,
    BOTH,
    DISCARD,
    HAND,
    LEAD,
    LINE,
    SEATS,
    STATE,
    draw_hands,
)

Floats: TypeAlias = npt.NDArray[np.float64]

TRAVERSALS = (0, 1, 4000, 3000, 2000, 1000)  # by the number of cards in hand
ROLLOUTS = 300  # that find the chances after a melee hand
NODES = 60_000
HABIT = 0.5  # the regret that the reference's card begins with
RARE = 0.15  # less frequent choices are left out: mostly they are remains of early traversals

OWN_HAND_EVERY = 4  # traversals; in every second of them the seat learns, otherwise the other one
DEEPEST = 2 * HAND  # actions until both hands are played out
ROOT, AFTER = DEEPEST + 1, DEEPEST + 2  # states that are not on the path


class Memory(NamedTuple):
    """The path of a traversal, one row per action, and what was learned."""

    states: Any
    nodes: npt.NDArray[np.int64]  # EMPTY if nothing is learned there
    untried: npt.NDArray[np.uint64]
    tried: npt.NDArray[np.int64]
    gains: Floats  # seat 0's chance to win with each card
    mix: Floats  # how often each card is played
    tree: Tree  # its values are regrets
    prospects: Floats  # seat 0's chance after the hand, by the set of mounted knights and leader
    end: npt.NDArray[np.int64]  # the number of reveals at which the hand is over
    work: Cards


def new_memory() -> Memory:
    return Memory(
        states=np.zeros(AFTER + 1, STATE),
        nodes=np.zeros(ROOT, np.int64),
        untried=np.zeros(ROOT, np.uint64),
        tried=np.zeros(ROOT, np.int64),
        gains=np.zeros((ROOT, KINDS)),
        mix=np.zeros((ROOT, KINDS)),
        tree=new_tree(NODES, KINDS),
        prospects=np.zeros((BOTH + 1, SEATS)),
        end=np.zeros(1, np.int64),
        work=np.zeros(WORK, np.int8),
    )


def card_shares(redacted: Any, seat: int) -> Mapping[Choice, float]:
    """How often good play makes each choice that the seat has now, without rare ones. Two discards
    are one choice, in the order of the actions."""
    r = redacted[0]
    begun = r["choice"][seat, : r["chosen"][seat]].tolist()
    shares = np.zeros((KINDS, KINDS))
    traversals = TRAVERSALS[r["held"][seat]]
    learn(redacted, seat, traversals, ROLLOUTS, new_memory(), shares, generator(0))
    found: dict[Choice, float] = {}
    for first, second in np.argwhere(shares):
        choice = [first] if r["phase"] != DISCARD else sorted((first, second))
        if set(begun) <= set(choice):
            for card in begun:
                choice.remove(card)
            key = tuple(map(int, choice))
            found[key] = found.get(key, 0.0) + float(shares[first, second])
    return without_rare(found, RARE)


def without_rare(shares: Mapping[Choice, float], rare: float) -> dict[Choice, float]:
    """The shares of the choices that are not rare, and of the likeliest in any case."""
    least = min(rare * sum(shares.values()), max(shares.values(), default=0.0))
    kept = {choice: share for choice, share in shares.items() if share >= least > 0}
    return {choice: share / sum(kept.values()) for choice, share in kept.items()}


@kernel
def learn(
    redacted: Any,
    seat: int,
    traversals: int,
    rollouts: int,
    memory: Any,
    shares: Floats,
    rng: Rng,
) -> None:
    """Add up the seat's strategies over all traversals, by its next card and, of two discards, the
    second."""
    memory, shares, rng = uncounted((memory, shares, rng))
    root, s = memory.states[ROOT], memory.states[0]
    begin(redacted[0], root)
    look_ahead(rollouts, memory, rng)
    hand = redacted[0]["hand"][seat]
    for place in range(int(redacted[0]["chosen"][seat])):
        hand += single(redacted[0]["choice"][seat, place])
    for done in range(traversals):
        memory.states[0] = root
        rules.determinize(s, rng, memory.work)
        if done % OWN_HAND_EVERY == 0:
            s["hand"][seat] = hand
        explore(seat if done % 2 == 0 else 1 - seat, memory, rng)
        if done % OWN_HAND_EVERY == 0:
            add_shares(seat, float(done + 1), memory, shares)


@kernel
def begin(redacted: State, root: State) -> None:
    """What everybody knew before the present choice: of a simultaneous one, before either made it,
    because what was chosen is not known and not random."""
    rules.redact(redacted, SPECTATOR, root)
    if root["phase"] != LEAD and root["phase"] != ANSWER:
        root["chosen"][:] = 0
        root["waiting"] = BOTH


@kernel
def look_ahead(rollouts: int, memory: Any, rng: Rng) -> None:
    """Find out when the hand is over, and how good each situation is then."""
    root, s = memory.states[ROOT], memory.states[AFTER]
    chances = memory.prospects
    chances[:] = 0.0
    if root["phase"] != LEAD and root["phase"] != ANSWER:
        memory.end[0] = int(root["reveals"]) + LINE
        chances[BOTH, :] = 0.5
        chances[1, :] = 1.0  # seat 0 alone is mounted
        return
    memory.end[0] = int(root["reveals"]) + max(int(root["held"][0]), int(root["held"][1]))
    for _ in range(rollouts):
        for mounted in range(BOTH):
            for leader in range(SEATS):
                now = root["mounted"] == mounted and root["leader"] == leader
                if mounted and not now:
                    continue  # K12: nobody mounts again
                memory.states[AFTER] = root
                rules.determinize(s, rng, memory.work)
                for player in range(SEATS):
                    s["seen"][player] += s["hand"][player]
                    s["hand"][player] = NO_CARDS
                    s["held"][player] = 0
                s["mounted"] = mounted
                s["leader"] = leader
                s["phase"] = LEAD
                draw_hands(s)
                play_on(s, rng, memory.work)
                chances[mounted, leader] += game_result(s) / rollouts


@kernel
def game_result(s: State) -> float:
    """1 if seat 0 has won the game, 0 if seat 1 has; a drawn game is half of each (K16)."""
    return 0.5 if s["fallen"] < 0 else float(s["fallen"])


@kernel
def explore(learner: int, memory: Any, rng: Rng) -> None:
    """Play from states[0] to the end of the hand, with all cards of the learner."""
    states, gains = memory.states, memory.gains
    depth = 0
    arrive(0, learner, memory, rng)
    while True:
        untried = memory.untried[depth]
        if untried != NONE:
            card = lowest(untried)
            memory.untried[depth] = untried & (untried - ONE)
            memory.tried[depth] = card
            states[depth + 1] = states[depth]
            after = states[depth + 1]
            rules.apply(after, rules.turn(after), card)
            if settled(after):
                gains[depth, card] = game_result(after)
            elif after["reveals"] == memory.end[0]:
                gains[depth, card] = memory.prospects[after["mounted"], after["leader"]]
            else:
                depth += 1
                arrive(depth, learner, memory, rng)
        else:
            chance = leave(depth, learner, memory)
            depth -= 1
            if depth < 0:
                return
            gains[depth, memory.tried[depth]] = chance


@kernel
def arrive(depth: int, learner: int, memory: Any, rng: Rng) -> None:
    """Decide which cards to try: all cards of the learner, or one by the strategy of the other."""
    s, tree = memory.states[depth], memory.tree
    player = rules.turn(s)
    cards = rules.legal(s, player)
    node = EMPTY
    if count(cards) > 1:
        key = knowledge(s, player)
        if player != learner:
            node = find(tree, key)
        else:
            known = tree.used[0]
            node = find_or_add(tree, key)
            if tree.used[0] > known:
                tree.values[node, reference(s, player, rng, memory.work)] = HABIT
        if node == EMPTY:
            cards = bit(reference(s, player, rng, memory.work))
        else:
            weigh(tree.values[node], cards, memory.mix[depth])
            if player != learner:
                cards = bit(pick_by_weight(memory.mix[depth], rng))
    memory.nodes[depth] = node if player == learner else EMPTY
    memory.untried[depth] = cards


@kernel
def leave(depth: int, learner: int, memory: Any) -> float:
    """Learn from the cards that were tried; returns seat 0's chance."""
    node = memory.nodes[depth]
    gains, mix = memory.gains[depth], memory.mix[depth]
    if node == EMPTY:
        return gains[memory.tried[depth]]
    s, regrets = memory.states[depth], memory.tree.values[node]
    chance = 0.0
    cards = rules.legal(s, learner)
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        chance += mix[card] * gains[card]
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        more = gains[card] - chance if learner == 0 else chance - gains[card]
        regrets[card] = max(regrets[card] + more, 0.0)
    return chance


@kernel
def weigh(regrets: Floats, cards: Bits, mix: Floats) -> None:
    """Regret matching: each card in proportion to its regret."""
    total = regrets.sum()
    mix[:] = 0.0
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        mix[card] = regrets[card] / total if total > 0.0 else 1.0 / count(cards)


@kernel
def knowledge(s: State, player: int) -> np.uint64:
    """A hash of what the player knows, as far as nodes distinguish it."""
    key = mixed(s["hand"][player])
    if s["phase"] == LEAD or s["phase"] == ANSWER:
        key = mixed(key ^ (s["total"] - s["seen"][1 - player]))
        led = 0
        if s["phase"] == ANSWER:
            led = 1 + int(s["melee"][1 - player, HAND - int(s["held"][player])])
        return mixed(
            key ^ np.uint64((16 * int(s["mounted"]) + led) * 4 + 2 * int(s["leader"]) + player)
        )
    for seat in range(SEATS):
        for place in range(ASIDE):
            key = mixed(key ^ np.uint64(1 + int(s["aside"][seat, place])))
        for place in range(LINE):
            key = mixed(key ^ np.uint64(1 + int(s["line"][seat, place])))
    begun = 1 + int(s["choice"][player, 0]) if s["chosen"][player] else 0
    return mixed(key ^ np.uint64(2 * begun + player))


@kernel
def add_shares(seat: int, weight: float, memory: Any, shares: Floats) -> None:
    """Add the seat's present strategy to the shares."""
    memory.states[AFTER] = memory.states[0]
    s, tree, mix = memory.states[AFTER], memory.tree, memory.mix
    weigh_at(s, seat, tree, mix[0])
    for card in range(KINDS):
        if mix[0, card] > 0.0:
            if s["phase"] != DISCARD:
                shares[card, 0] += weight * mix[0, card]
                continue
            memory.states[AFTER] = memory.states[0]
            rules.apply(s, seat, card)
            weigh_at(s, seat, tree, mix[1])
            for other in range(KINDS):
                shares[card, other] += weight * mix[0, card] * mix[1, other]


@kernel
def weigh_at(s: State, seat: int, tree: Any, mix: Floats) -> None:
    """The strategy of a seat that learned in this state, or must play its only card."""
    cards = rules.legal(s, seat)
    if count(cards) == 1:
        mix[:] = 0.0
        mix[lowest(cards)] = 1.0
    else:
        weigh(tree.values[find(tree, knowledge(s, seat))], cards, mix)
