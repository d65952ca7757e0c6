"""Melee cards of the search: legal, secret, repeatable, in time, and good where that is known."""

import os
import random
import subprocess
import sys
from itertools import product
from time import thread_time

import numpy as np
import pytest

import hastilude
from hastilude import bots
from hastilude.bots.budget import Budget, processor_time
from hastilude.bots.knowledge import load_bots
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.kings_tournament import melee as solver
from hastilude.games.kings_tournament.blueprint import STORE, blueprint
from hastilude.games.kings_tournament.cards import KINDS, MARGIN, single
from hastilude.games.kings_tournament.duel import Duel, likelihood, without_rare_cards
from hastilude.games.kings_tournament.hands import HANDS, hand_number, numbered_hands
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.prospects import drawn_next, look_ahead
from tests.kings_tournament.tables import both_on_foot, melee, play
from tests.kings_tournament.test_mixing import Ending, both_orders, pairs, played, position

GAME = hastilude.load("kings_tournament")
load_bots(GAME)


def pile(text):
    return np.uint64(sum(int(single(CARD_TEXTS.index(card))) for card in text.split()))


def shares(match, seat, traversals=2000, seed=1):
    """How often each card is played."""
    found = Duel().shares(
        match.redacted(seat), seat, generator(seed), Budget(traversals, None, 0.0)
    )
    return {CARD_TEXTS[card]: share for card, share in enumerate(found) if share}


def melee_choices(matches=4):
    """Positions of melees in which a seat has a choice."""
    for seed in range(matches):
        match, choose = GAME.new(seed=seed), random.Random(seed)
        while not match.over and len(match.steps) < 80:
            seat = match.turn
            if match.view().phase in ("lead", "answer") and len(match.legal(seat)) > 1:
                yield match, seat
            match.play(seat, choose.choice(match.legal(seat)))


# --- what is certain ------------------------------------------------------------------------------


def test_a_defeating_answer_is_played():
    match = both_on_foot("9 3 4 5", "2 6 7 8")
    match.play(match.turn, "2")
    assert shares(match, match.turn)["9"] > 0.99


def test_an_answer_that_is_defeated_is_not_played():
    match = both_on_foot("3 3 6 8", "10 6 7 8")
    match.play(match.turn, "10")
    assert shares(match, match.turn).get("3", 0.0) < 0.01


def test_the_last_card_needs_no_time():
    match = melee("4 5 6 7 8", "4 5 6 7 8")
    play(match, "0:4 1:4 0:5 1:5 0:6 1:6 0:7 1:7")
    assert shares(match, 0, traversals=0) == {"8": 1.0}


def test_a_led_10_is_answered_by_a_double_strike():
    match = both_on_foot("D 5 6 7", "10 4 4 5")
    match.play(match.turn, "10")
    assert shares(match, match.turn)["D"] > 0.9


# --- a small hand, played out by hand -------------------------------------------------------------


def turns_of(leader_hand, other_hand, mounted):
    """The chance of the leader with two cards each and all cards open: both know everything."""

    def value(lead, other, mounted):
        if not lead:
            return 0.6 if mounted else 0.3
        return max(
            min(
                answered(card, answer, rest(lead, card), rest(other, answer), mounted)
                for answer in other
            )
            for card in lead
        )

    def answered(card, answer, lead, other, mounted):
        margin = MARGIN[answer, card]
        if margin <= -7:
            return 1.0
        if margin >= 7 and not mounted:
            return 0.0
        if margin >= 7 or (margin > 0 and not mounted):
            return 1.0 - value(other, lead, False)
        return value(lead, other, mounted)

    return value(leader_hand, other_hand, mounted)


def rest(hand, card):
    left = list(hand)
    left.remove(card)
    return tuple(left)


@pytest.mark.parametrize("mounted", [0, 1])
def test_two_known_hands_are_worth_what_perfect_play_gets(mounted):
    choose = random.Random(mounted)
    for _ in range(30):
        hands = [tuple(choose.randrange(KINDS) for _ in range(2)) for _ in range(2)]
        memory = solver.new_memory(200, blueprint().shares, averaged=False)
        deal = memory.deal[0]
        deal["hand"][:] = [sum(int(single(card)) for card in hand) for hand in hands]
        deal["leader"], deal["led"], deal["mounted"] = 0, solver.LEADS, mounted
        deal["prospects"][:] = [[0.3, 0.3], [0.6, 0.6]]
        rng = generator(1)
        for done in range(3000):
            solver.explore(done % 2, 0.0, memory, rng)
        chances = [solver.explore(0, 0.0, memory, rng) for _ in range(50)]
        assert np.mean(chances) == pytest.approx(turns_of(*hands, bool(mounted)), abs=0.03)


def test_hands_have_different_numbers():
    hands = {
        tuple(sorted(hand)) for size in range(1, 6) for hand in product(range(KINDS), repeat=size)
    }
    numbers = {
        int(hand_number(np.uint64(sum(int(single(card)) for card in hand)))) for hand in hands
    }
    assert numbers == set(range(HANDS))


def test_the_cards_of_a_numbered_hand_and_what_is_left_after_each():
    hand = numbered_hands()[hand_number(pile("1 3 3 B"))]
    cards = [CARD_TEXTS[card] for card in hand["card"][: hand["cards"]]]
    assert cards == ["1", "3", "B"]
    left = [hand["left"][CARD_TEXTS.index(card)] for card in cards]
    assert left == [hand_number(pile(rest)) for rest in ("3 3 B", "1 3 B", "1 3 3")]
    assert hand_number(pile("B")) == CARD_TEXTS.index("B")


def test_a_short_deck_is_drawn_and_then_the_others():
    total, deck = pile("1 1 1 2 2 2 " + " ".join(["3"] * 27)), pile("1 1 1")
    assert drawn_next(deck, 3, total, 0) == 3
    assert drawn_next(deck, 3, total, 1) == pytest.approx(2 * 3 / 30)
    assert drawn_next(total, 33, total, 0) == pytest.approx(5 * 3 / 33)


def test_the_blueprint_comes_with_the_package_and_knows_every_hand():
    assert STORE.stat().st_size < 300_000
    known = blueprint().shares
    hand = hand_number(pile("1 3 6 10 B"))
    for situation in range(solver.SITUATIONS):
        cards = np.flatnonzero(known[situation, hand])
        assert len(cards)
        assert {CARD_TEXTS[card] for card in cards} <= {"1", "3", "6", "10", "B"}
    defeats = known[solver.situation(CARD_TEXTS.index("1"), 0), hand]
    assert CARD_TEXTS[defeats.argmax()] == "10"
    assert np.count_nonzero(defeats) == 1


# --- two cards each, solved exactly ---------------------------------------------------------------


@kernel
def find_prospects(r, hands, deal, prices):
    deal[0]["hand"][:] = hands
    look_ahead(r[0], deal[0], prices)


@kernel
def likelihood_of(r, player, hand, known):
    return likelihood(r[0], player, hand, known)


class DuelEnding(Ending):
    """With the hands and the prospects that a duel believes in."""

    def __init__(self, redacted, leader):
        r, known, deal = redacted[0], blueprint(), np.zeros(1, solver.DEAL)
        self.own, self.other = (weighted_pairs(redacted, seat) for seat in (leader, 1 - leader))
        self.chances = {}  # of the leader
        for own, other in product(self.own, self.other):
            hands = np.array([two(own), two(other)])[:: 1 if leader == 0 else -1]
            find_prospects(redacted, hands, deal, known.prices)
            mounted, on_foot = deal["prospects"][0, 1], deal["prospects"][0, 0]
            prospects = {(0, 0): on_foot[0], (0, 1): 1 - on_foot[1]}
            prospects |= {(1, 0): mounted[0], (2, 1): 1 - mounted[1]}
            for led, answer in product(both_orders(own), both_orders(other)):
                cards = (led, answer) if leader == 0 else (answer, led)
                chance = played(leader, bool(r["mounted"]), cards, prospects)
                self.chances[led, answer] = chance if leader == 0 else 1 - chance
        self.leads = sorted({led for led, _ in self.chances})


def two(pair):
    return single(pair[0]) + single(pair[1])


def weighted_pairs(redacted, seat):
    """The two cards that a seat may hold, with their chances if the blueprint was playing."""
    found = {
        pair: chance * likelihood_of(redacted, seat, two(pair), blueprint().shares)
        for pair, chance in pairs(redacted[0], seat).items()
    }
    return {pair: chance / sum(found.values()) for pair, chance in found.items()}


def lost_by_leads(mounted, seed, traversals):
    """How much the leads of a duel, and leads at random, lose against the best answers."""
    redacted, leader = position(mounted, seed)
    ending = DuelEnding(redacted, leader)
    mix = dict.fromkeys(ending.leads, 0.0)
    duel = Duel()
    for own in ending.own:
        redacted["hand"][0, leader] = two(own)
        shares = duel.shares(redacted, leader, generator(1), Budget(traversals, None, 0.0))
        for card, other in both_orders(own):
            mix[card, other] = without_rare_cards(shares)[card]
    even = {led: 1.0 if led[0] == led[1] else 0.5 for led in ending.leads}
    value = ending.value()
    return value - ending.guaranteed(mix), value - ending.guaranteed(even)


@pytest.mark.parametrize(("mounted", "seed"), [(True, 0), (False, 200)])
def test_leads_with_two_cards_lose_at_most_a_point_against_the_best_answers(mounted, seed):
    lost, lost_at_random = lost_by_leads(mounted, seed, traversals=2500)
    assert -1e-6 < lost < min(0.01, lost_at_random)


# --- legal, repeatable, secret, in time -----------------------------------------------------------


def test_every_choice_is_legal_in_every_phase():
    for name in ("search:300", "search:6ms"):
        for joust in ("committed", "stepwise"):
            game = hastilude.load("kings_tournament", joust=joust, best_of=1)
            players = [bots.make(name, game, seed=seat) for seat in range(2)]
            match = game.new(seed=2)
            while not match.over:
                seat = match.turn
                action = players[seat].choose(match.redacted(seat), seat)
                assert action in match.legal(seat)
                match.play(seat, action)


def test_the_same_seed_and_number_of_simulations_give_the_same_cards():
    for match, seat in melee_choices():
        assert shares(match, seat, 100) == shares(match, seat, 100)


def test_a_bot_with_a_past_chooses_like_a_new_one():
    used = Duel()
    for match, seat in melee_choices(matches=2):
        found = used.shares(match.redacted(seat), seat, generator(1), Budget(50, None, 0.0))
        new = shares(match, seat, 50)
        assert {CARD_TEXTS[card]: share for card, share in enumerate(found) if share} == new


def test_cards_that_are_hidden_do_not_change_how_often_a_card_is_played():
    for match, seat in melee_choices():
        world = match.redacted(seat)
        determinize_at(world, 0, generator(9), np.zeros(WORK, np.int8))
        again = np.zeros(1, match.game.state)
        redact_at(world, 0, seat, again, 0)
        first, second = (
            Duel().shares(known, seat, generator(1), Budget(60, None, 0.0))
            for known in (match.redacted(seat), again)
        )
        assert first.tolist() == second.tolist()


def test_a_budget_in_milliseconds_is_kept():
    """In time of this thread: a busy machine is late for other reasons."""
    bot = bots.make("search:30ms", GAME, seed=1)
    taken = []
    with processor_time():
        for match, seat in melee_choices():
            begun = thread_time()
            bot.choose(match.redacted(seat), seat)
            taken.append(thread_time() - begun)
    assert np.quantile(taken, 0.95) < 0.030 * 1.1 + 0.002
    assert np.median(taken) > 0.025


def test_levels_with_few_simulations_search():
    """So that they stay as strong as they were."""
    match, seat = next(melee_choices())
    bot = bots.make("squire", match.game, seed=1)
    bot.choose(match.redacted(seat), seat)
    assert bot.expectation > 0


def compared_positions():
    """Shares after few traversals."""
    return "\n".join(
        str(sorted((card, round(share, 6)) for card, share in shares(match, seat, 8).items()))
        for match, seat in melee_choices(matches=1)
    )


def test_the_same_traversals_give_the_same_shares_interpreted():
    code = "from tests.kings_tournament.test_duel import *; print(compared_positions())"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout.strip() == compared_positions()
