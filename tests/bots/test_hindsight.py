"""What the others' play tells: nothing that is known is forgotten, and what is likely is found."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import hastilude
from hastilude import bots
from hastilude.bots.hindsight import (
    CHOICES,
    DEAL,
    DOUBT,
    fit,
    imagine,
    look_back,
    new_hindsight,
)
from hastilude.bots.knowledge import load_bots
from hastilude.core.bits import numbers
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.tornei.hidden import void_suits
from hastilude.games.tornei.rules import suit_of
from hastilude.testing import played
from tests.variants import every_variant, subject

PLAYERS = pytest.mark.parametrize("players", [3, 4])


@kernel
def fit_at(worlds, seat, hindsight, rng, work):
    return fit(worlds[0], seat, 0.0, hindsight, rng, work)


def work():
    return np.zeros(WORK, np.int8)


def looking_back(match, seat):
    load_bots(match.game)
    hindsight = new_hindsight(match.game.state)
    look_back(match.redacted(seat), hindsight)
    return hindsight


def reference_positions(players, seed=5):
    """Every position of a match of Tornei in which all play the reference."""
    match = hastilude.load("tornei", players=players).new(seed=seed)
    seated = [bots.make("reference", match.game, seat) for seat in range(players)]
    while not match.over:
        yield match
        seat = match.turn
        match.play(seat, seated[seat].choose(match.redacted(seat), seat))


@every_variant
def test_what_is_known_stays_as_it_is(name, options):
    """However the hidden cards are exchanged, the seat sees the same."""
    for match, choose in played(subject(name, options, matches=1), most=150):
        if match.over:
            continue
        seat = choose.choice(match.pending)
        known, seen = match.redacted(seat), np.zeros(1, match.game.state)
        hindsight = looking_back(match, seat)
        for _ in range(3):
            imagine(known, seat, hindsight, generator(1), work())
            redact_at(hindsight.worlds, DEAL, seat, seen, 0)
            assert seen.tobytes() == known.tobytes()


@PLAYERS
def test_T4_no_card_is_lost_or_doubled(players):
    for match in reference_positions(players):
        hindsight = looking_back(match, match.turn)
        imagine(match.redacted(match.turn), match.turn, hindsight, generator(1), work())
        assert sorted(all_cards(hindsight.worlds[DEAL])) == list(range(56))


def all_cards(world):
    hands = [card for hand in world["hand"] for card in numbers(hand)]
    shown = [*world["joust"].flat, *world["prediction"].flat, *world["pile"]]
    return hands + [int(card) for card in shown if card >= 0]


@PLAYERS
def test_the_true_cards_explain_everything_that_the_reference_did(players):
    for match in reference_positions(players):
        hindsight, truth = looking_back(match, match.turn), true_state(match)
        for other in set(range(players)) - {match.turn}:
            assert fit_at(truth, other, hindsight, generator(1), work()) == 1
    assert hindsight.counts[CHOICES] > 0


def true_state(match):
    """What all seats know together."""
    truth = match.redacted(0)
    for seat in range(1, match.game.seats):
        known = match.redacted(seat)
        truth["hand"][0, seat] = known["hand"][0, seat]
        laid = known["prediction"][0, :, seat]
        truth["prediction"][0, :, seat] = laid
    return truth


@PLAYERS
def test_more_cards_are_guessed_right_than_by_chance(players):
    guessed, by_chance = 0, 0
    for match in reference_positions(players):
        seat, truth = match.turn, true_state(match)
        known, hindsight = match.redacted(seat), looking_back(match, match.turn)
        for seed in range(5):
            imagine(known, seat, hindsight, generator(seed), work())
            guessed += hits(hindsight.worlds[DEAL], truth[0], seat)
            dealt = known.copy()
            determinize_at(dealt, 0, generator(seed), work())
            by_chance += hits(dealt[0], truth[0], seat)
    assert guessed > 1.1 * by_chance


def hits(world, truth, seat):
    others = [other for other in range(3) if other != seat]
    return sum(int(world["hand"][o] & truth["hand"][o]).bit_count() for o in others)


def test_deals_come_as_often_as_they_are_likely():
    """Before the last lead each of the others holds two cards: 90 deals, which can be counted."""
    match = next(m for m in reference_positions(4) if set(m.view().hand_sizes) == {2})
    seat, rng = match.turn, generator(1)
    others = [other for other in range(4) if other != seat]
    known, hindsight = match.redacted(seat), looking_back(match, seat)
    cards = [card for other in others for card in numbers(true_state(match)["hand"][0, other])]
    assert len(cards) == 6
    likely = {}
    for a, b, c, d, e, f in permutations(cards):
        if a < b and c < d and e < f:
            hands = (1 << a | 1 << b, 1 << c | 1 << d, 1 << e | 1 << f)
            likely[hands] = likelihood(known, others, hands, hindsight)
    seen = Counter()
    for _ in range(20_000):
        imagine(known, seat, hindsight, rng, work())
        seen[tuple(int(hindsight.worlds[DEAL]["hand"][other]) for other in others)] += 1
    total = sum(likely.values())
    distance = sum(abs(seen[hands] / 20_000 - likely[hands] / total) for hands in likely) / 2
    assert set(seen) <= set(likely)
    assert len({round(value, 12) for value in likely.values()}) > 1  # else nothing is tested
    assert distance < 0.05


def likelihood(known, others, hands, hindsight):
    """Of what the others did with these hands; 0 where they cannot have held them."""
    world = known.copy()
    found = 1.0
    for other, hand in zip(others, hands, strict=True):
        world["hand"][0, other] = hand
        if voids_at(world, other) & suits(hand):
            return 0.0
        found *= fit_at(world, other, hindsight, generator(1), work())
    return found


@kernel
def voids_at(worlds, seat):
    return void_suits(worlds[0], seat, int(worlds[0]["trick"]))


def suits(hand):
    return sum({1 << suit_of(card) for card in numbers(np.uint64(hand))})


def test_a_choice_that_the_reference_would_not_make_is_only_less_likely():
    """One other card led, and the true deal is DOUBT times as likely."""
    match = next(iter(reference_positions(4)))
    leader = match.turn
    wanted = bots.make("reference", match.game, 1).choose(match.redacted(leader), leader)
    match.play(leader, next(card for card in match.legal(leader) if card != wanted))
    hindsight = looking_back(match, match.pending[-1])
    assert hindsight.counts[CHOICES] == 1
    assert fit_at(true_state(match), leader, hindsight, generator(1), work()) == DOUBT


def test_a_blind_search_deals_whatever_was_played():
    """Before anything was played there is nothing to notice; later the two differ."""
    matches = reference_positions(4)
    first = next(matches)
    assert visits(first, "search:300") == visits(first, "search:300:blind")
    later = next(match for match in matches if len(match.steps) == 40)
    assert visits(later, "search:300") != visits(later, "search:300:blind")


def visits(match, name):
    return bots.make(name, match.game, 1).think(match.redacted(match.turn), match.turn).tolist()
