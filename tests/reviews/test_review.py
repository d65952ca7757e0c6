"""A review: what a seat decided, what that cost, and what was luck."""

import copy
import json

import pytest

import hastilude
from hastilude.core.match import Play
from hastilude.reviews.judging import LOSSES, MARKED, Label
from hastilude.reviews.review import Reviewer, open_graph
from tests.kings_tournament.tables import both_on_foot
from tests.playing import finish
from tests.reviews.matches import played, with_unseen_cards_exchanged

GAMES = hastilude.games()


@pytest.fixture(scope="module", params=GAMES)
def reviewed(request):
    record = played(request.param)
    return hastilude.replay(record), hastilude.review(record, seat=0)


# --- what is judged -------------------------------------------------------------------------------


def test_every_choice_that_had_an_alternative_is_judged_once(reviewed):
    match, review = reviewed
    plays = [number for number, step in enumerate(match.steps) if isinstance(step, Play)]
    judged = {decision.step: decision.choice.texts for decision in review.decisions}
    assert set(judged) <= set(plays)
    for number in plays:
        step = match.steps[number]
        before = hastilude.replay(match.record(), upto=number)
        if step.seat == 0 and number not in judged and len(before.legal(0)) > 1:
            # Then it is a later action of a choice of several.
            assert any(first < number < first + 6 and len(judged[first]) > 1 for first in judged)


def test_a_line_is_one_decision():
    review = hastilude.review(played("kings_tournament"), seat=0)
    assert len(review.decisions[0].choice.texts) == 3


def test_choices_are_compared_with_the_best(reviewed):
    _, review = reviewed
    for decision in review.decisions:
        best = decision.alternatives[0]
        assert best.loss.value == 0
        assert len({one.texts for one in decision.alternatives}) == len(decision.alternatives) > 0
        assert all(0 <= one.win.value <= 1 for one in decision.alternatives)


def test_a_label_needs_a_loss_that_was_measured(reviewed):
    _, review = reviewed
    for decision in review.decisions:
        loss = decision.choice.loss
        if decision.label in MARKED:
            assert loss.value > loss.margin
            assert loss.value >= LOSSES[decision.label]
        elif decision.label is Label.GOOD:
            assert loss.value <= loss.margin or loss.value < LOSSES[Label.INACCURACY]
        else:
            assert loss.value == 0


def test_missing_the_blow_that_wins_the_match_is_a_blunder_and_it_says_why():
    match = both_on_foot("10 5 5 4", "2 3 3 3", best_of=1)
    match.play(1, "2")
    step = len(match.steps)
    match.play(0, "5")  # a 10 would have hit the knight on foot
    review = hastilude.review(finish(match).record(), seat=0)
    (missed,) = (decision for decision in review.decisions if decision.step == step)
    assert missed.label is Label.BLUNDER
    assert missed.choice.texts == ("5",)
    assert missed.alternatives[0].texts == ("10",)
    assert missed.alternatives[0].win.value == 1
    assert [str(reason) for reason in missed.reasons] == [
        "K11: 5 against 2 is no hit, and Player 1 has to reveal first in the next turn.",
        "K12: 10 beats 2 by 8, which is a hit.",
    ]


def test_where_good_play_is_mixed_what_it_contains_loses_nothing():
    review = hastilude.review(played("kings_tournament"), seat=0)
    line = review.decisions[0]
    assert sum(one.share for one in line.alternatives) == pytest.approx(1, abs=0.01)
    for one in line.alternatives:
        assert (one.loss == (0, 0)) == (one.share > 0)


def test_discards_are_the_same_choice_in_any_order():
    record = played("kings_tournament", joust="stepwise")
    first, second = [k for k, event in enumerate(record.events) if event[:2] == ["play", 0]][:2]
    swapped = copy.deepcopy(record)
    swapped.events[first], swapped.events[second] = record.events[second], record.events[first]
    assert swapped.events != record.events
    discards, others = (hastilude.review(one, seat=0).decisions[0] for one in (record, swapped))
    assert discards.choice.share > 0
    assert others == discards


# --- skill and luck -------------------------------------------------------------------------------


def test_the_parts_add_up_to_the_outcome(reviewed):
    match, review = reviewed
    parts = review.balance
    total = parts.start.value + parts.deal.value + parts.others.value
    total += parts.offered.value - parts.given_away.value
    won = 1 / len(match.winners) if 0 in match.winners else 0
    assert total == pytest.approx(won, abs=1e-4)
    assert parts.given_away.value == pytest.approx(
        sum(decision.choice.loss.value for decision in review.decisions), abs=1e-4
    )


def test_the_graph_leads_from_an_even_start_to_the_result(reviewed):
    match, review = reviewed
    seats = match.game.seats
    for chance in review.graph[0].chances:
        assert chance.value == pytest.approx(1 / seats, abs=3 * chance.margin + 0.05)
    for point in review.graph:
        assert sum(chance.value for chance in point.chances) == pytest.approx(1, abs=0.02)
    end = [chance.value for chance in review.graph[-1].chances]
    assert {seat for seat in range(seats) if end[seat]} == set(match.winners)


@pytest.mark.parametrize("name", ["tornei", "triatri"])  # King's Tournament ends by a choice
def test_with_all_cards_open_the_last_forced_play_decides_nothing(name):
    match = hastilude.replay(played(name))
    before_last = len(match.steps) - 1
    assert len(hastilude.replay(match.record(), upto=before_last).legal(match.steps[-1].seat)) == 1
    last, result = open_graph(match, [before_last])
    assert [one.value for one in last.chances] == [one.value for one in result.chances]


# --- what it may depend on ------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_cards_that_the_seat_never_saw_change_nothing(name):
    record = played(name)
    other = with_unseen_cards_exchanged(record, 0)
    assert other.to_json() != record.to_json()
    assert hastilude.review(other, seat=0).to_json() == hastilude.review(record, seat=0).to_json()


def test_the_same_record_and_seed_give_the_same_review():
    record = played("triatri")
    first = hastilude.review(record, seat=1, seed=5)
    assert hastilude.review(record, seat=1, seed=5).to_json() == first.to_json()
    assert hastilude.review(record, seat=1, seed=6).to_json() != first.to_json()
    assert json.loads(first.to_json())["balance"]["outcome"] == first.balance.outcome


def test_it_appears_piece_by_piece():
    reviewer = Reviewer(hastilude.replay(played("triatri")), 0)
    done = []
    while not reviewer.finished:
        done.append(reviewer.done)
        reviewer.advance()
    assert done == list(range(reviewer.total))
    review = reviewer.review()
    assert [*review.decisions] == reviewer.decisions
    assert [*review.graph[:-1]] == reviewer.graph


# --- what is refused ------------------------------------------------------------------------------


def test_an_unfinished_match_is_refused():
    match = hastilude.load("triatri").new(seed=1)
    with pytest.raises(hastilude.RecordError, match="not finished"):
        hastilude.review(match.record(), seat=0)


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(hastilude.IllegalAction, match="seat"):
        hastilude.review(played("triatri"), seat=2)


def test_a_record_that_breaks_the_rules_is_refused():
    record = copy.deepcopy(played("triatri"))
    play = next(event for event in record.events if event[0] == "play")
    play[2] = "R9"
    with pytest.raises(hastilude.RecordError):
        hastilude.review(record, seat=0)
