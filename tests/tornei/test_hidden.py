"""What a seat cannot know, dealt at random: against enumeration of every deal that fits."""

import random
from collections import Counter
from itertools import islice, permutations

import numpy as np
import pytest
from scipy.stats import chisquare

import hastilude
from hastilude.core.bits import numbers
from hastilude.core.calls import determinize_at
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.tornei.notation import CARD_TEXTS
from hastilude.testing import true_fields

SAMPLES_A_WORLD = 30


def position(players, seed, tricks, plays_in_trick):
    """A match of random play, so many plays into the trick after `tricks` finished ones."""
    match = hastilude.load("tornei", players=players).new(seed=seed)
    choose = random.Random(seed)
    while match.view().trick <= tricks:
        match.play(match.turn, choose.choice(match.legal(match.turn)))
    for _ in range(plays_in_trick):
        match.play(match.turn, choose.choice(match.legal(match.turn)))
    return match


def world(fields, viewer):
    """Where every card hidden from the viewer lies: hands, face-down predictions, the pile."""
    others = [seat for seat in range(fields.players) if seat != viewer]
    hands = tuple(tuple(numbers(fields.hand[seat])) for seat in others)
    down = tuple(fields.prediction[min(fields.trick, 6)][seat] for seat in others)
    pile = tuple(fields.pile[fields.trick :]) if fields.players == 3 else ()
    return hands, down, pile


def worlds(match, viewer):
    """Every world in which the very same plays would have been legal, by trying them all; and
    every world, legal or not."""
    truth = true_fields(match)
    hands, down, pile = world(truth, viewer)
    places = [card for hand in hands for card in hand]
    places += [card for card in down if card >= 0] + list(pile)
    events = match.record().events
    fitting, everything = set(), set()
    for order in permutations(places):
        exchange = {CARD_TEXTS[a]: CARD_TEXTS[b] for a, b in zip(places, order, strict=True)}
        everything.add(split(order, [len(hand) for hand in hands]))
        try:
            again = hastilude.replay(renamed(match, events, exchange))
        except hastilude.RecordError:
            continue
        fitting.add(world(true_fields(again), viewer))
    return fitting, everything


def split(order, sizes):
    """The same world whatever the order of the cards in a hand."""
    parts = []
    for size in sizes:
        parts.append(frozenset(order[:size]))
        order = order[size:]
    return *parts, order


def renamed(match, events, exchange):
    """The record with some cards exchanged for others."""
    (kind, values), *plays = events
    swapped = {
        name: [
            [exchange.get(card, card) for card in part]
            if isinstance(part, list)
            else exchange.get(part, part)
            for part in parts
        ]
        for name, parts in values.items()
    }
    record = match.record()
    record.events = [[kind, swapped]]
    record.events += [["play", seat, exchange.get(card, card)] for _, seat, card in plays]
    return record


def sampled(match, viewer, size):
    redacted = match.redacted(viewer)
    rng, work = generator(20261115), np.zeros(WORK, np.int8)
    for _ in range(size):
        sample = redacted.copy()
        determinize_at(sample, 0, rng, work)
        yield world(match.game.read(sample), viewer)


@pytest.mark.parametrize(
    ("players", "plays"),
    [
        pytest.param(3, 0, id="three players, before the last lead, a card in the pile"),
        pytest.param(3, 4, id="three players, predictions face down"),
        pytest.param(4, 0, id="four players, before the last lead"),
        pytest.param(4, 5, id="four players, predictions face down"),
        pytest.param(4, 6, id="four players, one has played over a face-down prediction"),
    ],
)
def test_determinize_is_uniform_over_the_worlds_that_fit(players, plays):
    for match, fitting in islice(binding_positions(players, plays), 3):
        found = Counter(sampled(match, match.turn, SAMPLES_A_WORLD * len(fitting)))
        assert set(found) <= fitting
        assert chisquare([found[one] for one in sorted(fitting)]).pvalue > 1e-4


def binding_positions(players, plays):
    """Positions in the last trick of the round in which voids exclude some of the worlds."""
    for seed in range(1000):
        match = position(players, seed, 6, plays)
        fitting, everything = worlds(match, match.turn)
        if 2 < len(fitting) < len(everything):
            yield match, fitting
