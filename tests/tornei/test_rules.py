"""Tornei, clause by clause (RULES.md), and the examples of its last section."""

import random

import pytest

import hastilude
from hastilude.games.tornei.notation import CARD_TEXTS
from tests.playing import finish, finish_trick
from tests.tornei.tables import deal, play, table

SUIT_RUNS = [" ".join(f"{suit}{rank}" for rank in range(1, 15)) for suit in "WFSC"]


def test_T1_fifty_six_cards():
    game = hastilude.load("tornei")
    assert game.num_actions == 56
    assert set(game.texts) == {f"{suit}{rank}" for suit in "WFSC" for rank in range(1, 15)}


def test_T2_suit_then_number():
    assert CARD_TEXTS[0] == "C1"
    assert CARD_TEXTS[-1] == "W14"
    by_strength = sorted(CARD_TEXTS, key=lambda text: ("CSFW".index(text[0]), int(text[1:])))
    assert list(CARD_TEXTS) == by_strength


@pytest.mark.parametrize(
    ("cards", "places"),
    [
        ("W2 F14 F3 C14", (1, 2, 3, 4)),  # example 1
        ("C9 W1 S14 F5", (4, 1, 3, 2)),  # example 2
    ],
)
def test_T2_T10_places_do_not_depend_on_the_led_suit(cards, places):
    lead, *others = cards.split()
    fillers = {"W": SUIT_RUNS[0], "F": SUIT_RUNS[1], "S": SUIT_RUNS[2], "C": SUIT_RUNS[3]}
    # Seat 1 leads; the others hold a single suit each, never the led one but by choice.
    hands = dict(zip((1, 2, 3, 0), (lead, *others), strict=True))
    held = {seat: [card] for seat, card in hands.items()}
    spare = [card for run in fillers.values() for card in run.split() if card not in cards.split()]
    for seat in (2, 3, 0):
        own = hands[seat][0]
        held[seat] += [card for card in spare if card[0] == own][:13]
        spare = [card for card in spare if card not in held[seat]]
    for seat in (2, 3, 0):
        extra = [card for card in spare if card[0] != lead[0]][: 14 - len(held[seat])]
        held[seat] += extra
        spare = [card for card in spare if card not in extra]
    match = table(*(" ".join(held[seat]) for seat in range(4)))
    match.play(1, lead)
    for seat in range(4):
        match.play(seat, next(c for c in match.view(seat).hand if c != hands[seat]))
    for seat in (2, 3, 0):
        match.play(seat, hands[seat])
    trick = match.view().last_trick
    assert tuple(trick.places[seat] for seat in (1, 2, 3, 0)) == places


@pytest.mark.parametrize("players", [3, 4])
def test_T3_every_player_deals_once(players):
    match = hastilude.load("tornei", players=players, first_dealer=1).new(seed=3)
    dealers = [match.view().dealer]
    while not match.over:
        match.play(match.turn, match.legal(match.turn)[0])
        if match.view().dealer != dealers[-1]:
            dealers.append(match.view().dealer)
    assert dealers == [(1 + k) % players for k in range(players)]
    assert len(match.view().rounds) == players


def test_T3_first_dealer_is_a_players_seat():
    with pytest.raises(hastilude.OptionError, match="Allowed: 0, 1, 2"):
        hastilude.load("tornei", players=3, first_dealer=3)


def test_T4_fourteen_cards_and_seven_tricks():
    match = hastilude.load("tornei").new(seed=1)
    assert [len(match.view(seat).hand) for seat in range(4)] == [14] * 4
    tricks = 0
    while match.view().round == 1:
        finish_trick(match)
        tricks += 1
    assert tricks == 7


@pytest.mark.parametrize(("dealer", "leader"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_T5_left_of_the_dealer_leads(dealer, leader):
    assert hastilude.load("tornei", first_dealer=dealer).new(seed=1).pending == (leader,)


def test_T5_winner_leads_the_next_trick():
    match = hastilude.load("tornei").new(seed=5)
    finish_trick(match)
    assert match.pending == (match.view().last_trick.winner,)


def test_T6_leader_may_lead_any_card():
    match = hastilude.load("tornei").new(seed=1)
    assert len(match.legal(1)) == 14
    assert match.legal(0) == match.legal(2) == match.legal(3) == []


def test_T7_all_predict_at_once_in_any_order_with_any_card_left():
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        match = hastilude.load("tornei").new(seed=1)
        match.play(1, match.legal(1)[0])
        assert match.pending == (0, 1, 2, 3)
        assert len(match.legal(1)) == 13
        assert len(match.legal(0)) == 14
        for seat in order:
            match.play(seat, match.legal(seat)[0])
        assert match.pending == (2,)


def test_T7_who_has_chosen_is_visible_and_what_is_not():
    match = hastilude.load("tornei").new(seed=1)
    match.play(1, match.legal(1)[0])
    chosen = match.game.text(match.legal(2)[3])
    match.play(2, chosen)
    assert match.view(0).predicted == (False, False, True, False)
    assert match.view(0).prediction is None
    assert match.view(2).prediction == chosen
    assert chosen not in repr(match.view(0))
    assert chosen not in repr(match.view(None))


def test_T7_a_choice_once_made_stands():
    match = hastilude.load("tornei").new(seed=1)
    match.play(1, match.legal(1)[0])
    first, second = match.legal(2)[:2]
    match.play(2, first)
    refusal = match.why(2, second)
    assert refusal.clause == "T7"
    assert match.game.text(first) in str(refusal)


def test_T8_others_play_clockwise_from_the_leaders_left():
    match = hastilude.load("tornei").new(seed=1)
    match.play(1, match.legal(1)[0])
    for seat in range(4):
        match.play(seat, match.legal(seat)[0])
    order = []
    for _ in range(3):
        order += match.pending
        match.play(match.turn, match.legal(match.turn)[0])
    assert order == [2, 3, 0]


def test_T9_must_follow_the_led_suit():
    match = table("W1", "C9", "C4 C11 W2 F1 S3", "W3", first_dealer=0)
    play(match, "1:C9 0:W1 2:F1 3:W3")
    match.play(1, match.legal(1)[-1])
    assert {text[0] for text in map(match.game.text, match.legal(2))} == {"C"}
    refusal = match.why(2, "S3")
    assert refusal.clause == "T9"
    assert str(refusal).startswith("T9: Cross was led and you hold ")
    assert "C4" in str(refusal)
    assert "C11" in str(refusal)


def test_T9_prediction_with_last_card_makes_void():
    red, rest = "C4", "W1 W2 W3 W4 W5 W6 W7 F1 F2 F3 F4 F5 F6"
    match = table("S1 S2", "C9", f"{red} {rest}", "S3 S4")
    match.play(1, "C9")
    match.play(2, red)  # the last Cross, put down as a prediction
    for seat in (0, 1, 3):
        match.play(seat, match.legal(seat)[0])
    assert len(match.legal(2)) == 13
    assert match.why(2, "W7") is None


def test_T10_right_predictions_above_wrong_below_until_the_round_ends():
    match = finish_trick(hastilude.load("tornei").new(seed=11))
    view = match.view()
    for seat, board in enumerate(view.boards):
        card = view.last_trick.predictions[seat]
        right = "WFSC".index(card[0]) + 1 == view.last_trick.places[seat]
        assert (board.right, board.wrong) == (((card,), ()) if right else ((), (card,)))
    while match.view().round == 1:
        finish_trick(match)
    assert all(board.right == board.wrong == () for board in match.view().boards)


def test_T11_strongest_card_wins_the_trick():
    match = finish_trick(hastilude.load("tornei").new(seed=2))
    trick = match.view().last_trick
    assert trick.jousts[trick.winner] == max(trick.jousts, key=CARD_TEXTS.index)
    assert match.view().boards[trick.winner].tricks == 1


def test_T12_round_score_counted_again_from_the_history():
    points = {"W": 2, "F": 3, "S": 3, "C": 2}
    for seed in range(20):
        match = hastilude.load("tornei").new(seed=seed)
        choose = random.Random(seed)
        while match.view().round == 1:
            before = match.view()
            match.play(match.turn, choose.choice(match.legal(match.turn)))
        tricks = [*before.tricks, match.view().last_trick]
        for seat in range(4):
            right = [
                trick.predictions[seat][0]
                for trick in tricks
                if "WFSC".index(trick.predictions[seat][0]) + 1 == trick.places[seat]
            ]
            won = sum(trick.winner == seat for trick in tricks)
            expected = sum(points[suit] for suit in right) + (won or 3)
            assert match.view().rounds[0][seat] == expected


def test_T12_example_no_tricks_and_three_right_predictions():
    """Example 3: 0 tricks, right with C, C, S: 2 + 2 + 3 + 3 = 10."""
    for seed in range(3000):
        match = finish_round(hastilude.load("tornei").new(seed=seed), random.Random(seed))
        for event in match.events():
            if event.key == "tornei_scored" and event.tricks == 0 and event.predictions == 7:
                assert (event.trick_points, event.points) == (3, 10)
                return
    pytest.fail("no such round was found")


def finish_round(match, choose):
    while match.view().round == 1:
        match.play(match.turn, choose.choice(match.legal(match.turn)))
    return match


@pytest.mark.parametrize("players", [3, 4])
def test_T19_T20_a_table_chooses_the_points(players):
    points, bonus = (6, 0, 1, 5), 10
    game = hastilude.load(
        "tornei", players=players, place_points=points, no_trick_points=bonus, first_dealer=1
    )
    told = []
    for seed in range(40):
        match = finish_round(game.new(seed=seed), random.Random(seed))
        for event in match.events():
            if event.key == "tornei_predicted_right":
                assert event.points == points[event.place - 1]
            elif event.key == "tornei_scored":
                told.append(event)
                assert event.points == event.predictions + (event.tricks or bonus)
                assert match.view().rounds[0][event.seat] == event.points
    assert any(event.tricks == 0 for event in told)
    assert max(event.predictions for event in told) > 18  # more than six right by the printed rule
    (first, *_) = (event for event in told if event.tricks == 0)
    assert "a 10-point bonus for taking no tricks" in str(first)


@pytest.mark.parametrize(
    "points", [(2, 3, 3), (2, 3, 3, 7), (2, 3, 3, -1), (2, 3, 3, 2.0), "2332", 3]
)
def test_T19_the_points_are_four_numbers_from_0_to_6(points):
    with pytest.raises(hastilude.OptionError, match="4 whole numbers from 0 to 6"):
        hastilude.load("tornei", place_points=points)


def test_T19_the_view_of_a_trick_counts_like_the_score():
    match = hastilude.load("tornei", place_points=(1, 2, 4, 6)).new(seed=5)
    choose = random.Random(5)
    while match.view().trick < 7:
        match.play(match.turn, choose.choice(match.legal(match.turn)))
        view = match.view()
        for seat, board in enumerate(view.boards):
            assert board.points == sum(trick.points[seat] for trick in view.tricks)


def test_T13_highest_total_wins_and_equals_share():
    shared = 0
    for seed in range(400):
        match = finish(hastilude.load("tornei", players=3).new(seed=seed))
        best = max(match.scores)
        assert match.winners == tuple(s for s, score in enumerate(match.scores) if score == best)
        assert match.scores == tuple(map(sum, zip(*match.view().rounds, strict=True)))
        shared += len(match.winners) > 1
    assert shared


def test_T14_dummy_has_seven_cards_laid_and_seven_in_the_pile():
    match = hastilude.load("tornei", players=3).new(seed=1)
    ((_, values),) = match.record().events
    view = match.view(0)
    assert sum(len(column) for column in view.dummy.columns.values()) == 7
    for suit, column in view.dummy.columns.items():
        assert column == tuple(card for card in values["dummy"] if card[0] == suit)
    assert view.dummy.pile == ()
    assert len(match.scores) == 3


DUMMY_CARDS = "F3 C7 S8 F12 C2 S1 C9"  # example 4; W: –, F: F3 F12, S: S8 S1, C: C7 C2 C9


def test_T15_example_dummy_leads_the_top_of_its_strongest_column():
    match = table("", "", "", dummy=DUMMY_CARDS, first_dealer=2)
    assert match.view().jousts == (None, None, None, "F12")


@pytest.mark.parametrize(("led", "answer"), [("C1", "C9"), ("W1", "F12"), ("S2", "S1")])
def test_T15_example_dummy_follows_from_the_led_column_else_from_the_strongest(led, answer):
    match = table("", led, "", dummy=DUMMY_CARDS)
    match.play(1, led)
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
    match.play(2, match.legal(2)[0])
    assert match.view().jousts[3] == answer


def test_T15_next_card_of_a_column_when_the_top_is_gone():
    match = table("", "", "", dummy=DUMMY_CARDS, first_dealer=2)
    assert match.view().dummy.columns["F"] == ("F3",)  # F12 was led
    seen = []
    while match.view().round == 1:
        match.play(match.turn, match.legal(match.turn)[0])
        seen = [trick.jousts[3] for trick in match.view().tricks] or seen
        if match.view().trick == 7 and match.view().jousts[3]:
            break
    fleurs = [card for card in seen if card[0] == "F"]
    assert fleurs == ["F12", "F3"][: len(fleurs)]
    assert len(set(seen)) == len(seen)


def test_T16_dummy_leads_the_first_trick_when_seat_2_deals():
    match = hastilude.load("tornei", players=3, first_dealer=2).new(seed=1)
    assert match.view().leader == 3
    assert match.view().jousts[3] is not None
    assert match.pending == (0, 1, 2)


def test_T16_dummy_leads_after_a_trick_it_won():
    for seed in range(50):
        match = finish_trick(hastilude.load("tornei", players=3).new(seed=seed))
        if match.view().last_trick.winner == 3:
            assert match.view().leader == 3
            assert match.view().jousts[3] is not None
            assert match.pending == (0, 1, 2)
            return
    pytest.fail("the dummy won no first trick")


def test_T17_a_card_of_the_pile_is_turned_up_after_every_trick():
    match = hastilude.load("tornei", players=3).new(seed=4)
    pile = match.record().events[0][1]["pile"]
    for turned in range(1, 7):
        finish_trick(match)
        assert match.view(1).dummy.pile == tuple(pile[:turned])


def test_T18_what_is_public():
    match = finish_trick(hastilude.load("tornei").new(seed=9))
    view = match.view(None)
    assert view.hand == ()
    assert view.hand_sizes == (12, 12, 12, 12)
    assert len(view.tricks) == 1
    assert all(view.last_trick.jousts)
    assert all(view.last_trick.predictions)


def test_T18_the_last_trick_can_be_looked_at_after_a_new_deal():
    match = hastilude.load("tornei").new(seed=9)
    while match.view().round == 1:
        last = match.view().tricks
        match.play(match.turn, match.legal(match.turn)[0])
    assert match.view().tricks == ()
    assert match.view().last_trick is not None
    assert match.view().last_trick not in last


def test_rotating_the_seats_rotates_the_results():
    """Seat symmetry, without the dummy."""
    deals = [deal(*SUIT_RUNS)[1]["hands"]]
    cards = list(CARD_TEXTS)
    for seed in range(3):
        random.Random(seed).shuffle(cards)
        deals.append([cards[14 * seat : 14 * (seat + 1)] for seat in range(4)])
    for turn in range(4):
        rotated = [["deal", {"hands": hands[-turn:] + hands[:-turn]}] for hands in deals]
        match = finish(hastilude.load("tornei", first_dealer=turn).new(chance=rotated))
        scores = match.scores[turn:] + match.scores[:turn]
        if turn == 0:
            expected = scores
        assert scores == expected
