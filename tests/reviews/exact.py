"""Compares reviews with exact values, in endings where all deals can be listed.

`python -m tests.reviews.exact` makes the whole measurement. For each position it lists every deal
that agrees with what the seat knows, plays every choice on each of them by the policy, and looks
whether the review's 95 % intervals contain the result. In King's Tournament only the other player's
hand is listed. What the decks bring is drawn at random there, many times.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

import hastilude
from hastilude import bots
from hastilude.bots.analyse import NO_ACTION, rows_of
from hastilude.bots.hindsight import fit, look_back, new_hindsight
from hastilude.bots.knowledge import VICTORY, load_bots, worth
from hastilude.bots.search import play_on
from hastilude.core import rules
from hastilude.core.dealing import ALLOWED, CARDS, DEALT, SUITS
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import EVERYTHING, WORK
from hastilude.core.states import blank, copied
from hastilude.games.kings_tournament import rules as kings
from hastilude.games.tornei import rules as tornei
from hastilude.games.triatri import rules as triatri
from hastilude.reviews.judging import Decision, judge_decision
from hastilude.reviews.review import CHOOSING, MEASURING, seed_for
from hastilude.reviews.timeline import Made, timeline

MOST_DEALS = 12_000
ROLLOUTS = 20_000  # of what the decks bring
ROUNDING = 1e-4  # of the value and the margin of an estimate, together
PLAYERS = ("random", "reference", "page", "squire")
PER_MATCH = 4  # positions, so that they come from many matches


def is_tornei_ending(r) -> bool:
    """The last two tricks of a round: the chance to win is worked out from its points."""
    return r["trick"] >= tornei.TRICKS - 2


def is_triatri_ending(r) -> bool:
    """The last three cards of a match."""
    in_tricks = r["phase"] in (triatri.NAME, triatri.PLAY)
    return r["round"] == triatri.ROUNDS and r["trick"] >= triatri.TRICKS - 2 and in_tricks


def is_melee_ending(r) -> bool:
    """The other player holds at most two cards, and none of them is known for certain."""
    in_melee = r["phase"] in (kings.LEAD, kings.ANSWER)
    other = 1 - r["viewer"]
    return in_melee and r["held"][other] <= 2 and not r["kept"][other]


@dataclass(frozen=True)
class Kind:
    """A kind of ending, in a game with these options."""

    name: str
    game: str
    options: dict[str, int]
    is_ending: Callable[[Any], bool]  # of a redacted state
    positions: int


KINDS = (
    Kind("Tornei, 3 players", "tornei", {"players": 3}, is_tornei_ending, 120),
    Kind("Tornei, 4 players", "tornei", {"players": 4}, is_tornei_ending, 120),
    Kind("TriATri, 2 players", "triatri", {"players": 2}, is_triatri_ending, 150),
    Kind("King's Tournament", "kings_tournament", {"best_of": 1}, is_melee_ending, 80),
)


@dataclass(frozen=True)
class Compared:
    """A position: the review's decision, and the exact chance of each choice."""

    decision: Decision
    made: Made
    exact: tuple[float, ...]
    deals: int

    @property
    def _played(self) -> float:
        return self.exact[self.made.choices.index(self.made.actions)]

    @property
    def is_open(self) -> bool:
        """Whether anything is uncertain: otherwise it is easy to be right."""
        return 0 < self._played < 1

    @property
    def win_is_right(self) -> bool:
        return contains(self.decision.choice.win, self._played)

    @property
    def loss_is_right(self) -> bool:
        return contains(self.decision.choice.loss, max(self.exact) - self._played)


def contains(estimate, value: float) -> bool:
    return abs(estimate.value - value) <= estimate.margin + ROUNDING


# --- positions ------------------------------------------------------------------------------------


def compare_endings(kind: Kind, positions: int, seed: int) -> Iterator[Compared]:
    """Endings of this kind from matches between all kinds of bots."""
    found = 0
    for number in range(seed, seed + 1000 * positions):
        choose = random.Random(number)
        match = played(kind, number, choose)
        endings = [
            (seat, made)
            for seat in range(match.game.seats)
            for made in timeline(match, seat).decisions
            if kind.is_ending(made.redacted[0])
        ]
        choose.shuffle(endings)
        for seat, made in endings[:PER_MATCH]:
            exact = exact_chances(match.game, made, seat, number)
            if exact is None:
                continue
            seeds = (seed_for(number, made.step, purpose) for purpose in (CHOOSING, MEASURING))
            decision = judge_decision(match.game, seat, made, tuple(seeds))
            yield Compared(decision, made, *exact)
            found += 1
            if found == positions:
                return


def played(kind: Kind, seed: int, choose: random.Random):
    match = hastilude.load(kind.game, **kind.options).new(seed=seed)
    players = [
        bots.make(choose.choice(PLAYERS), match.game, seed + seat)
        for seat in range(match.game.seats)
    ]
    while not match.over:
        seat = match.pending[0]
        match.play(seat, players[seat].choose(match.redacted(seat), seat))
    return match


# --- exact values ---------------------------------------------------------------------------------


def exact_chances(game, made: Made, seat: int, seed: int):
    """The chance to win of each choice, and the number of deals; None if there are too many."""
    load_bots(game)
    found = list_deals(game, made.redacted, np.random.default_rng(seed))
    if found is None:
        return None
    orders, weights = found
    worlds = blank(game.state, len(orders))
    work = np.zeros(WORK, np.int8)
    lay_deals(made.redacted, orders, worlds, work)
    weigh(made.redacted, worlds, weights, new_hindsight(game.state), generator(0), work)
    wins = np.zeros((len(orders), len(made.choices)))
    play_choices(
        worlds, rows_of(made.choices), seat, wins, blank(game.state), generator(seed), work
    )
    return tuple((weights @ wins / weights.sum()).tolist()), len(orders)


def list_deals(game, redacted, rng):
    """The orders of the hidden cards, one row per deal, and the weight of each."""
    work = np.zeros(WORK, np.int8)
    size = count_hidden(copied(redacted), work)
    cards, suits = work[CARDS : CARDS + size].tolist(), work[SUITS : SUITS + size].tolist()
    allowed = work[ALLOWED : ALLOWED + size].tolist()
    if game.name == "kings_tournament":
        return list_hands(redacted[0], cards, suits, rng)
    orders = []
    groups = like_places(game, redacted, cards)
    for order in fill(groups, list(range(size)), suits, allowed):
        orders.append(order)
        if len(orders) > MOST_DEALS:
            return None
    deals = np.array(cards, np.int8)[np.array(orders, np.int64).reshape(len(orders), size)]
    return deals, np.ones(len(deals))


def like_places(game, redacted, cards):
    """The places in groups: within one, it does not matter which card is where."""
    groups: list[list[int]] = []
    for place in range(len(cards)):
        if groups and are_alike(game, redacted, cards, groups[-1][0], place):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def are_alike(game, redacted, cards, place: int, other: int) -> bool:
    """Whether two cards can change places and nothing changes. Equal cards show nothing; then the
    places count as different, which only makes every deal appear more often."""
    orders = np.array([cards, cards], np.int8)
    orders[1, [place, other]] = orders[0, [other, place]]
    worlds = blank(game.state, 2)
    lay_deals(redacted, orders, worlds, np.zeros(WORK, np.int8))
    return cards[place] != cards[other] and worlds[0].tobytes() == worlds[1].tobytes()


def fill(groups, left, suits, allowed):
    """Every way to put the cards that are left into the groups of places, as a list of cards."""
    if not groups:
        yield []
        return
    first, *others = groups
    possible = [card for card in left if allowed[first[0]] >> suits[card] & 1]
    for hand in combinations(possible, len(first)):
        rest = [card for card in left if card not in hand]
        for order in fill(others, rest, suits, allowed):
            yield [*hand, *order]


def list_hands(r, cards, suits, rng):
    """Every hand that the other player may have, each with as many random orders of the decks as
    its share of ROLLOUTS."""
    other = 1 - int(r["viewer"])
    theirs = [card for card, suit in zip(cards, suits, strict=True) if suit == other]
    own = [card for card, suit in zip(cards, suits, strict=True) if suit != other]
    hands = Counter(combinations(theirs, int(r["held"][other])))
    total = sum(hands.values())
    orders, weights = [], []
    for hand, ways in hands.items():
        rows = int(np.ceil(ROLLOUTS * ways / total))
        rest = Counter(theirs) - Counter(hand)
        decks = [
            rng.permuted(np.tile(deck, (rows, 1)), axis=1) for deck in (own, [*rest.elements()])
        ]
        if other == 0:
            decks.reverse()
        held = np.tile(hand, (rows, 1))
        orders.append(np.concatenate((held, *decks), axis=1).astype(np.int8))
        weights += [ways / total / rows] * rows
    return np.concatenate(orders), np.array(weights)


@kernel
def count_hidden(states, work):
    return rules.hidden_places(states[0], work)


@kernel
def lay_deals(redacted, orders, worlds, work):
    """Put the hidden cards of each order into a world."""
    for k in range(len(orders)):
        worlds[k] = redacted[0]
        rules.hidden_places(worlds[k], work)
        for place in range(orders.shape[1]):
            work[DEALT + place] = orders[k, place]
        rules.fill_hidden(worlds[k], work)
        worlds[k]["viewer"] = EVERYTHING


@kernel
def weigh(redacted, worlds, weights, hindsight, rng, work):
    """Multiply the weight of each world by how well it explains the others' choices."""
    look_back(redacted, hindsight)
    for k in range(len(worlds)):
        for seat in range(4):
            weights[k] *= fit(worlds[k], seat, 0.0, hindsight, rng, work)


@kernel
def play_choices(worlds, choices, seat, wins, played, rng, work):
    for k in range(len(worlds)):
        for choice in range(len(choices)):
            played[0] = worlds[k]
            for place in range(choices.shape[1]):
                if choices[choice, place] != NO_ACTION:
                    rules.apply(played[0], seat, choices[choice, place])
            play_on(played[0], rng, work)
            wins[k, choice] = worth(played[0], seat, VICTORY)


# --- the measurement ------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    found: list[Compared] = []
    for kind in KINDS:
        some = [*compare_endings(kind, kind.positions, wanted.seed)]
        print(summary(kind.name, some), flush=True)
        found += some
    print(summary("All", found))


def summary(name: str, compared: list[Compared]) -> str:
    """A row of a table: positions, the most deals of one, and the shares in which chance and loss
    are right; then the same for those in which anything is uncertain."""
    cells = [name, f"{max(one.deals for one in compared):,}"]
    for some in (compared, [one for one in compared if one.is_open]):
        wins = np.mean([one.win_is_right for one in some])
        losses = np.mean([one.loss_is_right for one in some])
        cells += [str(len(some)), f"{wins:.1%}", f"{losses:.1%}"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
