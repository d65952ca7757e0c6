"""Whole matches for the lab: what is the same when they are played again."""

import numpy as np
import pytest

import hastilude
from hastilude.lab.course import course_of
from hastilude.lab.deal import Deal, Table
from hastilude.lab.matches import Playing
from hastilude.lab.study import Variant

GAMES = [
    ("tornei", {"players": 4}),
    ("tornei", {"players": 3}),
    ("triatri", {"players": 2}),
    ("triatri", {"players": 4}),
    ("kings_tournament", {"best_of": 3}),
    ("kings_tournament", {"best_of": 1, "joust": "stepwise"}),
]
every_game = pytest.mark.parametrize(("name", "options"), GAMES)


def playing(name, options, *bots):
    return Playing(hastilude.load(name, **options), bots or ("random",))


@every_game
def test_the_same_seeds_give_the_same_match(name, options):
    there = playing(name, options)
    seats = [0] * there.game.seats
    one, again, other = (there.play(seats, *seeds) for seeds in ((1, 2), (1, 2), (1, 3)))
    assert (one.scores == again.scores).all()
    assert (one.begins[one.reached] == again.begins[again.reached]).all()
    assert (one.plays, *one.chosen) != (other.plays, *other.chosen)


@every_game
def test_the_same_deal_gives_the_same_cards_to_other_players(name, options):
    """The hands of the first round, whoever plays them."""
    there = playing(name, options, "random", "reference")
    seats = there.game.seats
    matches = [there.play([bot] * seats, 5, 6) for bot in (0, 1)]
    first = int(np.flatnonzero(matches[0].reached)[1])
    assert (matches[0].begins[first]["hand"] == matches[1].begins[first]["hand"]).all()


@every_game
def test_sections_follow_each_other_and_have_names(name, options):
    there = playing(name, options)
    names = there.course.sections
    for seed in range(10):
        played = there.play([0] * there.game.seats, seed, seed)
        reached = np.flatnonzero(played.reached)
        assert reached[0] == 0
        assert reached[-1] < len(names)
        assert len(there.course.stages) == len(names)


@every_game
def test_choices_roles_and_feats_have_names(name, options):
    there = playing(name, options)
    course, seats = there.course, there.game.seats
    for seed in range(10):
        played = there.play([0] * seats, seed, seed)
        assert len(played.chosen) == len(course.kinds)
        assert (played.chosen <= played.offered).all()
        assert played.chosen.sum() == played.decisions.sum()
        assert played.roles[:-1][played.reached].max() < len(course.roles)
        assert played.achieved.max() < 1 << len(course.feats)


def test_tornei_sections_are_deals_and_rounds():
    played = playing("tornei", {"players": 4}).play([0] * 4, 1, 1)
    assert np.flatnonzero(played.reached).tolist() == list(range(8))
    assert sorted(played.roles[1].tolist()) == [0, 1, 2, 3]
    assert played.roles[1][1] == 0  # T5: the seat on the left of the dealer, seat 0
    assert (played.scored[0] == 0).all()
    assert (played.scored[-1] == played.scores).all()


def test_kings_tournament_sections_are_parts_of_a_game():
    there = playing("kings_tournament", {"best_of": 1})
    for seed in range(20):
        played = there.play([0, 0], seed, seed)
        reached = np.flatnonzero(played.reached).tolist()
        assert reached[:3] == [0, 1, 2]
        assert set(reached) <= {0, 1, 2, 3}
        assert sorted(played.roles[2].tolist()) == [0, 1]  # mounted and unhorsed
        jousts = (played.achieved[2:4] & 1).sum()
        games = (played.achieved[-1] & 2 > 0).sum()
        assert (jousts, games) == (1, 1)


@every_game
def test_the_first_role_can_be_handed_over_and_nothing_else_changes(name, options):
    there = playing(name, options)
    seats = there.game.seats
    played = there.play([0] * seats, 3, 3)
    found = 0
    for section in np.flatnonzero(played.reached).tolist():
        if played.roles[section].min() < 0:
            continue
        for seat in range(seats):
            state = there.handed_over(played.begins[section], seat)
            if state is None:
                continue
            found += 1
            after = there.play([0] * seats, 3, 3, state)
            assert after.roles[section][seat] in (0, 2)
            assert (after.begins[section]["hand"] == played.begins[section]["hand"]).all()
    assert found


def test_a_forced_choice_is_another_one_and_what_was_before_stays():
    there = playing("triatri", {"players": 3}, "reference")
    usual = there.play([0] * 3, 1, 1)
    for decision in range(int(usual.decisions.sum())):
        other = there.play([0] * 3, 1, 1, forced=decision)
        seat, kind, _ = other.forced
        assert 0 <= seat < 3
        assert kind < len(there.course.kinds)
    assert (usual.begins[0] == other.begins[0]).all()


def test_bots_that_search_play_too():
    there = playing("triatri", {"players": 2}, "search:5:random", "random")
    one, again = (there.play([0, 1], 4, 4) for _ in range(2))
    assert (one.scores == again.scores).all()


def test_a_deal_is_played_in_all_rotations():
    game = hastilude.load("tornei")
    table = Table(Variant("a", game, ("reference", "random", "random", "random")))
    matches = Deal(table, 0, 0).matches
    assert sorted(seats for seats, _ in matches) == [
        (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0),
    ]  # fmt: skip


def test_a_game_without_a_course_is_one_section():
    class Plain:
        name, state, texts = "_template", hastilude.load("tornei").state, ("1", "2")

    course = course_of(Plain)
    assert course.sections == ("match",)
    assert course.kinds == ("1", "2")
