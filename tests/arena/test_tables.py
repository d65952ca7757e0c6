import doctest

import pytest

from hastilude.arena import tables
from hastilude.arena.tables import rotations, seatings
from hastilude.core.errors import OptionError


def test_the_examples_run():
    assert doctest.testmod(tables).attempted
    assert not doctest.testmod(tables).failed


def test_the_last_of_few_bots_is_repeated():
    assert seatings(4, 3) == ("abcc",)
    assert seatings(2, 2) == ("ab",)


def test_of_many_bots_every_choice_meets():
    assert seatings(2, 4) == ("ab", "ac", "ad", "bc", "bd", "cd")
    assert seatings(4, 5) == ("abcd", "abce", "abde", "acde", "bcde")


def test_a_table_and_its_rotation_are_one():
    assert seatings(4, 2, ["abbb", "aabb", "babb", "baab"]) == ("babb", "baab")


@pytest.mark.parametrize("table", ["ab", "abbb", "aabb", "abab", "abcd", "aaaa"])
def test_every_bot_sits_in_every_seat_equally_often(table):
    turned = rotations(table)
    assert len(set(turned)) == len(turned)
    for letter in set(table):
        by_seat = [sum(seats[seat] == letter for seats in turned) for seat in range(len(table))]
        assert len(set(by_seat)) == 1


@pytest.mark.parametrize("given", [["abc"], ["ababa"], [""], ["AB"], ["a b"]])
def test_tables_that_cannot_be(given):
    with pytest.raises(OptionError, match=r"Allowed: 1 to 4 letters, one per seat, from a .* to b"):
        seatings(4, 2, given)


def test_everyone_sits_somewhere():
    with pytest.raises(OptionError, match="Bot c is not at any table"):
        seatings(4, 3, ["ab"])


@pytest.mark.parametrize("bots", [0, 1, 27])
def test_an_arena_is_for_two_at_least(bots):
    with pytest.raises(OptionError, match=f"not {bots}"):
        seatings(4, bots)
