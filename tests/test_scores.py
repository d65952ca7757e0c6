"""Every score can be explained: what a view and the events say of it adds up to the score."""

import random

import pytest

import hastilude
from tests.variants import PARAMETERS, every_variant

MATCHES = 6


def positions(name, options):
    """Random matches, move by move, as a spectator sees them."""
    for seed in range(MATCHES):
        match, choose = hastilude.load(name, **options).new(seed=seed), random.Random(seed)
        yield match
        while not match.over:
            match.play(match.turn, choose.choice(match.legal(match.turn)))
            yield match


def told(match, *kinds):
    keys = {f"{match.game.name}_{kind}" for kind in kinds}
    return [event for event in match.events(None) if event.key in keys]


def variants(name):
    chosen = [one for one in PARAMETERS if one.values[0] == name]
    return pytest.mark.parametrize(("name", "options"), chosen)


@every_variant
def test_the_view_has_the_score(name, options):
    for match in positions(name, options):
        assert match.view().scores == match.scores


@variants("tornei")
def test_T12_rounds_predictions_and_tricks_add_up(name, options):
    for match in positions(name, options):
        view = match.view()
        for seat, board in enumerate(view.boards):
            scored = [event for event in told(match, "scored") if event.seat == seat]
            assert [event.points for event in scored] == [points[seat] for points in view.rounds]
            for event in scored:
                assert event.points == event.predictions + event.trick_points
                bonus = match.game.options["no_trick_points"]
                assert event.trick_points == (event.tricks or bonus)
            finished = sum(event.points for event in scored)
            assert view.scores[seat] == finished
            current = 0 if match.over else board.points + board.trick_points
            assert board.total == finished + current


@variants("kings_tournament")
def test_K12_K14_games_and_hits_add_up(name, options):
    for match in positions(name, options):
        view = match.view()
        games = told(match, "game_won", "game_drawn")
        won = [getattr(event, "winner", None) for event in games]
        assert view.scores == (won.count(0), won.count(1))
        assert [event.game for event in games] == list(range(1, len(games) + 1))
        struck = [event.seat for event in told(match, "hit")]
        current = (0, 0) if match.over else view.hits
        for seat in range(2):
            finished = sum(event.hits[seat] for event in games)
            assert struck.count(seat) == finished + current[seat]
        for event in games:
            if (winner := getattr(event, "winner", None)) is not None:
                assert event.hits[winner] >= 1  # K12: a hit defeats


MOVES_A_GEM = (
    "gem_from_supply", "gem_of_own", "won_by_worth", "won_by_colour", "won_by_colour_later",
    "won_later_one_colour", "won_later_three_colours", "won_later_exchange",
    "won_later", "won_earlier",
)  # fmt: skip


@variants("triatri")
def test_A14_tallies_add_up_and_every_change_is_told(name, options):
    fell = 0
    for match in positions(name, options):
        view = match.view()
        for seat, tally in enumerate(view.tallies):
            parts = tally.set_points + tally.pair_points + tally.left_points
            assert parts == view.scores[seat]
            assert tally.left_points == tally.left * tally.each
        scores = (0,) * match.game.seats
        for event in told(match, *MOVES_A_GEM):
            assert event.scores_before == scores
            scores = event.scores
            others = [seat for seat in range(match.game.seats) if seat != event.seat]
            fell += any(event.scores[seat] < event.scores_before[seat] for seat in others)
        assert view.scores == scores
    assert fell  # somebody lost points because another took a gem from the supply
