"""What is made of results."""

import doctest

import pytest

import hastilude
from hastilude import arena
from hastilude.arena.contest import Contest
from hastilude.arena.deals import DealResult, Forfeit, MatchResult
from hastilude.arena.ratings import places, ratings
from hastilude.arena.standings import standings
from hastilude.arena.times import Times
from tests.arena.players import Crashing, First


def test_the_example_runs():
    assert doctest.testmod(arena).attempted
    assert not doctest.testmod(arena).failed


def contest(tables=("abbb",)):
    return Contest.of(hastilude.load("tornei"), ["random", "random"], tables)


def match(seats, scores, winners, forfeit=None, table="abbb"):
    return MatchResult(table, seats, 4, tuple(scores), tuple(winners), forfeit)


def result(deal, *matches):
    return DealResult(deal, matches, (Times(), Times()))


def test_a_deal_is_one_observation():
    a, b = standings(
        contest(),
        [
            result(1, match("abbb", (20, 8, 10, 12), (0,)), match("babb", (20, 20, 6, 4), (0, 1))),
            result(0, match("abbb", (10, 30, 10, 20), (1,)), match("babb", (8, 8, 8, 8), range(4))),
        ],
    ).bots
    assert a.win_share.mean == pytest.approx((0.75 + 0.125) / 2)
    assert b.win_share.mean == pytest.approx((0.5 / 6 + (1 + 0.75) / 6) / 2)
    assert a.score.mean == pytest.approx((20 + 9) / 2)
    assert a.difference.mean == pytest.approx(((10 + 10) / 2 + (-10 + 0) / 2) / 2)
    assert b.difference.mean == pytest.approx(-a.difference.mean)
    assert a.difference_a_round.mean == pytest.approx(a.difference.mean / 4)
    half = 12.706 * abs(10 - -5) / 2  # Student's t of two observations, their standard error
    assert a.difference.high - a.difference.mean == pytest.approx(half, rel=1e-3)


def test_partners_are_not_the_others():
    found = standings(
        contest(["aabb"]), [result(0, match("aabb", (9, 7, 3, 1), (0,), table="aabb"))]
    )
    assert [one.difference.mean for one in found.bots] == [6, -6]


def test_a_forfeit_is_a_loss_without_a_score():
    lost = Forfeit(0, "ValueError: no", {})
    found = standings(
        contest(),
        [
            result(0, match("abbb", (), (1, 2, 3), lost), match("babb", (9, 8, 7, 6), (0,))),
            result(1, match("abbb", (), (1, 2, 3), lost)),
        ],
    )
    a, b = found.bots
    assert (a.forfeits, b.forfeits) == (2, 0)
    assert a.win_share.mean == 0
    assert b.win_share.mean == pytest.approx(1 / 3)
    assert a.score.mean == 8
    assert a.difference.mean == pytest.approx(8 - (9 + 7 + 6) / 3)
    assert [deal for deal, _ in found.forfeits] == [0, 1]
    assert len(found.to_json()["forfeits"]) == 2


def test_who_only_forfeits_has_no_score():
    found = arena.compare(
        hastilude.load("triatri", players=2), {"bad": Crashing, "good": First}, 3, workers=1
    )
    bad, good = found.bots
    assert (bad.score, bad.difference, bad.forfeits) == (None, None, 6)
    assert bad.win_share.mean == 0
    assert good.win_share.mean == 1
    assert found.rounds == 0
    assert found.ratings[0].high < found.ratings[1].mean


def test_places():
    assert places(match("abbb", (5, 9, 7, 7), (1,))) == [2, 0, 1, 1]
    assert places(match("abbb", (9, 3, 7, 7), (1,))) == [1, 0, 2, 2]  # won without most points
    assert places(match("abbb", (), (0, 1, 3), Forfeit(2, "", {}))) == [0, 0, 1, 0]


@pytest.mark.parametrize("table", ["abbb", "aabb", "aaab"])
def test_the_better_bot_is_rated_higher_however_many_there_are(table):
    rated = ratings("ab", [match(table, [s == "a" for s in table], (0,))] * 50)
    assert rated["a"].low > rated["b"].high
    assert rated["a"].low < rated["a"].mean < rated["a"].high


def test_a_bot_learns_nothing_of_itself():
    fresh = ratings("ab", [])
    assert ratings("ab", [match("aaaa", (1, 2, 3, 4), (3,))]) == fresh


def test_each_table_has_its_own_standings():
    found = arena.compare(
        hastilude.load("kings_tournament"), ["random", "random", "random"], 4, workers=1
    )
    assert {table: [one.letter for one in bots] for table, bots in found.tables.items()} == {
        "ab": ["a", "b"],
        "ac": ["a", "c"],
        "bc": ["b", "c"],
    }
    for bots in found.tables.values():
        assert sum(one.win_share.mean for one in bots) == pytest.approx(1)
        assert sum(one.difference.mean for one in bots) == pytest.approx(0)


def test_real_arenas_of_equal_bots_cover_the_truth():
    game = hastilude.load("triatri", players=2)
    shares = differences = 0
    for seed in range(100):
        bot, _ = arena.compare(game, ["random", "random"], 12, seed, workers=1).bots
        shares += bot.win_share.low <= 0.5 <= bot.win_share.high
        differences += bot.difference.low <= 0 <= bot.difference.high
    assert 90 <= shares <= 99
    assert 90 <= differences <= 99
