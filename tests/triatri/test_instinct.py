"""TriATri's instinct: legal, blind to what is hidden, better than the reference, small."""

import numpy as np
import pytest

import hastilude
from hastilude import bots
from hastilude.bots.knowledge import MATCH, SCORE, VICTORY, load_mind, promises
from hastilude.bots.network import Layers
from hastilude.core.calls import determinize_at, redact_at
from hastilude.core.kernel import kernel
from hastilude.core.random import generator
from hastilude.core.rules import WORK
from hastilude.games.triatri import instinct, practice
from hastilude.games.triatri.estimate import best_estimate
from hastilude.games.triatri.prospects import stored
from hastilude.testing import played
from tests.variants import subject

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


class Shipped:
    """The prospects of the package, so that instinct can practise without learning them first."""

    def __init__(self, players):
        self.players = players

    def mind(self):
        return stored()[self.players]


@kernel
def promises_at(states, seat, aim, mind, worths, work):
    return promises(states[0], seat, aim, mind, worths, work)


@kernel
def best_estimate_at(states, seat, mind, work):
    return best_estimate(states[0], seat, mind, work)


def promised(known, match, seat, aim, mind=None):
    worths = np.zeros(match.game.num_actions)
    mind = mind or load_mind(match.game)
    grain = promises_at(known, seat, aim, mind, worths, np.zeros(WORK, np.int8))
    return grain, {action: worths[action] for action in match.legal(seat)}


def positions(players):
    for match, _ in played(subject("triatri", {"players": players}, matches=3), most=400):
        for seat in match.pending:
            yield match, seat


@PLAYERS
def test_it_plays_legal_actions(players):
    bot = bots.make("heuristic", hastilude.load("triatri", players=players), 1)
    for match, seat in positions(players):
        assert bot.choose(match.redacted(seat), seat) in match.legal(seat)


@PLAYERS
def test_what_is_hidden_changes_no_promise(players):
    for match, seat in positions(players):
        known = match.redacted(seat)
        other = match.redacted(seat)
        determinize_at(other, 0, generator(9), np.zeros(WORK, np.int8))
        assert promised(other, match, seat, MATCH) == promised(known, match, seat, MATCH)
        again = np.zeros(1, match.game.state)
        redact_at(other, 0, seat, again, 0)
        assert promised(again, match, seat, MATCH) == promised(known, match, seat, MATCH)


@PLAYERS
def test_promises_are_chances_to_win(players):
    for match, seat in positions(players):
        for aim in (MATCH, VICTORY):
            grain, worths = promised(match.redacted(seat), match, seat, aim)
            assert grain > 0
            assert all(0 <= worth <= 1 for worth in worths.values())


def test_it_promises_no_points():
    for match, seat in positions(2):
        assert promised(match.redacted(seat), match, seat, SCORE)[0] == 0


@pytest.mark.parametrize(("players", "least"), [(2, 0.74), (3, 0.55), (4, 0.38)])
def test_it_beats_the_reference(players, least):
    shares = practice.compare(players, instinct.stored(players), 6000)
    assert shares.mean() - 3 * shares.std() / len(shares) ** 0.5 > least


@PLAYERS
def test_without_corrections_it_takes_the_best_estimate(players):
    """So training begins with all that is known before."""
    layers = practice.new_layers(seed=1)
    mind = instinct.Mind(Layers(layers.first, 0 * layers.second), stored()[players])
    for match, seat in positions(players):
        known = match.redacted(seat)
        best = best_estimate_at(known, seat, mind.prospects, np.zeros(WORK, np.int8))
        worths = promised(known, match, seat, VICTORY, mind)[1]
        assert worths[best] == max(worths.values())


def test_colours_are_equal():
    """With a named gem, turning all colours in their circle (A4) changes no promise."""
    turn = [(card + 7) % 21 for card in range(21)] + [21]
    seen = 0
    for match, seat in positions(4):
        known = match.redacted(seat)
        if known["phase"][0] != 5:
            continue
        seen += 1
        turned = known.copy()
        turned["hand"][0] = [turned_set(int(cards), turn) for cards in known["hand"][0]]
        for name in ("bid", "played", "lies"):
            for place in np.ndindex(known[name][0].shape):
                card = int(known[name][0][place])
                turned[name][0][place] = turn[card] if card >= 0 else card
        gems = known["gem"][0]
        turned["gem"][0] = np.where(gems >= 0, (gems + 1) % 3, gems)
        turned["gems"][0] = np.roll(known["gems"][0], 1, axis=1)
        turned["supply"][0] = np.roll(known["supply"][0], 1)
        before = promised(known, match, seat, VICTORY)[1]
        worths = np.zeros(match.game.num_actions)
        promises_at(
            turned, seat, VICTORY, without_prospects(match), worths, np.zeros(WORK, np.int8)
        )
        before = promised(known, match, seat, VICTORY, without_prospects(match))[1]
        for action, worth in before.items():
            assert worths[turn[action]] == pytest.approx(worth, abs=1e-6)
    assert seen > 20


def without_prospects(match):
    """The prospects do not see colours as equal, only nearly."""
    mind = load_mind(match.game)
    return instinct.Mind(mind.layers, 0 * mind.prospects)


def turned_set(cards, turn):
    return (cards >> 21 << 21) | sum(1 << turn[card] for card in range(21) if cards >> card & 1)


def test_practice_makes_it_better():
    course = practice.InstinctCourse(2, 1, Shipped(2))
    before, _ = course.strength()
    course.practise(0.5)
    after, margin = course.strength()
    assert after > before + margin


def test_practice_can_be_continued(monkeypatch):
    monkeypatch.setattr(practice, "BATCHES", 50)
    course = practice.InstinctCourse(2, 1, Shipped(2))
    course.practise(0.0)
    memory = {name: array.copy() for name, array in course.memory().items()}
    course.practise(0.5)
    other = practice.InstinctCourse(2, 1, Shipped(2))
    other.resume(memory)
    other.practise(0.5)
    for name, array in course.memory().items():
        np.testing.assert_array_equal(other.memory()[name], array)


def test_the_store_is_small():
    assert instinct.STORE.stat().st_size < 500_000
