"""What a view says of the consequences, against the clauses in other words."""

import random

import pytest

import hastilude
from tests.triatri.tables import points

every_number = pytest.mark.parametrize("players", [2, 3, 4])


def positions(players, seeds):
    for seed in seeds:
        match = hastilude.load("triatri", players=players).new(seed=seed)
        choose = random.Random(seed)
        yield match
        while not match.over:
            seat = choose.choice(match.pending)
            match.play(seat, choose.choice(match.legal(seat)))
            yield match


def test_A4_every_colour_beats_another():
    match = hastilude.load("triatri").new(seed=1)
    assert match.view().beats == {"R": "G", "G": "B", "B": "R"}


@every_number
def test_A8_A10_the_highest_cards_and_their_factors(players):
    for match in positions(players, range(6)):
        view = match.view()
        for trick in filter(None, [*view.tricks, view.table]):
            lies = [lying for lying in trick.lies if lying]
            most = max((lying.worth for lying in lies), default=0)
            for lying in lies:
                assert lying.highest == (lying.worth == most)
                number = int(lying.card[1:] or 0)
                assert lying.worth == lying.factor * number
            assert trick.winner is None or trick.lies[trick.winner].highest


@every_number
def test_A14_tallies_add_up_to_the_scores(players):
    for match in positions(players, range(6)):
        view = match.view()
        for gems, tally, score in zip(view.gems, view.tallies, view.scores, strict=True):
            assert score == points(gems, view.supply)
            assert score == tally.set_points + tally.pair_points + tally.left_points
            assert tally.gems == 3 * tally.sets + 2 * tally.pairs + tally.left == sum(gems.values())
            assert tally.sets == tally.set_points == min(gems.values())
            if tally.left:
                assert gems[tally.left_gem] == max(gems.values())
                assert tally.each == view.supply[tally.left_gem]


@every_number
def test_A15_who_is_ahead_and_who_has_won(players):
    for match in positions(players, range(20)):
        view = match.view()
        assert view.winners == match.winners
        standing = [
            (score, sum(gems.values())) for score, gems in zip(view.scores, view.gems, strict=True)
        ]
        best = tuple(seat for seat in range(players) if standing[seat] == max(standing))
        assert view.ahead == (best if len(best) < players else ())
        if match.over and view.ending != "instant_win":
            assert view.winners == best


@every_number
def test_A5_known_cards_are_held(players):
    known = 0
    for match in positions(players, range(40)):
        for seat, cards in enumerate(match.view().known):
            known += len(cards)
            assert set(cards) <= set(match.view(seat).hand)
    assert known or players == 4  # four equal bids are rare


@every_number
def test_A11_a_trick_knows_its_round_and_number(players):
    for match in positions(players, range(3)):
        view = match.view()
        now = [*view.tricks, *([view.table] if view.table else [])]
        assert [(one.round, one.number) for one in now] == [
            (view.round, number) for number in range(1, len(now) + 1)
        ]
        if view.last_trick and not view.tricks:
            assert (view.last_trick.round, view.last_trick.number) == (view.round - 1, 5)
