"""The best melee card against a player whose strategy is known.

The responder knows how the other player mixes its cards from any hand, and remembers every card
that was played. From that follows how likely each hand of the other is. Then all ways to play the
rest of the hand are tried against these hands: the other plays by its strategy, and the responder
plays the best card wherever it cannot tell the remaining hands apart.

A list of hands is a slice of `Memory.hands`. A card of the other splits a list into one list per
card; they are written behind it.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np

from hastilude.core.bits import NONE, ONE, bit, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, unit
from hastilude.core.rules import State
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import (
    KINDS,
    MARGIN,
    Pile,
    copies,
    kinds,
    lowest_card,
    single,
)
from hastilude.games.kings_tournament.hands import FIRST, HANDS, hand_number, numbered_hands
from hastilude.games.kings_tournament.melee import (
    LEADS,
    OPEN,
    SITUATIONS,
    Floats,
    Shares,
    Whole,
    compare,
    situation,
)
from hastilude.games.kings_tournament.rules import ANSWER, HAND, HIT

OWN, OTHER = 0, 1  # who has to play a card
STATES = 4  # after a hand: see `state_after`
MOST_HANDS = comb(KINDS + HAND - 1, HAND)
DEEPEST = 2 * HAND + 1
NOTHING = -1

# What can be played in a situation from a hand, and how often.
MIX = np.dtype([("card", np.int8, HAND), ("share", np.float32, HAND)])
# Somebody has to play a card.
STEP = np.dtype(
    [
        ("own", np.uint64),  # what the responder has left
        ("untried", np.uint64),  # cards
        ("player", np.int64),
        ("led", np.int64),  # the card to answer, or LEADS
        ("mounted", np.int64),  # whether the knight of the player who reveals first is
        ("first", np.int64),  # the list of hands that the other may have
        ("end", np.int64),
        ("free", np.int64),  # where new lists can be written
        ("tried", np.int64),  # the last card
        ("total", np.float64),  # what the responder wins: the sum of weights times chances
    ]
)
# A hand that the other may have: now, and in the position where the search begins.
HELD = np.dtype([("hand", np.int32), ("begun", np.int32), ("weight", np.float64)])

_WAYS = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(32)], np.float64)


class Memory(NamedTuple):
    """The strategy of the other, and the scratch memory of a search."""

    mixes: Any  # by situation and hand
    numbered: Any
    hands: Any  # lists, one after another
    ends: Floats  # the chance to win after the hand, by the hand at the beginning and the state
    steps: Any
    bounds: Whole  # where the list of each card begins, by depth
    sums: Floats  # see `last_two`
    worths: Floats  # of the responder's cards; NOTHING if it does not have them


def new_memory(shares: Shares) -> Memory:
    """A strategy is given as in `blueprint`."""
    return Memory(
        mixes=mixes_of(shares),
        numbered=numbered_hands(),
        # A hand is in at most 5, 4, 3, 2 and 1 lists of the other's five cards.
        hands=np.zeros(16 * MOST_HANDS, HELD),
        ends=np.zeros((HANDS, STATES)),
        steps=np.zeros(DEEPEST, STEP),
        bounds=np.zeros((DEEPEST, KINDS + 1), np.int64),
        sums=np.zeros((KINDS, 2)),
        worths=np.zeros(KINDS),
    )


def mixes_of(shares: Shares) -> Any:
    found = np.zeros((SITUATIONS, HANDS), MIX)
    find_mixes(shares, numbered_hands(), found)
    return found


@kernel
def find_mixes(shares: Shares, numbered: Any, found: Any) -> None:
    """Where the strategy knows no card, any card may be played, as in `prospects.choose`."""
    for place in range(SITUATIONS):
        for hand in range(HANDS):
            mix, pile = found[place, hand], numbered[hand]["pile"]
            known, total = shares[place, hand].any(), 0.0
            for card in range(KINDS):
                if copies(pile, card):
                    total += shares[place, hand, card] if known else copies(pile, card)
            end = 0
            for card in range(KINDS):
                share = int(shares[place, hand, card]) if known else copies(pile, card)
                if share and copies(pile, card):
                    mix["card"][end], mix["share"][end] = card, share / total
                    end += 1
            mix["card"][end:] = NOTHING


# --- beliefs --------------------------------------------------------------------------------------


@kernel
def believe(r: State, seat: int, doubt: float, memory: Any) -> int:
    """List the hands that the other may have, with their probabilities; returns how many.

    `r` is what the seat knows, in a melee. A card that the strategy would not play from a hand
    counts for `doubt`.
    """
    other = 1 - seat
    held = int(r["held"][other])
    shown = NO_CARDS
    for place in range(HAND - held):
        shown += single(r["melee"][other, place])
    kept = r["kept"][other]
    deck = r["total"] - r["seen"][other] + shown - kept  # before the draw, or the reshuffle in it
    size, total = 0, 0.0
    for hand in range(FIRST[held], FIRST[held + 1]):
        pile = memory.numbered[hand]["pile"]
        weight = ways_to_draw(pile + shown, kept, deck)
        if weight > 0.0:
            weight *= likelihood(r, other, pile, doubt, memory.mixes)
        if weight > 0.0:
            one = memory.hands[size]
            one["hand"], one["begun"], one["weight"] = hand, hand, weight
            total += weight
            size += 1
    for place in range(size):
        memory.hands[place]["weight"] /= total
    return size


@kernel
def ways_to_draw(hand: Pile, kept: Pile, deck: Pile) -> float:
    """The number of ways to draw from the deck what a hand has besides the kept cards (K13)."""
    ways = 1.0
    for card in range(KINDS):
        drawn = copies(hand, card) - copies(kept, card)
        if drawn < 0:
            return 0.0
        ways *= _WAYS[copies(deck, card), drawn]
    return ways


@kernel
def likelihood(r: State, player: int, hand: Pile, doubt: float, mixes: Any) -> float:
    """How likely the strategy plays what was revealed since the draw, if this is what is left."""
    likely = 1.0
    mounted = int(r["mounted"] != 0)
    for place in range(HAND - int(r["held"][player]) - 1, -1, -1):
        card, facing = int(r["melee"][player, place]), int(r["melee"][1 - player, place])
        if facing >= 0 and abs(MARGIN[card, facing]) >= HIT:
            mounted = 1  # K12: otherwise the game would be over
        hand += single(card)
        led = LEADS if r["led"][place] == player else facing
        share = share_of(card, mixes[situation(led, mounted), hand_number(hand)])
        likely *= doubt + (1.0 - doubt) * share
    return likely


@kernel
def share_of(card: int, mix: Any) -> float:
    for place in range(HAND):
        if mix["card"][place] == card:
            return float(mix["share"][place])
    return 0.0


@kernel
def thin_out(size: int, most: int, rng: Rng, memory: Any) -> int:
    """Keep at most so many hands, with weights in proportion; returns how many."""
    if size <= most:
        return size
    kept, passed, mark = 0, 0.0, unit(rng)
    for place in range(size):
        one = memory.hands[place]
        passed += one["weight"] * most
        marks = 0
        while mark < passed:
            marks += 1
            mark += 1.0
        if marks:
            into = memory.hands[kept]
            into["hand"], into["begun"] = one["hand"], one["begun"]
            into["weight"] = marks / most
            kept += 1
    return kept


# --- the search -----------------------------------------------------------------------------------


@kernel
def best_card(r: State, seat: int, size: int, memory: Any) -> int:
    """The best card of a seat against the first hands in memory; `worths` has what each gains."""
    step = memory.steps[0]
    step["player"], step["own"], step["mounted"] = OWN, r["hand"][seat], int(r["mounted"] != 0)
    step["first"], step["end"], step["free"] = 0, size, size
    step["led"] = LEADS
    if r["phase"] == ANSWER:
        step["led"] = r["melee"][1 - seat, HAND - int(r["held"][seat])]
    memory.worths[:] = NOTHING
    search(memory)
    return int(memory.worths.argmax())


@kernel
def search(memory: Any) -> None:
    """Try everything that can follow the first step."""
    depth = 0
    arrive(memory.steps[0], memory.bounds[0], memory)
    while True:
        step = memory.steps[depth]
        if step["untried"] != NONE:
            gain = try_card(step, memory.steps[depth + 1], memory.bounds[depth], memory)
            if gain == OPEN:
                depth += 1
                arrive(memory.steps[depth], memory.bounds[depth], memory)
                continue
        elif depth:
            gain = step["total"]
            depth -= 1
        else:
            return
        before = memory.steps[depth]
        if before["player"] == OTHER:
            before["total"] += gain
        else:
            before["total"] = max(before["total"], gain)
        if depth == 0:
            memory.worths[before["tried"]] = gain


@kernel
def arrive(step: Any, bounds: Whole, memory: Any) -> None:
    step["total"] = 0.0
    if step["player"] == OWN:
        step["untried"] = kinds(step["own"])
        return
    place = situation(step["led"], step["mounted"])
    step["free"] = split(step["first"], step["end"], place, step["free"], bounds, memory)
    cards = NONE
    for card in range(KINDS):
        if bounds[card] != bounds[card + 1]:
            cards |= bit(card)
    step["untried"] = cards


@kernel
def try_card(step: Any, after: Any, bounds: Whole, memory: Any) -> float:
    """Play the next card; returns what the responder wins with it, or OPEN, and `after` is the next
    step."""
    card = lowest(step["untried"])
    step["untried"] &= step["untried"] - ONE
    step["tried"] = card
    player, left, first, end = step["player"], step["own"], step["first"], step["end"]
    if player == OWN:
        left -= single(card)
    else:
        first, end = bounds[card], bounds[card + 1]
    following, mounted = 1 - player, step["mounted"]
    after["led"] = card
    if step["led"] != LEADS:
        chance, again, mounted = compare(card, step["led"], mounted)
        if chance != OPEN:
            return (chance if player == OWN else 1.0 - chance) * weight_of(first, end, memory)
        if again:
            following = player
        after["led"] = LEADS
        gain = finish(following, left, mounted, first, end, memory)
        if gain != OPEN:
            return gain
    after["player"], after["own"], after["mounted"] = following, left, mounted
    after["first"], after["end"], after["free"] = first, end, step["free"]
    return OPEN


@kernel
def finish(leader: int, own: Pile, mounted: int, first: int, end: int, memory: Any) -> float:
    """What the responder wins if both have at most two cards left; otherwise OPEN."""
    if own == NO_CARDS:
        return chance_after(first, end, state_after(mounted, leader == OWN), memory)
    left = own - single(lowest_card(own))
    if left == NO_CARDS:
        return last_turn(leader, lowest_card(own), mounted, first, end, memory)
    if left == single(lowest_card(left)):
        return last_two(leader, own, mounted, first, end, memory)
    return OPEN


@kernel
def last_turn(leader: int, card: int, mounted: int, first: int, end: int, memory: Any) -> float:
    """The same when both have one card left."""
    total = 0.0
    for at in range(first, end):
        one = memory.hands[at]
        facing = lowest_card(memory.numbered[one["hand"]]["pile"])
        total += one["weight"] * last_pair(
            leader == OWN, card, facing, mounted, memory.ends[one["begun"]]
        )
    return total


@kernel
def last_pair(leads: bool, card: int, facing: int, mounted: int, ends: Floats) -> float:
    """The responder's chance when its last card meets the other's."""
    if leads:
        chance, again, rides = compare(facing, card, mounted)
        return ends[state_after(rides, not again)] if chance == OPEN else 1.0 - chance
    chance, again, rides = compare(card, facing, mounted)
    return ends[state_after(rides, again)] if chance == OPEN else chance


@kernel
def last_two(leader: int, own: Pile, mounted: int, first: int, end: int, memory: Any) -> float:
    """The same when both have two cards left: after one choice the rest follows. This is where most
    of the time is spent, so it writes no lists."""
    sums, numbered = memory.sums, memory.numbered
    sums[:] = 0.0
    low = lowest_card(own)
    high = lowest_card(own - single(low))
    for choice in range(2):
        card, kept = (low, high) if choice == 0 else (high, low)
        mixes = memory.mixes[situation(card if leader == OWN else LEADS, mounted)]
        for at in range(first, end):
            one = memory.hands[at]
            mix, left = mixes[one["hand"]], numbered[one["hand"]]["left"]
            ends = memory.ends[one["begun"]]
            for option in range(2):
                facing = int(mix["card"][option])
                if facing == NOTHING:
                    break
                if leader == OWN:
                    chance, again, rides = compare(facing, card, mounted)
                    chance, again = OPEN if chance == OPEN else 1.0 - chance, not again
                else:
                    chance, again, rides = compare(card, facing, mounted)
                if chance == OPEN:
                    last = lowest_card(numbered[left[facing]]["pile"])
                    chance = last_pair(again, kept, last, rides, ends)
                # What the other led is seen before the choice; what it answers is not.
                known = 0 if leader == OWN else facing
                sums[known, choice] += one["weight"] * mix["share"][option] * chance
    total = 0.0
    for known in range(KINDS):
        total += max(sums[known, 0], sums[known, 1])
    return total


@kernel
def split(first: int, end: int, place: int, free: int, bounds: Whole, memory: Any) -> int:
    """Write the lists of hands after each card of the other, from `free` on; returns the end."""
    hands, mixes = memory.hands, memory.mixes[place]
    bounds[:] = 0
    for at in range(first, end):
        mix = mixes[hands[at]["hand"]]
        for option in range(HAND):
            card = int(mix["card"][option])
            if card == NOTHING:
                break
            bounds[card] += 1
    begin = free
    for card in range(KINDS + 1):
        count = bounds[card]
        bounds[card] = begin
        begin += count
    for at in range(first, end):
        one = hands[at]
        mix, numbered = mixes[one["hand"]], memory.numbered[one["hand"]]
        for option in range(HAND):
            card = int(mix["card"][option])
            if card == NOTHING:
                break
            after = hands[bounds[card]]
            after["hand"], after["begun"] = numbered["left"][card], one["begun"]
            after["weight"] = one["weight"] * mix["share"][option]
            bounds[card] += 1
    for card in range(KINDS, 0, -1):  # each now has the end of its list
        bounds[card] = bounds[card - 1]
    bounds[0] = free
    return begin


@kernel
def state_after(mounted: int, leads: bool) -> int:
    """Whether a knight is mounted, and whether the responder reveals first."""
    return 2 * mounted + int(leads)


@kernel
def weight_of(first: int, end: int, memory: Any) -> float:
    total = 0.0
    for at in range(first, end):
        total += memory.hands[at]["weight"]
    return total


@kernel
def chance_after(first: int, end: int, state: int, memory: Any) -> float:
    total = 0.0
    for at in range(first, end):
        one = memory.hands[at]
        total += one["weight"] * memory.ends[one["begun"], state]
    return total
