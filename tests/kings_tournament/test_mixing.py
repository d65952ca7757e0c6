"""How cards are mixed: compared with exact solutions, and blind to what is hidden."""

import os
import random
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_array

import hastilude
from hastilude.bots.knowledge import load_advice
from hastilude.core.random import generator
from hastilude.games.kings_tournament import mixing
from hastilude.games.kings_tournament.cards import MARGIN, copies, single
from hastilude.games.kings_tournament.mixing import ROLLOUTS, card_shares, without_rare
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from tests.kings_tournament.tables import both_on_foot, melee, play, table

load_advice(hastilude.load("kings_tournament"))


def shares(match, seat):
    """How often each choice is made, in words: cards joined by spaces."""
    found = card_shares(match.redacted(seat), seat)
    return {" ".join(CARD_TEXTS[card] for card in cards): share for cards, share in found.items()}


# --- what is certain ------------------------------------------------------------------------------


def test_a_defeating_answer_is_the_only_choice():
    match = both_on_foot("9 3 4 5", "2 6 7 8")
    match.play(match.turn, "2")
    assert shares(match, match.turn) == {"9": 1.0}


def test_an_answer_that_is_defeated_is_never_chosen():
    match = both_on_foot("3 3 6 8", "10 6 7 8")
    match.play(match.turn, "10")
    assert "3" not in shares(match, match.turn)


def test_the_last_card_is_the_only_choice():
    match = melee("4 5 6 7 8", "4 5 6 7 8")
    play(match, "0:4 1:4 0:5 1:5 0:6 1:6 0:7 1:7")
    assert shares(match, 0) == {"8": 1.0}


def test_a_double_strike_is_never_discarded():
    match = table("1 3 6 9 D", "1 1 1 4 4", joust="stepwise")
    assert not any("D" in choice.split() for choice in shares(match, 0))


def test_shares_add_up_and_are_choices_that_can_be_made():
    match = hastilude.load("kings_tournament", joust="stepwise").new(seed=4)
    choose = random.Random(4)
    phases = set()
    while not match.over and len(match.steps) < 60:
        for seat in match.pending:
            mixed = card_shares(match.redacted(seat), seat)
            assert sum(mixed.values()) == pytest.approx(1)
            phases.add(match.view(seat).phase)
            for choice in mixed:
                rehearsal = match.rehearse(seat)
                for card in choice:
                    rehearsal.play(card)
                assert rehearsal.whole
        seat = choose.choice(match.pending)
        match.play(seat, choose.choice(match.legal(seat)))
    assert phases == {"discard", "beat", "lead", "answer"}


def test_the_first_discard_does_not_change_how_often_both_are_chosen():
    match = table("1 3 6 10 B", "1 4 6 7 10", joust="stepwise")
    before = shares(match, 0)
    first, second = max(before, key=before.get).split()
    match.play(0, first)
    assert second in shares(match, 0)


def test_without_rare_the_likeliest_always_stay():
    assert without_rare({(1,): 0.1, (2,): 0.9}, 0.15) == {(2,): 1.0}
    assert without_rare({(1,): 6.0, (2,): 4.0}, 0.15) == {(1,): 0.6, (2,): 0.4}
    assert without_rare({(card,): 0.1 for card in range(10)}, 0.15) == {
        (card,): pytest.approx(0.1) for card in range(10)
    }
    assert without_rare({}, 0.15) == {}


# --- two cards each, solved exactly ---------------------------------------------------------------


def position(mounted, first_seed):
    """What the leader knows in a position with two cards each and no reshuffle in the draw."""
    for seed in range(first_seed, first_seed + 500):
        match = hastilude.load("kings_tournament").new(seed=seed)
        choose = random.Random(seed)
        while not match.over and len(match.steps) < 60:
            seat = match.turn
            redacted = match.redacted(seat)
            r = redacted[0]
            if (
                match.view().phase == "lead"
                and (r["held"] == 2).all()
                and (r["kept"] == 0).all()
                and bool(r["mounted"]) == mounted
            ):
                return redacted, seat
            match.play(seat, choose.choice(match.legal(seat)))
    raise AssertionError("no such position was found")


def pairs(r, seat):
    """The two cards that a seat may hold, with their chances."""
    unseen = r["total"] - r["seen"][seat]
    cards = [card for card in range(12) for _ in range(copies(unseen, card))]
    found = {}
    for pair in combinations(cards, 2):
        found[pair] = found.get(pair, 0) + 1
    return {pair: number / sum(found.values()) for pair, number in found.items()}


def both_orders(pair):
    return {pair, pair[::-1]}


def played(leader, mounted, cards, prospects):
    """The chance of seat 0 if the seats play these cards in this order (K11, K12)."""
    for turn in range(2):
        margin = MARGIN[cards[1 - leader][turn], cards[leader][turn]]
        if margin <= -7 or (margin >= 7 and not mounted):
            return float((leader if margin < 0 else 1 - leader) == 0)
        if margin >= 7:
            mounted, leader = False, 1 - leader
        elif margin > 0 and not mounted:
            leader = 1 - leader
    return prospects[1 << leader if mounted else 0, leader]


class Ending:
    """A melee with two cards each: after the first turn nobody has a choice."""

    def __init__(self, redacted, leader):
        r = redacted[0]
        self.own, self.other = pairs(r, leader), pairs(r, 1 - leader)
        memory = mixing.new_memory()
        mixing.learn(redacted, leader, 0, ROLLOUTS, memory, np.zeros((12, 12)), generator(0))
        self.chances = {}  # of the leader
        for own in self.own:
            for led in both_orders(own):
                for other in self.other:
                    for answer in both_orders(other):
                        cards = (led, answer) if leader == 0 else (answer, led)
                        chance = played(leader, bool(r["mounted"]), cards, memory.prospects)
                        self.chances[led, answer] = chance if leader == 0 else 1 - chance
        self.leads = sorted({led for led, _ in self.chances})

    def guaranteed(self, mix):
        """The chance of the leader against the best answers, if each hand leads like this."""
        total = 0.0
        for card in range(12):
            leads = [led for led in self.leads if led[0] == card]
            for other, chance in self.other.items():
                total += chance * min(
                    sum(
                        self.own[tuple(sorted(led))] * mix[led] * self.chances[led, answer]
                        for led in leads
                    )
                    for answer in both_orders(other)
                )
        return total

    def value(self):
        """The most that can be guaranteed, by linear programming."""
        place = {led: k for k, led in enumerate(self.leads)}
        bounds = {
            (card, other): len(place) + k
            for k, (card, other) in enumerate(
                (card, other) for card in {led[0] for led in self.leads} for other in self.other
            )
        }
        rows = [(card, other, answer) for card, other in bounds for answer in both_orders(other)]
        size = len(place) + len(bounds)
        below = lil_array((len(rows), size))
        for row, (card, other, answer) in enumerate(rows):
            below[row, bounds[card, other]] = 1
            for led in self.leads:
                if led[0] == card:
                    chance = self.own[tuple(sorted(led))]
                    below[row, place[led]] = -chance * self.chances[led, answer]
        whole = lil_array((len(self.own), size))
        for row, own in enumerate(self.own):
            for led in both_orders(own):
                whole[row, place[led]] = 1
        cost = np.zeros(size)
        for (_, other), column in bounds.items():
            cost[column] = -self.other[other]
        found = linprog(
            cost, below.tocsr(), np.zeros(len(rows)), whole.tocsr(), np.ones(len(self.own)),
            bounds=[(0, None)] * len(place) + [(None, None)] * len(bounds),
        )  # fmt: skip
        return -found.fun


@pytest.mark.parametrize(("mounted", "seed"), [(True, 0), (True, 100), (False, 200), (False, 300)])
def test_leads_with_two_cards_lose_at_most_a_point_against_the_best_answers(mounted, seed):
    redacted, leader = position(mounted, seed)
    ending = Ending(redacted, leader)
    mix = dict.fromkeys(ending.leads, 0.0)
    even = {led: 1.0 if led[0] == led[1] else 0.5 for led in ending.leads}
    for own in ending.own:
        redacted["hand"][0, leader] = single(own[0]) + single(own[1])
        for (card,), share in card_shares(redacted, leader).items():
            mix[card, own[1] if card == own[0] else own[0]] = share
    lost = ending.value() - ending.guaranteed(mix)
    assert -1e-6 < lost < 0.01
    assert lost < ending.value() - ending.guaranteed(even)


# --- the same everywhere, and secret --------------------------------------------------------------


def test_a_lead_does_not_depend_on_the_other_hand():
    first, second = melee("9 3 4 5 6", "2 8 7 6 5"), melee("9 3 4 5 6", "10 D B 4 3")
    assert shares(first, 0) == shares(second, 0)


def test_an_answer_does_not_depend_on_the_other_hand():
    first, second = melee("9 3 4 5 6", "2 8 7 6 5"), melee("9 10 D B 7", "2 8 7 6 5")
    for match in (first, second):
        match.play(0, "9")
    assert shares(first, 1) == shares(second, 1)


def test_discards_do_not_depend_on_the_other_hand_or_choice():
    first, second, third = (
        table("1 3 6 10 B", other, joust="stepwise")
        for other in ("1 4 6 7 10", "1 4 6 7 10", "D D B 9 9")
    )
    play(second, "1:10 1:7")
    play(third, "1:B 1:9")
    assert shares(first, 0) == shares(second, 0) == shares(third, 0)


def compared_positions():
    """Shares after few traversals, in positions of every phase."""
    found = []
    for joust in ("committed", "stepwise"):
        match = hastilude.load("kings_tournament", joust=joust).new(seed=2)
        choose = random.Random(2)
        while not match.over and len(match.steps) < 16:
            seat = match.turn
            if match.view().phase != "joust":
                sums = np.zeros((12, 12))
                redacted, memory = match.redacted(seat), mixing.new_memory()
                mixing.learn(redacted, seat, 12, 2, memory, sums, generator(1))
                found.append(sums.round(6).tobytes().hex())
            match.play(seat, choose.choice(match.legal(seat)))
    return "\n".join(found)


def test_the_same_traversals_give_the_same_shares_interpreted():
    code = "from tests.kings_tournament.test_mixing import *; print(compared_positions())"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout.strip() == compared_positions()
