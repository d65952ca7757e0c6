"""A match refuses what is wrong, with a sentence that says what would be right."""

import pytest

import hastilude
from hastilude import ChanceError, IllegalAction, OptionError
from hastilude.messages import render
from tests.tornei.tables import deal


@pytest.fixture
def match():
    return hastilude.load("tornei").new(seed=7)


def test_unknown_game_says_what_exists_and_the_nearest():
    with pytest.raises(OptionError, match="Did you mean tornei") as error:
        hastilude.load("tournei")
    for name in hastilude.games():
        assert name in str(error.value)
    with pytest.raises(OptionError, match="Did you mean kings_tournament"):
        hastilude.load("kings")
    with pytest.raises(OptionError, match="There is no game named poker"):
        hastilude.load("poker")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"player": 3}, "Did you mean players"),
        ({"zzz": 3}, "Its options are: players, first_dealer"),
        ({"players": 5}, "Invalid players: 5. Allowed: 3, 4"),
        ({"players": "4"}, "Invalid players: 4. Allowed: 3, 4"),
        ({"players": True}, "Invalid players: True"),
        ({"players": None}, "Invalid players"),
        ({"first_dealer": -1}, "Allowed: 0, 1, 2, 3"),
        ({"self": 1, "name": 2}, "has no option"),
    ],
)
def test_a_bad_option_says_what_is_allowed(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        hastilude.load("tornei", **options)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(OptionError, match="from 0 to 2"):
        hastilude.load("tornei").new(seed=seed)


def test_without_a_seed_matches_differ():
    game = hastilude.load("tornei")
    assert game.new().state != game.new().state


@pytest.mark.parametrize(
    ("seat", "action", "sentence"),
    [
        (0, 0, "T6: It is not your turn. To act: Player 2."),
        (1, "W15", "There is no action W15. Did you mean "),
        (1, "?", "There is no action ?."),
        (1, 56, "There is no action 56. Actions are numbered from 0 to 55."),
        (1, -1, "There is no action -1"),
        (4, 0, "There is no seat 4. Seats are numbered from 0 to 3."),
        (-1, 0, "There is no seat -1"),
        (None, 0, "There is no seat none"),
        (1, None, "There is no action none"),
        (1, 2.0, "There is no action 2.0"),
    ],
)
def test_a_bad_play_is_refused_and_changes_nothing(match, seat, action, sentence):
    before = match.state
    with pytest.raises(IllegalAction) as error:
        match.play(seat, action)
    assert str(error.value).startswith(sentence)
    assert str(match.why(seat, action)) == str(error.value)
    assert match.state == before
    assert match.record().events == hastilude.load("tornei").new(seed=7).record().events


def test_a_card_not_held_is_refused_with_the_hand(match):
    missing = next(text for text in match.game.texts if text not in match.view(1).hand)
    hand = ", ".join(match.view(1).hand)
    assert str(match.why(1, missing)) == f"T6: You do not hold {missing}. Your hand: {hand}."


def test_nothing_can_be_played_after_the_end(match):
    while not match.over:
        match.play(match.turn, match.legal(match.turn)[0])
    with pytest.raises(IllegalAction, match="The match is over"):
        match.play(0, "W1")
    assert str(match.why(2, 5)) == "The match is over."


def test_an_error_can_be_said_in_japanese():
    with pytest.raises(OptionError) as error:
        hastilude.load("tornei", players=7)
    assert render(error.value.message, "ja") == (
        "オプションplayersを7にはできません。選べる値：3、4。"
    )


def test_explicit_chance_deals_these_cards_and_then_ends():
    first = deal("W14", "C1", "S5", "F9")
    match = hastilude.load("tornei").new(chance=[first])
    assert "C1" in match.view(1).hand
    for _ in range(8 * 7 - 1):
        match.play(match.turn, match.legal(match.turn)[0])
    before, steps = match.state, len(match.steps)
    with pytest.raises(ChanceError, match="A deal is needed here, but no chance events are left"):
        match.play(match.turn, match.legal(match.turn)[0])
    assert match.state == before  # the play that could not be completed did not happen
    assert len(match.steps) == steps
    assert match.view().round == 1


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (["shuffle", {}], "A deal is needed here"),
        (["deal", {}, 1], "A deal is needed here"),
        (["deal"], "A deal is needed here"),
        (7, "A deal is needed here"),
        (["deal", {"cards": []}], "exactly these fields: hands"),
        (["deal", {"hands": [["W1"]]}], "a list of 4 hands"),
        (["deal", {"hands": [["W1"]] * 4}], "1 cards instead of 14"),
        (["deal", {"hands": "W1W1"}], "a list of 4 hands"),
        (["deal", {"hands": ["W1"] * 4}], "Expected a list of cards"),
        (["deal", {"hands": [["W1"] * 14] * 4}], "exactly once"),
        (["deal", {"hands": [["W99"] * 14] * 4}], "W99 is not a card"),
        (["deal", {"hands": [[["W1"]] * 14] * 4}], "is not a card"),
    ],
)
def test_a_bad_deal_is_refused_before_anything_starts(event, sentence):
    with pytest.raises(ChanceError, match=sentence):
        hastilude.load("tornei").new(chance=[event])


def test_events_since(match):
    told = match.events(1)
    match.play(1, match.legal(1)[0])
    assert match.events(1)[: len(told)] == told
    assert match.events(1, since=len(told)) == match.events(1)[len(told) :] != []
