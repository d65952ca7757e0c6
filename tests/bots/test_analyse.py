"""The analysis: whole choices on the same deals, until they are told apart or clearly equal."""

import random

import numpy as np
import pytest

import hastilude
from hastilude.bots import analyse
from hastilude.bots.analyse import FIRST_LOOK, MOST_SAMPLES, Analysis
from tests.kings_tournament.tables import both_on_foot, table, turn


def after(name, plays, **options):
    """A match after random plays, with the seat whose turn it is."""
    match = hastilude.load(name, **options).new(seed=4)
    choose = random.Random(4)
    for _ in range(plays):
        match.play(match.turn, choose.choice(match.legal(match.turn)))
    return match, match.turn


def analysed(match, seat, samples, **more):
    analysis = Analysis(match.game, match.redacted(seat), seat, **more)
    analysis.extend(samples)
    return analysis


# --- what is judged -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", hastilude.games())
def test_every_choice_is_listed_best_first_whatever_the_batches(name):
    match, seat = after(name, 9)
    analysis = analysed(match, seat, 60)
    found = analysis.candidates()
    assert sorted(one.actions for one in found) == [(action,) for action in match.legal(seat)]
    assert [one.group for one in found] == sorted(one.group for one in found)
    assert found[0].behind == 0
    assert all(0 <= one.win <= 1 and one.margin >= 0 for one in found)
    assert all(sum(one.effects) == one.samples == 60 for one in found)
    divided = Analysis(match.game, match.redacted(seat), seat)
    for some in (1, 7, 20, 32):
        divided.extend(some)
    assert divided.candidates() == found


def test_lines_of_a_joust_are_legal_whole_and_as_good_as_single_steps():
    match = table("3 5 9 D B", "1 4 6 7 10")
    redacted = match.redacted(0)
    analysis = analysed(match, 0, 200)
    assert len(analysis.choices) == 5 * 4 * 3
    for line in analysis.choices:
        rehearsal = match.rehearse(0)
        for card in line:
            assert not rehearsal.whole
            rehearsal.play(card)
        assert rehearsal.whole
    steps = [(card,) for card in match.legal(0)]  # the policy chooses the rest
    single = Analysis(match.game, redacted, 0, choices=steps)
    single.extend(200)
    best, step = analysis.candidates()[0], single.candidates()[0]
    assert best.win >= step.win - step.margin


def test_a_line_that_was_begun_is_completed():
    match = table("3 5 9 D B", "1 4 6 7 10")
    match.play(0, "9")
    analysis = analysed(match, 0, 10)
    assert {len(line) for line in analysis.choices} == {2}


def test_the_order_of_discards_makes_no_other_choice():
    match = table("3 5 9 D B", "1 4 6 7 10", joust="stepwise")
    found = analysed(match, 0, 50).candidates()
    assert len(found) == 5 * 4 / 2
    assert len({frozenset(one.actions) for one in found}) == len(found)


def test_where_the_other_has_chosen_nothing_hidden_is_used():
    match = table("3 5 9 D B", "1 4 6 7 10")
    other = table("3 5 9 D B", "2 2 3 8 B")
    for card in ("1", "4", "6"):
        match.play(1, card)
    for card in ("2", "8", "B"):
        other.play(1, card)
    assert analysed(match, 0, 20).candidates() == analysed(other, 0, 20).candidates()


# --- when it stops --------------------------------------------------------------------------------


class Luck:
    """Instead of simulations: each choice wins with its own probability."""

    def __init__(self, chances, shared):
        self.chances = chances
        self.shared = shared  # whether they win and lose on the same deals
        self.judged = []
        self._choose = np.random.default_rng(1)

    def __call__(self, redacted, seat, rows, wins, scores, effects, *memory):
        self.judged.append((len(wins), [row[0] for row in rows.tolist()]))
        draws = self._choose.random((len(wins), 1 if self.shared else len(rows)))
        wins[:] = draws < [self.chances[row[0]] for row in rows]
        effects[:, 0] += len(wins)


@pytest.fixture
def lucky(monkeypatch):
    """An analysis of choices 0, 1, 2 … with these chances to win."""

    def lucky(*chances, shared=False):
        luck = Luck(chances, shared)
        monkeypatch.setattr(analyse, "judge", luck)
        game = hastilude.load("triatri")
        redacted = game.new(seed=1).redacted(0)
        choices = [(number,) for number in range(len(chances))]
        return Analysis(game, redacted, 0, choices=choices), luck

    return lucky


def groups(analysis):
    found = {}
    for one in analysis.candidates():
        found.setdefault(one.group, set()).update(one.actions)
    return list(found.values())


def test_a_clear_best_stops_at_the_first_look(lucky):
    analysis, _ = lucky(0.2, 0.8, 0.3)
    analysis.extend(MOST_SAMPLES)
    assert analysis.decided
    assert analysis.samples == FIRST_LOOK
    assert groups(analysis)[0] == {1}


def test_what_is_equal_stops_at_the_first_look_and_is_one_group(lucky):
    analysis, _ = lucky(0.5, 0.1, 0.5, 0.5, shared=True)
    analysis.extend(MOST_SAMPLES)
    assert analysis.samples == FIRST_LOOK
    assert groups(analysis) == [{0, 2, 3}, {1}]


def test_what_is_close_takes_longer_and_what_is_clear_is_dropped_on_the_way(lucky):
    analysis, luck = lucky(0.55, 0.5, 0.1)
    analysis.extend(MOST_SAMPLES)
    assert analysis.decided
    assert analysis.samples > FIRST_LOOK
    assert [choices for _, choices in luck.judged][:2] == [[0, 1, 2], [0, 1]]
    assert groups(analysis)[0] == {0}
    dropped = analysis.candidates()[-1]
    assert dropped.samples == FIRST_LOOK
    assert dropped.win == pytest.approx(0.1, abs=0.1)
    assert dropped.behind > dropped.behind_margin


def test_it_stops_in_the_end_and_calls_equal_what_it_cannot_tell_apart(lucky):
    analysis, _ = lucky(0.5, 0.495)
    analysis.extend(10 * MOST_SAMPLES)
    assert analysis.decided
    assert analysis.samples <= MOST_SAMPLES
    assert groups(analysis) == [{0, 1}]


def test_thinking_takes_the_time_it_is_given(lucky, monkeypatch):
    """With a clock on which every sample takes a millisecond."""
    analysis, luck = lucky(0.5, 0.499)
    monkeypatch.setattr(
        analyse, "perf_counter", lambda: sum(samples for samples, _ in luck.judged) / 1000
    )
    analysis.think(0.5)
    assert analysis.samples == pytest.approx(500, abs=20)
    analysis.think(0)  # nothing more
    assert analysis.samples == pytest.approx(500, abs=20)


def test_a_decided_position_stops_at_once():
    """Red reveals 3, and only Blue's 10 wins by 7."""
    match = both_on_foot("6 3 4 5", "5 10 4 6", best_of=1)
    turn(match, "5", "6")
    match.play(0, "3")
    found = analysed(match, 1, MOST_SAMPLES)
    assert found.samples == FIRST_LOOK
    best, *others = found.candidates()
    assert best.texts == ("10",)
    assert best.win == 1
    assert all(one.group > 0 for one in others)


def test_neighbouring_cards_are_equally_good():
    """Nobody else can hold a card between them."""
    match, seat = after("tornei", 24)
    hand = sorted(match.legal(seat))
    pairs = [(card, card + 1) for card in hand if card + 1 in hand and card % 14 != 13]
    assert pairs
    group = {one.actions[0]: one.group for one in analysed(match, seat, FIRST_LOOK).candidates()}
    for card, following in pairs:
        assert group[card] == group[following]
