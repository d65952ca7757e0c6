"""Rotation, chance and forfeits."""

import json

import pytest

import hastilude
from hastilude.arena import Contest, compare
from hastilude.arena.deals import DealResult, SameChance, play_deal
from hastilude.arena.times import Times, total
from hastilude.core.match import Dealt
from hastilude.core.record import Record
from tests.arena.players import (
    NAP,
    Budgeted,
    Cheating,
    Crashing,
    First,
    Last,
    Leaving,
    Moody,
    Sleepy,
    Unborn,
)

GAMES = hastilude.games()


def played(name, bots, deal=0, tables=(), **options):
    return play_deal(Contest.of(hastilude.load(name, **options), bots, tables), deal)


@pytest.mark.parametrize("name", GAMES)
def test_the_bots_are_rotated_through_the_seats(name):
    """The crashing one is where the letters say: in each seat once."""
    matches = played(name, {"crashing": Crashing, "first": First}).matches
    seats = len(matches)
    assert seats == hastilude.load(name).seats
    assert [match.seats.index("a") for match in matches] == list(range(seats))
    assert [match.forfeit.seat for match in matches] == list(range(seats))


@pytest.mark.parametrize("name", GAMES)
def test_rotations_of_a_deal_have_the_same_chance(name):
    """Bots that play alike make of it the same match, whoever sits where; another deal differs."""
    bots = {"moody": Moody, "also moody": Moody}
    matches = [match for deal in (0, 1, 2) for match in played(name, bots, deal).matches]
    size = len(matches) // 3
    deals = [matches[:size], matches[size : 2 * size], matches[2 * size :]]
    assert all(len({match.scores for match in deal}) == 1 for deal in deals)
    assert len({deal[0].scores for deal in deals}) > 1


@pytest.mark.parametrize("name", GAMES)
def test_what_is_played_does_not_shift_later_deals(name):
    game = hastilude.load(name)
    dealt = [chance_of(game, kind) for kind in (First, Last)]
    common = [key for key in dealt[0] if key in dealt[1]]
    assert len(common) > 1
    full = [key for key in common if len(dealt[0][key]) == len(dealt[1][key])]
    assert full
    same = [key for key in full if sorted(dealt[0][key]) == sorted(dealt[1][key])]
    assert all(dealt[0][key] == dealt[1][key] for key in same)


def chance_of(game, kind):
    """The chance events of a match, by kind and number."""
    match = game.new(chance=SameChance(5))
    bot = kind(game, 0)
    while (seat := match.turn) is not None:
        match.play(seat, bot.choose(match.redacted(seat), seat))
    events = {}
    for step in match.steps:
        if isinstance(step, Dealt):
            number = sum(due == step.due for due, _ in events)
            events[step.due, number] = step.order
    return events


def test_the_same_contest_gives_the_same_matches():
    one, other = (played("triatri", ["random", "random"], 7) for _ in range(2))
    assert one.matches == other.matches
    assert played("triatri", ["random", "random"], 8).matches != one.matches


def test_every_table_is_played():
    result = played("tornei", ["random", "random"], tables=["ab", "aabb"])
    assert [match.table for match in result.matches] == ["abbb"] * 4 + ["aabb"] * 4


def test_rounds_are_counted():
    assert {match.rounds for match in played("tornei", ["random", "random"]).matches} == {4}
    knights = played("kings_tournament", ["random", "random"])
    assert {match.rounds for match in knights.matches} == {0}


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        (Crashing, "TimeoutError: thought too long"),
        (Leaving, "SystemExit: goodbye"),
        (Cheating, "IllegalAction: There is no action -1"),
        (Unborn, "MemoryError"),
    ],
)
def test_a_bots_failure_is_its_forfeit(bot, error):
    result = played("tornei", {"bad": bot, "first": First})
    for match in result.matches:
        seat = match.seats.index("a")
        assert match.scores == ()
        assert match.winners == tuple(other for other in range(4) if other != seat)
        assert match.forfeit.seat == seat
        assert match.forfeit.error.startswith(error)
        record = Record.from_json(json.dumps(match.forfeit.record))
        assert record.end == {"forfeit": seat}
        assert record.names[seat] == "bad"
        assert hastilude.replay(record).turn == seat


def test_a_result_is_what_is_read_again():
    result = played("tornei", {"crashing": Crashing, "timed": Budgeted})
    line = json.dumps(result.to_json())
    assert DealResult.from_json(json.loads(line)).matches == result.matches
    assert json.dumps(DealResult.from_json(json.loads(line)).to_json()) == line


def test_only_moves_with_a_choice_are_timed():
    first = played("tornei", {"first": First, "last": Last}, tables=["ab"]).times
    asked = 4 * 4 * 4 * 14  # matches, rounds, seats, cards: at most so many jousts
    assert sum(times.moves for times in first) < asked + 4 * 4 * 4


def test_a_budget_is_noticed():
    plain, timed = played("triatri", {"first": First, "timed": Budgeted}, players=2).times
    assert plain.budget is None
    assert plain.over_budget is None
    assert timed.budget == 1000
    assert timed.over_budget is not None


def test_processor_time_is_not_spent_by_waiting():
    game = hastilude.load("triatri", players=2)
    spent = []
    for processor_time in (False, True):
        contest = Contest.of(game, {"a": Sleepy, "b": First}, processor_time=processor_time)
        spent.append(play_deal(contest, 0).times[0].mean)
    assert spent[1] < 1000 * NAP / 2 < 1000 * NAP <= spent[0]


def test_times():
    times = Times()
    for taken in range(1, 101):
        times.add(taken, 50)
    assert times.mean == 50.5
    assert times.over_budget == 0.43  # from 58 on: 10 % and 2 ms are allowed
    assert times.percentile(99) == pytest.approx(99, rel=0.01)
    assert times.percentile(50) == pytest.approx(50, rel=0.01)
    assert Times.from_json(json.loads(json.dumps(times.to_json()))) == times
    assert total([times, times]).moves == 200
    assert total([times, times]).percentile(99) == times.percentile(99)
    assert (Times().mean, Times().percentile(99), Times().over_budget) == (None, None, None)


def test_processes_play_what_one_process_plays():
    game = hastilude.load("triatri", players=3)
    bots = {"first": First, "crashing": Crashing}
    alone, together = (compare(game, bots, 6, seed=4, workers=workers) for workers in (1, 2))
    assert [one.matches for one in alone.results] == [one.matches for one in together.results]
    assert alone.bots == together.bots
    assert alone.ratings == together.ratings
