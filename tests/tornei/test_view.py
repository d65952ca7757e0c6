"""What a view says of the consequences, against the clauses in other words."""

import random

import pytest

import hastilude

SUITS = "CSFW"  # weakest first


def strength(card):
    return SUITS.index(card[0]), int(card[1:])


def positions(players, seeds):
    for seed in seeds:
        match, choose = (
            hastilude.load("tornei", players=players).new(seed=seed),
            random.Random(seed),
        )
        yield match
        while not match.over:
            match.play(match.turn, choose.choice(match.legal(match.turn)))
            yield match


@pytest.mark.parametrize("players", [3, 4])
def test_T10_T11_T12_tricks_have_places_and_say_who_was_right(players):
    for match in positions(players, range(3)):
        for trick in match.view().tricks:
            order = sorted(trick.jousts, key=strength, reverse=True)
            assert trick.places == tuple(order.index(card) + 1 for card in trick.jousts)
            assert trick.jousts[trick.winner] == order[0]
            said = tuple({"W": 1, "F": 2, "S": 3, "C": 4}[card[0]] for card in trick.predictions)
            assert trick.predicted_places == said
            assert trick.right == tuple(
                place == told for place, told in zip(trick.places, said, strict=False)
            )
            worth = [0, 2, 3, 3, 2]
            assert trick.points == tuple(
                worth[place] if right else 0 for place, right in zip(said, trick.right, strict=True)
            )


@pytest.mark.parametrize("players", [3, 4])
def test_T10_T12_boards_add_up_the_tricks(players):
    for match in positions(players, range(3)):
        view = match.view()
        for seat, board in enumerate(view.boards):
            shown = [(trick.predictions[seat], trick.right[seat]) for trick in view.tricks]
            assert board.right == tuple(card for card, right in shown if right)
            assert board.wrong == tuple(card for card, right in shown if not right)
            assert board.points == sum(trick.points[seat] for trick in view.tricks)


@pytest.mark.parametrize("players", [3, 4])
def test_T13_who_is_ahead_and_who_has_won(players):
    for match in positions(players, range(3)):
        view = match.view()
        assert view.winners == match.winners
        earned = [0 if match.over else board.points for board in view.boards]
        totals = [score + points for score, points in zip(view.scores, earned, strict=True)]
        most = max(totals)
        assert view.ahead == tuple(s for s, total in enumerate(totals) if most and total == most)
        if match.over:
            assert view.ahead == view.winners


def test_T6_a_trick_knows_its_round_and_number():
    for match in positions(4, range(1)):
        view = match.view()
        assert [trick.number for trick in view.tricks] == [*range(1, len(view.tricks) + 1)]
        assert {trick.round for trick in view.tricks} <= {view.round}
        if view.last_trick and not view.tricks:
            assert (view.last_trick.round, view.last_trick.number) == (view.round - 1, 7)


def test_T14_T17_cards_and_tricks_of_the_dummy():
    for match in positions(3, range(2)):
        view = match.view()
        assert view.dummy.pile_left == 7 - len(view.dummy.pile)
        assert view.dummy.tricks == sum(trick.winner == 3 for trick in view.tricks)


@pytest.mark.parametrize("players", [3, 4])
def test_T18_hand_sizes_are_those_of_the_hands(players):
    for match in positions(players, range(2)):
        sizes = tuple(len(match.view(seat).hand) for seat in range(players))
        assert all(match.view(viewer).hand_sizes == sizes for viewer in (None, 0, 1))
