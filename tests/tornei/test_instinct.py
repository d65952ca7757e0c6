"""Tornei's instinct: legal, blind to what is hidden, better than the reference, small."""

import numpy as np
import pytest

import hastilude
from hastilude import bots
from hastilude.bots.knowledge import MATCH, SCORE, load_mind, promises
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.tornei import instinct, practice
from hastilude.testing import played
from tests.variants import subject

PLAYERS = pytest.mark.parametrize("players", [3, 4])


@kernel
def promises_at(states, seat, aim, mind, worths, work):
    return promises(states[0], seat, aim, mind, worths, work)


def promised(known, match, seat, aim):
    worths = np.zeros(match.game.num_actions)
    mind = load_mind(match.game)
    grain = promises_at(known, seat, aim, mind, worths, np.zeros(WORK, np.int8))
    return grain, [worths[action] for action in match.legal(seat)]


def positions(players):
    for match, _ in played(subject("tornei", {"players": players}, matches=2), most=400):
        for seat in match.pending:
            yield match, seat


@PLAYERS
def test_it_plays_legal_cards(players):
    bot = bots.make("heuristic", hastilude.load("tornei", players=players), 1)
    for match, seat in positions(players):
        assert bot.choose(match.redacted(seat), seat) in match.legal(seat)


@PLAYERS
@pytest.mark.parametrize("aim", [MATCH, SCORE])
def test_what_is_hidden_changes_no_promise(players, aim):
    for match, seat in positions(players):
        known = match.redacted(seat)
        other = match.redacted(seat)
        determinize_at(other, 0, generator(9), np.zeros(WORK, np.int8))
        assert promised(other, match, seat, aim) == promised(known, match, seat, aim)
        again = np.zeros(1, match.game.state)
        redact_at(other, 0, seat, again, 0)
        assert promised(again, match, seat, aim) == promised(known, match, seat, aim)


@PLAYERS
def test_promises_are_shares_of_what_can_be_won(players):
    for match, seat in positions(players):
        for aim in (MATCH, SCORE):
            grain, worths = promised(match.redacted(seat), match, seat, aim)
            assert grain > 0
            assert all(0 <= worth <= 1 for worth in worths)


@PLAYERS
def test_it_beats_the_reference_by_more_than_a_point_per_round(players):
    leads = practice.compare(players, instinct.stored(players), 4000)
    assert leads.mean() - 3 * leads.std() / len(leads) ** 0.5 > 1.0


@PLAYERS
def test_without_corrections_it_is_the_reference(players):
    """So training begins with all that the reference policy knows. Between equally good cards it
    may choose differently."""
    mind = practice.new_mind(seed=1)
    mind.second[:] = 0.0
    bot = bots.make("reference", hastilude.load("tornei", players=players), 1)
    for match, seat in positions(players):
        known, worths = match.redacted(seat), np.zeros(match.game.num_actions)
        promises_at(known, seat, SCORE, mind, worths, np.zeros(WORK, np.int8))
        assert worths[bot.choose(known, seat)] == max(worths)


def test_practice_begins_like_the_reference_and_gets_better(monkeypatch):
    monkeypatch.setattr(practice, "BATCHES", 100)
    course, _ = practice.courses(seed=1)
    before, _ = course.strength()
    for done in (0.0, 0.3, 0.6):
        course.practise(done)
    after, _ = course.strength()
    assert abs(before) < 0.3
    assert after > before + 0.2


def test_practice_for_three_begins_with_what_was_learned_for_four(monkeypatch):
    monkeypatch.setattr(practice, "BATCHES", practice.PACE)
    four, three = practice.courses(seed=1)
    four.practise(0.0)
    learned = four.mind()
    assert (three.mind().second == learned.second).all()
    three.practise(0.0)
    assert not (three.mind().second == learned.second).all()
    assert (four.mind().second == learned.second).all()


def test_the_store_is_small():
    assert instinct.STORE.stat().st_size < 500_000
