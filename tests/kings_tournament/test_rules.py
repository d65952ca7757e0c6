"""King's Tournament, clause by clause (RULES.md), and the examples of its last section."""

import random
from collections import Counter

import numpy as np
import pytest

import hastilude
from hastilude import ChanceError, OptionError, explain
from hastilude.core import rules as core
from hastilude.core.bits import lowest
from hastilude.core.calls import redact_at, start_at
from hastilude.core.playout import play_many
from hastilude.core.random import generator
from hastilude.games.kings_tournament import rules
from hastilude.games.kings_tournament.cards import MARGIN, single, size
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.view import pair_of
from tests.kings_tournament.tables import both_on_foot, joust, melee, play, table, turn
from tests.playing import kinds

LEVEL = (0, 0, 0, 0, 9, 9, 9, 0, 0, 0)
HARMLESS = (0, 0, 0, 0, 0, 27, 0, 0, 0, 0)  # no margin of 7 exists


def new(seed=1, **options):
    return hastilude.load("kings_tournament", **options).new(seed=seed)


def finish(match, choose):
    while not match.over:
        seat = choose.choice(match.pending)
        match.play(seat, choose.choice(match.legal(seat)))
    return match


def shuffles(match):
    return [values for kind, *rest in match.record().events if kind == "shuffle" for values in rest]


# --- K1, K2: the cards --------------------------------------------------------------------------


def test_K1_thirty_three_cards_each():
    for values in shuffles(new())[:2]:
        found = Counter(values["deck"])
        assert sum(found.values()) == 33
        assert found["D"] == found["B"] == 3
        assert [found[str(value)] for value in range(1, 11)] == [3, 3, 3, 3, 3, 3, 3, 2, 2, 2]


def test_K1_written_1_to_10_D_B():
    assert new().game.texts == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "D", "B")


def test_K1_seat_0_is_red_and_seat_1_blue():
    assert new().game.names("en") == ("Red", "Blue")
    assert new().game.names("ja") == ("赤", "青")


def test_K1_other_values():
    match = new(values=[0, 0, 0, 0, 0, 0, 0, 0, 20, 7])
    assert Counter(shuffles(match)[0]["deck"]) == {"9": 20, "10": 7, "D": 3, "B": 3}


@pytest.mark.parametrize(
    "values",
    [
        (3, 3, 3, 3, 3, 3, 3, 2, 2, 3),
        (27,),
        (28, -1, 0, 0, 0, 0, 0, 0, 0, 0),
        (27.0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        "3333333222",
        None,
        27,
    ],
)
def test_K1_values_must_be_ten_counts_that_total_27(values):
    with pytest.raises(OptionError, match="10 whole numbers, none negative, that total 27"):
        hastilude.load("kings_tournament", values=values)


@pytest.mark.parametrize(
    ("cards", "worths"),
    [
        ("10 7", (10, 7)),
        ("4 4", (4, 4)),
        ("D 7", (14, 7)),
        ("2 D", (2, 4)),
        ("D 10", (20, 10)),
        ("D D", (0, 0)),
        ("B 10", (0, 0)),
        ("D B", (0, 0)),
        ("B B", (0, 0)),
    ],
)
def test_K2_worth(cards, worths):
    numbers = [CARD_TEXTS.index(card) for card in cards.split()]
    pair = pair_of(*numbers, 7)
    assert pair.worths == worths
    assert pair.margin == abs(worths[0] - worths[1]) == abs(MARGIN[tuple(numbers)])
    assert pair.winner == (None if not pair.margin else worths.index(max(worths)))


def test_K2_double_strike_beats_any_value_by_that_value():
    for value in range(1, 11):
        assert MARGIN[CARD_TEXTS.index("D"), CARD_TEXTS.index(str(value))] == value
    assert (MARGIN == -MARGIN.T).all()


# --- K3 to K8: the joust ------------------------------------------------------------------------


def test_K3_both_mounted_and_each_deck_shuffled():
    match = new()
    assert match.view().mounted == (True, True)
    assert [values["seat"] for values in shuffles(match)] == [0, 1]
    assert kinds(match.events())[:3] == ["game_began", "shuffled", "shuffled"]


@pytest.mark.parametrize("option", ["committed", "stepwise"])
def test_K4_both_draw_five_from_the_top(option):
    match = new(joust=option)
    for seat, values in enumerate(shuffles(match)):
        assert Counter(match.view(seat).hand) == Counter(values["deck"][:5])
    assert match.view().hand_sizes == (5, 5)
    assert match.view().deck_sizes == (28, 28)


def test_K5_three_of_five_in_an_order_at_the_same_time():
    for order in ((0, 0, 0, 1, 1, 1), (1, 0, 0, 1, 1, 0)):
        match = table("1 2 3 4 5", "6 7 8 9 10")
        lines = [iter(("5", "1", "3")), iter(("6", "9", "7"))]
        assert match.pending == (0, 1)
        for seat in order:
            assert seat in match.pending
            match.play(seat, next(lines[seat]))
        last = match.view().last_joust
        assert [pair.cards for pair in last.pairs] == [("5", "6"), ("1", "9"), ("3", "7")]
        assert last.discards == (("2", "4"), ("8", "10"))


def test_K5_a_card_is_chosen_no_oftener_than_held():
    match = play(table("7 7 D 1 2"), "0:7 0:7")
    assert [match.game.text(action) for action in match.legal(0)] == ["1", "2", "D"]
    refusal = match.why(0, "7")
    assert str(refusal) == ("K5: You have already chosen 7 and hold no other. Your hand: 1, 2, D.")
    assert str(match.why(0, "B")) == "K5: You do not hold B. Your hand: 1, 2, D."


def test_K5_a_choice_once_made_stands():
    match = play(table("7 7 D 1 2"), "0:7 0:D 0:1")
    assert match.pending == (1,)
    assert match.legal(0) == []
    assert str(match.why(0, "2")) == ("K5: You have already chosen 7, D, 1. You can't change it.")


def test_K6_committed_nothing_shows_until_both_are_ready():
    match = table("1 2 3 4 5", "6 7 8 9 10")
    start = match.view(1)
    play(match, "0:5 0:1")
    assert match.view(1) == start
    assert match.view(0).choice == ("5", "1")
    play(match, "0:3")
    assert match.view(1).chosen == (True, False)
    told = len(match.events())
    play(match, "1:6 1:9 1:7")
    assert kinds(match.events(since=told))[:6] == [
        "ready", "discarded", "discarded", "revealed", "revealed", "revealed",
    ]  # fmt: skip


def test_K6_stepwise_discards_then_card_by_card_and_the_third_is_not_asked_for():
    match = table("1 2 3 4 5", "5 6 7 8 9", joust="stepwise")
    play(match, "1:6 0:2 0:4")
    assert match.view(1).phase == "discard"
    assert match.view(1).chosen == (True, False)
    assert match.view(1).aside == ((), ())
    play(match, "1:8")
    assert match.view(1).phase == "beat"
    assert match.view(1).aside == (("2", "4"), ("6", "8"))
    play(match, "1:9")
    assert match.view(0).line == ((), ())
    assert str(match.why(1, "7")) == "K6: You have already chosen 9. You can't change it."
    play(match, "0:5")
    assert match.view(0).line == (("5",), ("9",))
    play(match, "0:1 1:7")
    last = match.view().last_joust
    assert [pair.cards for pair in last.pairs] == [("5", "9"), ("1", "7"), ("3", "5")]
    assert sum(event[0] == "play" for event in match.record().events) == 8


@pytest.mark.parametrize(
    ("red", "blue", "deciding", "winner"),
    [
        ("1 1 4", "10 10 1", 3, 0),  # the third pair comes first
        ("1 1 1", "10 1 4", 3, 1),
        ("1 5 3", "9 2 1", 2, 0),  # margin 2 is too small
        ("7 D D", "10 2 2", 1, 1),  # double strikes by 2 are too small
        ("1 1 D", "1 1 3", 3, 0),
        ("3 B D", "1 10 D", None, None),
    ],
)
def test_K7_first_pair_from_the_back_with_a_margin_of_3(red, blue, deciding, winner):
    match = joust(table(f"{red} 6 6", f"{blue} 6 6"), red, blue)
    last = match.view().last_joust
    assert (last.deciding, last.winner) == (deciding, winner)
    assert match.view().mounted == tuple(winner in (seat, None) for seat in (0, 1))
    told = kinds(match.events())
    assert told.count("pair_decided") == (deciding is not None)
    assert told.count("pair_ignored") == (deciding or 1) - 1


@pytest.mark.parametrize(
    ("margin", "deciding", "winner"), [(1, 3, 0), (2, 3, 0), (3, 2, 0), (4, 1, 1), (6, 1, 1)]
)
def test_K17_another_margin_decides_a_joust(margin, deciding, winner):
    """The margins are 2, 3 and 8, from the third pair to the first."""
    match = joust(table("1 5 3 6 6", "9 2 1 6 6", joust_margin=margin), "1 5 3", "9 2 1")
    last = match.view().last_joust
    assert (last.deciding, last.winner) == (deciding, winner)
    (told,) = [event for event in match.events() if event.key.endswith("pair_decided")]
    assert f"At least {margin}, so they decide the joust." in str(told)
    assert match.view().joust_margin == margin


def test_K8_the_loser_stands_and_everything_is_discarded():
    match = joust(table("10 1 1 2 2", "1 1 1 2 2"), "1 1 10", "1 1 1")
    view = match.view()
    assert view.mounted == (True, False)
    assert view.phase == "lead"
    assert view.discards == (("1", "1", "2", "2", "10"), ("1", "1", "1", "2", "2"))
    assert view.line == ((), ())


@pytest.mark.parametrize("option", ["committed", "stepwise"])
def test_K8_an_undecided_joust_is_repeated(option):
    match = table("1 1 1 2 2 3 3 3 4 4", "1 1 1 2 2 3 3 3 4 4", joust=option)
    if option == "stepwise":
        play(match, "0:2 0:2 1:2 1:2 0:1 1:1 0:1 1:1")
    else:
        joust(match, "1 1 1", "1 1 1")
    view = match.view(0)
    assert view.mounted == (True, True)
    assert view.phase == ("discard" if option == "stepwise" else "joust")
    assert view.hand == ("3", "3", "3", "4", "4")
    assert view.discards == (("1", "1", "1", "2", "2"),) * 2
    assert (view.jousts, view.reveals) == (1, 3)
    assert "K8: Joust 1 ends without a deciding pair." in map(str, match.events())


# --- K9 to K12: the melee -----------------------------------------------------------------------


def test_K9_five_cards_and_five_again_when_both_hands_are_empty():
    match = melee("4 4 5 5 6", "3 3 4 4 5")
    assert match.view().hand_sizes == (5, 5)
    for number, (led, answer) in enumerate(zip("44556", "33445", strict=True), start=1):
        assert len(match.view().turns) == number - 1
        turn(match, led, answer)
    assert match.view().hand_sizes == (5, 5)
    assert match.view().deck_sizes == (18, 18)
    assert match.view().turns == ()
    assert match.view().last_turn.pair.cards == ("6", "5")


def test_K10_one_reveals_and_the_other_answers_seeing_it():
    match = melee("4 4 5 5 6", "3 3 4 4 5")
    assert match.pending == (0,)
    match.play(0, "5")
    assert match.pending == (1,)
    assert match.view(1).led == "5"
    assert str(match.why(0, "4")) == "K10: You have revealed 5; now Player 2 answers."
    assert str(match.why(1, "9")) == "K10: You do not hold 9. Your hand: 3, 3, 4, 4, 5."
    match.play(1, "4")
    assert match.view().led is None


@pytest.mark.parametrize("mounted", [0, 1])
def test_K11_the_only_mounted_knight_reveals_first_whatever_happens(mounted):
    match = melee("5 5 5 4 B", "5 5 5 4 B", mounted=mounted)
    for led, answer in ("4", "5"), ("5", "4"), ("B", "5"), ("5", "B"), ("5", "5"):
        assert match.pending == (mounted,)
        assert str(match.why(1 - mounted, "5")).startswith("K11: It is not your turn")
        turn(match, led, answer)
        assert kinds(match.events()).count("mounted_first") > 0
    assert match.pending == (mounted,)


def test_K11_both_on_foot_worth_more_and_after_a_tie_the_same():
    match = both_on_foot("5 5 4 3", "6 4 B 3")
    assert match.pending == (1,)
    turn(match, "6", "5")
    assert match.pending == (1,)  # by any margin
    turn(match, "4", "5")
    assert match.pending == (0,)
    turn(match, "4", "B")
    assert match.pending == (0,)
    turn(match, "3", "3")
    assert match.pending == (0,)
    assert [kind for kind in kinds(match.events()) if kind.endswith("_first")] == [
        "mounted_first", "stronger_first", "stronger_first", "stronger_first", "same_first",
        "same_first",
    ]  # fmt: skip


@pytest.mark.parametrize(("led", "answer"), [("10", "4"), ("D", "6"), ("B", "10"), ("D", "D")])
def test_K12_less_than_7_is_no_hit(led, answer):
    match = turn(melee(led, answer), led, answer)
    assert match.view().mounted == (True, False)
    assert match.view().scores == (0, 0)
    assert match.view().hand_sizes == (4, 4)


def test_K12_a_mounted_knight_stands_and_the_hands_stay():
    match = turn(melee("2 3 4 5 6", "9 3 4 5 6"), "2", "9")
    assert match.view(0).mounted == (False, False)
    assert match.view(0).hand == ("3", "4", "5", "6")
    assert match.view(0).phase == "lead"


def test_K12_a_standing_knight_is_defeated():
    match = turn(melee("9", "2", best_of=1), "9", "2")
    assert match.over
    assert match.scores == (1, 0)
    assert kinds(match.events())[-4:] == ["hit", "defeated", "game_won", "ended"]


# --- K13: reshuffles ----------------------------------------------------------------------------


def test_K13_example_three_left_thirty_shuffled_two_more():
    stack = "5 5 5 7 7 " * 3 + "6 6 6 7 7 " + "B B B 6 6 " + "D D D 6 6 "
    match = table([stack, "5 7"], [stack, "6 6"], values=LEVEL)
    for line in "5 5 5", "5 5 5", "5 5 5", "6 6 6", "B B B":
        joust(match, line, line)
    assert match.view().deck_sizes == (3, 3)
    told = len(match.events(0))
    joust(match, "D D D", "D D D")
    third = sorted(match.view(0).hand)
    assert match.view().deck_sizes == (28, 28)
    assert match.view(0).hand_sizes == (5, 5)
    assert match.view(0).discards == ((), ())
    assert [(len(values["deck"]), values["seat"]) for values in shuffles(match)] == [
        (33, 0), (33, 1), (30, 0), (30, 1),
    ]  # fmt: skip
    drawn = [str(event) for event in match.events(0, since=told)][-8:]
    assert drawn[0] == "K4: Player 1 draws 3 cards for the joust. Left in the deck: 0."
    assert drawn[3].startswith("K13: Player 1 has too few cards left to draw and shuffles the 30")
    assert drawn[4] == "K4: Player 1 draws 2 cards for the joust. Left in the deck: 28."
    assert drawn[5] == "K15: Player 1 has drawn 5, 7."
    assert third == sorted(["5", "7", *match.view(1).sure[0]])


def test_K13_what_was_drawn_before_the_reshuffle_is_known_to_be_held():
    stack = "5 5 5 7 7 " * 3 + "6 6 6 7 7 " + "B B B 6 6 " + "D D D 6 6 " + "6 7 6"
    match = table([stack, "5 7"], [stack.replace("6 7 6", "6 6 7"), "6 6"], values=LEVEL)
    for line in "5 5 5", "5 5 5", "5 5 5", "6 6 6", "B B B", "D D D":
        joust(match, line, line)
    for viewer in (0, 1, None):
        assert match.view(viewer).sure == (("6", "6", "7"),) * 2
    joust(match, "7 7 6", "6 6 6")
    assert match.view().sure == ((), ())


def test_K13_a_deck_drawn_exactly_empty_waits_for_the_next_draw():
    """Draws of five never take the last of 33 cards, so the state is made for it."""
    states = crafted(new(values=HARMLESS), phase=rules.LEAD, leader=0, mounted=0b01, waiting=0b01)
    s = states[0]
    for seat in range(2):
        for card in s["deck"][seat, s["top"][seat] : 28]:
            s["seen"][seat] += single(card)
        s["top"][seat] = 28
    play_hands(s)
    assert s["top"].tolist() == [33, 33]
    assert s["held"].tolist() == [5, 5]
    assert rules.chance_due(s) == 0
    play_hands(s)
    assert s["held"].tolist() == [0, 0]
    assert rules.chance_due(s) == 1
    assert [size(pile) for pile in s["seen"]] == [33, 33]


def play_hands(s):
    for _ in range(10):
        seat = rules.turn(s)
        rules.apply(s, seat, lowest(rules.legal(s, seat)))


def crafted(match, **fields):
    """The state of a match with some fields changed."""
    states = np.frombuffer(match.state, match.game.state).copy()
    for name, value in fields.items():
        states[0][name] = value
    return states


# --- K14 to K16: matches ------------------------------------------------------------------------


@pytest.mark.parametrize("best_of", [1, 3, 5, 7])
def test_K14_first_to_more_than_half(best_of):
    for seed in range(20):
        match = finish(new(seed, best_of=best_of), random.Random(seed))
        (winner,) = match.winners
        assert match.scores[winner] == best_of // 2 + 1
        assert match.scores[1 - winner] <= best_of // 2
        assert kinds(match.events()).count("game_won") == sum(match.scores)


def test_K14_best_of_two_is_refused():
    with pytest.raises(OptionError, match="Allowed: 1, 3, 5, 7"):
        hastilude.load("kings_tournament", best_of=2)


def test_K14_a_new_game_starts_with_all_cards():
    match = turn(melee("9", "2"), "9", "2")
    view = match.view()
    assert (view.game, view.scores) == (2, (1, 0))
    assert view.mounted == (True, True)
    assert view.discards == ((), ())
    assert view.deck_sizes == (28, 28)
    assert [len(values["deck"]) for values in shuffles(match)] == [33] * 4
    assert view.last_turn.pair.cards == ("9", "2")  # one remembers how it ended


def test_K15_all_but_hands_decks_and_hidden_choices_is_public():
    match = turn(melee("4 4 5 5 6", "3 3 4 4 5"), "5", "4")
    for viewer in (1, None):
        view = match.view(viewer)
        assert view.hand == (("3", "3", "4", "5") if viewer == 1 else ())
        assert len(view.unseen[0]) == 33 - 6
        assert view.discards[0] == ("1", "1", "2", "2", "5", "10")
    opponent = Counter(match.view(1).unseen[0])
    assert Counter(match.view(0).hand) <= opponent
    assert Counter(match.view(0).unseen[0]) + Counter(match.view(0).hand) == opponent


def test_K15_how_far_a_choice_has_got_is_not_seen():
    match = new()
    before = [match.view(viewer) for viewer in (1, None)], match.events(1), match.events()
    for _ in range(2):
        match.play(0, match.legal(0)[0])
        assert ([match.view(v) for v in (1, None)], match.events(1), match.events()) == before
    match.play(0, match.legal(0)[0])
    assert kinds(match.events(1, since=len(before[1]))) == ["ready"]


def told(match, states, *plays):
    """What a spectator is told of the last of some plays."""
    seen = []
    for seat, card in plays:
        r = np.zeros(1, match.game.state)
        redact_at(states, 0, core.SPECTATOR, r, 0)
        seen = [match.game.read(r)]
        rules.apply(states[0], seat, CARD_TEXTS.index(card))
        redact_at(states, 0, core.SPECTATOR, r, 0)
        seen.append(match.game.read(r))
    return list(match.game.tell(*seen))


@pytest.mark.parametrize(
    ("reveals", "answer", "end"),
    [
        (998, "3", "mounted_first"),
        (999, "3", "game_drawn"),
        (999, "9", "game_drawn"),  # only turned to standing
        (1002, "3", "game_drawn"),
    ],
)
def test_K16_a_game_of_1000_reveals_without_a_defeat_is_drawn(reveals, answer, end):
    match = melee("2 4 4 5 5", "3 9 4 4 5")
    states = crafted(match, reveals=reveals)
    assert kinds(told(match, states, (0, "2"), (1, answer)))[-1] == end
    assert states[0]["drawn"] == (end == "game_drawn")
    assert states[0]["won"].tolist() == [0, 0]


def test_K16_a_knight_defeated_at_the_thousandth_reveal_is_defeated():
    match = melee("9 4 4 5 5", "2 4 4 5 5")
    states = crafted(match, reveals=999)
    assert kinds(told(match, states, (0, "9"), (1, "2")))[-1] == "game_won"
    assert states[0]["drawn"] == 0


@pytest.mark.parametrize(("reveals", "end"), [(996, "mounted_first"), (997, "game_drawn")])
def test_K16_a_joust_counts_three_reveals(reveals, end):
    match = table("10 1 1 2 2", "1 1 1 2 2")
    states = crafted(match, reveals=reveals)
    plays = [(0, "1"), (0, "1"), (0, "10"), (1, "1"), (1, "1"), (1, "1")]
    assert end in kinds(told(match, states, *plays))
    assert states[0]["reveals"] == reveals + 3


@pytest.mark.parametrize("won", [(0, 0), (1, 0), (3, 2)])
def test_K16_a_hundred_games_without_a_majority_are_a_drawn_match(won):
    match = melee("2 4 4 5 5", "3 4 4 5 5", best_of=7)
    states = crafted(match, reveals=999, game=100, won=won, drawn=99 - sum(won))
    (*_, ended) = told(match, states, (0, "2"), (1, "3"))
    assert str(ended).startswith("K16: The match is drawn after 100 games: ")
    assert rules.winners(states[0]) == rules.BOTH
    assert states[0]["won"].tolist() == list(won)


def test_K16_a_match_in_which_nobody_can_be_hit_ends():
    game = hastilude.load("kings_tournament", values=HARMLESS)
    states = np.zeros(2, game.state)
    start_at(states, np.array(game.option_numbers, dtype=np.int64))
    actions = play_many(states, generator(1), np.zeros(core.WORK, np.int8), 1)
    assert actions >= 200_000
    assert states[1]["drawn"] == states[1]["game"] == 100
    assert rules.winners(states[1]) == rules.BOTH


# --- the examples of the rules page -------------------------------------------------------------


def test_example_1_joust():
    match = joust(table("10 5 D 1 2", "7 B 1 2 3"), "10 5 D", "7 B 1")
    assert match.view().last_joust.winner == 0
    assert match.view().mounted == (True, False)
    events = match.events()
    end = kinds(events).index("unhorsed")
    assert [str(event) for event in explain(events, end)][-4:] == [
        "K7: The third cards, Player 1's D vs Player 2's 1: 2–1, margin 1. "
        "Less than 3, so they decide nothing.",
        "K2: The second cards tie: Player 2's block stops Player 1's 5.",
        "K7: The first cards, Player 1's 10 vs Player 2's 7: 10–7, margin 3. "
        "At least 3, so they decide the joust.",
        "K8: Player 1 has won the joust: Player 2 is unhorsed and now on foot.",
    ]


def test_example_2_melee():
    match = turn(melee("D", "8", mounted=1), "8", "D")
    assert match.view().mounted == (False, False)
    assert match.pending == (0,)
    events = match.events()
    end = kinds(events).index("dismounted")
    assert [str(event) for event in explain(events, end)][-4:] == [
        "K10: Player 2 reveals 8.",
        "K10: Player 1 answers with D.",
        "K12: Player 1's D vs Player 2's 8: 16–8, margin 8. Player 2 is hit.",
        "K12: Player 2 was mounted and is now on foot.",
    ]
    assert str(events[end + 1]).startswith("K11: Both knights are on foot: Player 1 reveals first")


def test_example_3_defeat():
    match = turn(both_on_foot("2", "9", best_of=1), "9", "2")
    assert match.view().last_turn.pair.margin == 7
    assert match.winners == (1,)


# --- seats, chance, records ---------------------------------------------------------------------


class OwnerChance:
    """Shuffles of each deck from a generator of its own."""

    def __init__(self, *seeds):
        self.chooses = [random.Random(seed) for seed in seeds]

    def order(self, due, cards):
        order = cards.tolist()
        self.chooses[due - 1].shuffle(order)
        cards[:] = order


@pytest.mark.parametrize("option", ["committed", "stepwise"])
def test_swapping_the_seats_swaps_the_results(option):
    for seed in range(20):
        results = []
        for owners in ("ab", "ba"):
            seeds = [f"{seed}{owner}" for owner in owners]
            match = hastilude.load("kings_tournament", joust=option).new(chance=OwnerChance(*seeds))
            chooses = [random.Random(f"play {one}") for one in seeds]
            while not match.over:
                seat = match.turn
                match.play(seat, chooses[seat].choice(match.legal(seat)))
            results.append((match.scores, len(match.steps), match.view().last_turn.pair.cards))
        (scores, steps, cards), swapped = results
        assert swapped == (scores[::-1], steps, cards[::-1])


def a_shuffle(**changes):
    deck = shuffles(new())[0]["deck"]
    return ["shuffle", {"seat": 0, "deck": deck} | changes]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (["deal", {}], "A shuffle is needed here"),
        (["shuffle", {}], "exactly these fields: seat, deck"),
        (a_shuffle(more=1), "exactly these fields: seat, deck"),
        (a_shuffle(seat=1), "is seat 0's, not seat 1's"),
        (a_shuffle(seat=False), "seat 0's"),
        (a_shuffle(seat="0"), "seat 0's"),
        (a_shuffle(deck="1"), "Expected a list of cards"),
        (a_shuffle(deck=["11"] * 33), "11 is not a card"),
        (a_shuffle(deck=["1"] * 33), "exactly once"),
        (a_shuffle(deck=["1"]), "each of its 33 cards"),
    ],
)
def test_a_bad_shuffle_is_refused(event, sentence):
    with pytest.raises(ChanceError, match=sentence):
        hastilude.load("kings_tournament").new(chance=[event])


def test_explicit_shuffles_are_used_in_the_order_of_a_record():
    match = finish(new(5), random.Random(5))
    again = hastilude.load("kings_tournament").new(
        chance=[["shuffle", values] for values in shuffles(match)]
    )
    for event in match.record().events:
        if event[0] == "play":
            again.play(*event[1:])
    assert again.state == match.state


@pytest.mark.parametrize(("margin", "is_hit"), [(3, True), (4, True), (5, False), (9, False)])
def test_K18_another_margin_is_a_hit(margin, is_hit):
    match = melee("9 8 3 3 3", "5 4 3 3 3", melee_margin=margin, best_of=1)
    turn(match, "9", "5")
    assert match.view().last_turn.pair.hit == is_hit
    assert match.over == is_hit  # the knight was on foot
    assert match.winners == ((0,) if is_hit else ())
    assert ("hit" in kinds(match.events())) == is_hit
