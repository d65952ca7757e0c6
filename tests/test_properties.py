"""Properties of every game on matches that hypothesis chooses."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

import hastilude
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.random import generator
from hastilude.core.record import Record
from hastilude.core.rules import SPECTATOR, WORK
from hastilude.testing import true_fields
from tests.variants import VARIANTS, about

seeds = st.integers(0, 2**64 - 1)


@st.composite
def positions(draw):
    """A match of any variant, some plays old."""
    name, options = draw(st.sampled_from(VARIANTS))
    match = hastilude.load(name, **options).new(seed=draw(seeds))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=120)):
        if match.over:
            break
        seat = match.pending[choice % len(match.pending)]
        legal = match.legal(seat)
        match.play(seat, legal[choice // 7 % len(legal)])
    return match


@given(positions())
def test_cards_are_conserved(match):
    census = about(match.game.name).census
    assert census(true_fields(match)) == census(true_fields(match.game.new(seed=0)))


@given(positions())
def test_legal_is_empty_exactly_when_a_seat_is_not_pending(match):
    for seat in range(match.game.seats):
        assert bool(match.legal(seat)) == (seat in match.pending)


@given(positions(), st.data())
def test_why_agrees_with_legal(match, data):
    seat = data.draw(st.integers(0, match.game.seats - 1))
    action = data.draw(st.integers(0, match.game.num_actions - 1))
    assert (match.why(seat, action) is None) == (action in match.legal(seat))


@given(positions())
def test_records_replay_to_equal_bytes(match):
    again = hastilude.replay(Record.from_json(match.record().to_json()))
    assert again.state == match.state
    assert again.record().to_json() == match.record().to_json()


@given(positions(), st.data())
def test_earlier_copies_never_change(match, data):
    seat = data.draw(st.sampled_from([*range(match.game.seats), None]))
    taken = (match.redacted(seat), match.view(seat), match.record(), match.events(seat))
    before = repr(taken)
    while not match.over and len(match.steps) < 200:
        match.play(match.turn, match.legal(match.turn)[-1])
    assert repr(taken) == before


@given(positions(), seeds, st.data())
def test_every_sample_of_the_hidden_cards_looks_the_same(match, seed, data):
    seat = data.draw(st.sampled_from([*range(match.game.seats), SPECTATOR]))
    redacted = match.redacted(None if seat == SPECTATOR else seat)
    sample, again = redacted.copy(), np.zeros(1, match.game.state)
    determinize_at(sample, 0, generator(seed), np.zeros(WORK, np.int8))
    redact_at(sample, 0, seat, again, 0)
    assert again.tobytes() == redacted.tobytes()
    census = about(match.game.name).census
    assert census(match.game.read(sample)) == census(true_fields(match))


@settings(max_examples=30)
@given(st.sampled_from(VARIANTS), seeds)
def test_the_same_seed_gives_the_same_match(variant, seed):
    name, options = variant
    game = hastilude.load(name, **options)
    assert game.new(seed=seed).state == game.new(seed=seed).state
