"""TriATri, clause by clause (RULES.md), and the examples of its last section."""

import random
from dataclasses import fields
from itertools import permutations, product

import numpy as np
import pytest

import hastilude
from hastilude import explain
from hastilude.core.calls import winners_at
from hastilude.core.events import Event
from hastilude.core.rules import SPECTATOR
from hastilude.games.triatri import events as triatri_events
from hastilude.games.triatri import rules
from hastilude.games.triatri.hidden import void_colours
from hastilude.messages import LANGUAGES, render
from hastilude.testing import viewers
from tests.playing import finish_trick, kinds
from tests.triatri import retell
from tests.triatri.tables import (
    BEATS,
    Driver,
    bid,
    deal,
    number,
    outcome,
    pack,
    play,
    points,
    staged,
    start_player,
    table,
    trick,
)

PLAYERS = (2, 3, 4)


def new(players, seed):
    return hastilude.load("triatri", players=players).new(seed=seed)


def random_match(players, seed):
    """A match played at random, yielded before every play and at its end."""
    match, choose = new(players, seed), random.Random(seed)
    while not match.over:
        yield match
        seat = choose.choice(match.pending)
        match.play(seat, choose.choice(match.legal(seat)))
    yield match


def ended_match(players, seed):
    *_, match = random_match(players, seed)
    return match


def texts(match, seat):
    return set(map(match.game.text, match.legal(seat)))


def check_retold(match):
    """What everybody is told of the whole match, however rare, is what they may know."""
    record = match.record()
    listeners = {viewer: retell.listener(match.game, viewer) for viewer in viewers(match.game)}
    heard = dict.fromkeys(listeners, 0)
    chance = [event for event in record.events if event[0] != "play"]
    again = match.game.new(chance=chance)
    for event in [None, *(event for event in record.events if event[0] == "play")]:
        if event:
            again.play(*event[1:])
        for viewer, listener in listeners.items():
            for told in again.events(viewer, since=heard[viewer]):
                listener.hear(told)
                heard[viewer] += 1
            assert listener.view() == again.view(viewer)


# --- setting up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_A1_six_gems_of_each_colour(players):
    view = new(players, 1).view()
    assert view.supply == {"R": 6, "B": 6, "G": 6}
    assert view.gems == ({"R": 0, "B": 0, "G": 0},) * players


@pytest.mark.parametrize("players", PLAYERS)
def test_A1_gems_are_never_lost(players):
    for match in random_match(players, 5):
        view = match.view()
        for colour in "RBG":
            in_the_middle = view.table is not None and view.table.gem == colour
            owned = sum(gems[colour] for gems in view.gems)
            assert view.supply[colour] + owned + in_the_middle == 6


@pytest.mark.parametrize(("players", "highest", "exchanges"), [(2, 6, 2), (3, 7, 1), (4, 8, 3)])
def test_A2_pack(players, highest, exchanges):
    ((_, values),) = new(players, 1).record().events
    cards = sorted(sum(values["hands"], values["aside"]))
    expected = [f"{colour}{n}" for colour in "RBG" for n in range(2, highest + 1)]
    assert cards == sorted(expected + ["X"] * exchanges)
    assert len(cards) == {2: 17, 3: 19, 4: 24}[players]


def test_A2_texts():
    game = hastilude.load("triatri")
    cards = [f"{colour}{n}" for colour in "RBG" for n in range(2, 9)]
    gems = ["supply:R", "supply:B", "supply:G", "own:R", "own:B", "own:G"]
    assert list(game.texts) == [*cards, "X", *gems]


@pytest.mark.parametrize(("players", "aside"), [(2, 5), (3, 1), (4, 0)])
def test_A3_six_cards_each_and_the_rest_aside(players, aside):
    match = new(players, 1)
    ((_, values),) = match.record().events
    assert [len(hand) for hand in values["hands"]] == [6] * players
    assert len(values["aside"]) == aside == match.view().aside
    for seat, hand in enumerate(values["hands"]):
        assert sorted(match.view(seat).hand) == sorted(hand)


@pytest.mark.parametrize(("one", "other"), [*permutations("RBG", 2)])
def test_A4_fire_beats_wood_beats_water_beats_fire(one, other):
    colours = "RBG"
    assert rules.beats(colours.index(one), colours.index(other)) == ((one + other) in "RGBR")
    assert not rules.beats(rules.COLOURLESS, colours.index(one))
    assert not rules.beats(colours.index(one), rules.COLOURLESS)


# --- the bid for the start ----------------------------------------------------------------------


def test_A5_everyone_bids_any_card_at_once_in_any_order():
    for order in permutations(range(3)):
        match = table("R2 R3", "B4", "G6")
        for seat in order:
            assert seat in match.pending
            assert [match.game.text(a) for a in match.legal(seat)] == list(match.view(seat).hand)
            match.play(seat, ("R2", "B4", "G6")[seat])
        assert match.pending == (2,)


def test_A5_highest_number_starts_and_nothing_is_doubled():
    match = bid(table("R5", "B4", "G3"), "R5 B4 G3")  # B4 after R5 would be worth 8 in a trick
    assert match.pending == (0,)
    assert match.view().decided == "number"
    assert match.events()[-1].card == "R5"


@pytest.mark.parametrize(("one", "other"), [*permutations("RBG", 2)])
@pytest.mark.parametrize("players", PLAYERS)
def test_A5_two_share_the_highest_and_the_circle_decides(players, one, other):
    hands = [f"{one}5", f"{other}5", "R4", "B3"][:players]
    match = bid(table(*hands), " ".join(hands))
    assert match.pending == (0 if BEATS[one] == other else 1,)
    assert match.view().decided == "circle"
    event = match.events()[-1]
    assert BEATS[event.colour] == event.beaten
    check_retold(match)


@pytest.mark.parametrize(
    ("bids", "fourth", "decided"),
    [
        ("R5 B5 G5 R2", 3, "fourth"),  # low
        ("R5 X B5 G5", 1, "fourth"),
        ("R5 B5 R8 G5", 2, "number"),  # high: the highest number says the same
        ("X R2 X X", 1, "number"),
    ],
)
def test_A5_three_of_four_bid_the_same_and_the_fourth_starts(bids, fourth, decided):
    match = bid(table(*bids.split()), bids)
    assert match.pending == (fourth,)
    assert match.view().decided == decided
    check_retold(match)


def test_A5_three_players_all_the_same_bid_again():
    match = bid(table("R5 R2", "B5 B3", "G5 G4"), "R5 B5 G5")
    view = match.view(0)
    assert match.pending == (0, 1, 2)
    assert view.bids == (("R5", "B5", "G5"),)
    assert view.known == (("R5",), ("B5",), ("G5",))
    assert view.hand_sizes == (6, 6, 6)
    assert "R5" in view.hand
    assert kinds(match.events())[-1] == "taken_back"
    bid(match, "R5 B3 G4")  # the same card may be bid again
    assert match.pending == (0,)
    assert match.view().known == ((), ("B5",), ("G5",))
    assert match.view().bids == (("R5", "B5", "G5"), ("R5", "B3", "G4"))
    check_retold(match)


def test_A5_ruling_two_exchange_cards_bid_again():
    match = bid(table("X R2", "X B2"), "X X")
    assert match.pending == (0, 1)
    assert match.view().known == (("X",), ("X",))
    bid(match, "R2 X")
    assert match.pending == (0,)
    assert match.view().known == (("X",), ())
    check_retold(match)


def test_A5_ruling_exchange_card_bids_a_colourless_0():
    assert bid(table("X", "R2"), "X R2").pending == (1,)
    match = bid(table("X", "R2", "X", "B2"), "X R2 X B2")
    assert match.pending == (3,)
    revealed = [event for event in match.events() if event.key == "triatri_bid_revealed"]
    assert [event.number for event in revealed] == [0, 2, 0, 2]


@pytest.mark.parametrize(
    ("hands", "bids"),
    [(("R5", "B5", "G5"), "R5 B5 G5"), (("X", "X"), "X X")],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_A5_ruling_start_is_drawn_after_three_bids_that_decide_nothing(hands, bids, seat):
    match = table(*hands, chance=[["start", {"seat": seat}]])
    for _ in range(3):
        assert match.pending == tuple(range(len(hands)))
        bid(match, bids)
    view = match.view()
    assert match.pending == (seat,)
    assert view.decided == "draw"
    assert view.bids == (tuple(bids.split()),) * 3
    assert view.hand_sizes == (5,) * len(hands)  # the last bids are discarded
    assert kinds(match.events())[-2:] == ["never_decided", "start_drawn"]
    check_retold(match)
    assert hastilude.replay(match.record()).state == match.state


def test_A5_a_drawn_start_is_recorded_as_the_seat_and_nothing_else():
    match = hastilude.load("triatri").new(chance=Driver([deal("R5", "B5", "G5")], seat=1))
    for _ in range(3):
        bid(match, "R5 B5 G5")
    record = match.record()
    assert record.events[-1] == ["start", {"seat": 1}]
    again = hastilude.replay(hastilude.Record.from_json(record.to_json()))
    assert again.state == match.state
    assert again.record() == record


@pytest.mark.parametrize(
    "values",
    [
        {}, {"seat": 3}, {"seat": -1}, {"seat": True}, {"seat": "0"}, {"seat": None},
        {"seat": [0]}, {"seat": 0, "of": 3},
    ],
)  # fmt: skip
def test_A5_a_drawn_start_is_read_strictly(values):
    match = table("R5", "B5", "G5", chance=[["start", values]])
    bid(bid(match, "R5 B5 G5"), "R5 B5 G5")
    play(match, "0:R5 1:B5")
    before = match.state
    with pytest.raises(
        hastilude.ChanceError, match=r"There is no seat|must have exactly these fields"
    ):
        match.play(2, "G5")
    assert match.state == before


def test_A5_every_bid_against_the_rule_in_other_words():
    for players, seed in product(PLAYERS, range(60)):
        for match in random_match(players, seed):
            view = match.view()
            if view.decided and not view.tricks and view.decided != "draw":
                assert [start_player(bids) for bids in view.bids[:-1]] == [None] * (
                    len(view.bids) - 1
                )
                assert start_player(view.bids[-1]) == view.table.start


def test_A5_each_round_opens_with_a_bid_whoever_won_the_last_trick():
    for match in random_match(3, 8):
        view = match.view()
        if view.round > 1 and not view.bids and not any(view.has_bid):
            assert match.pending == (0, 1, 2)
            assert view.hand_sizes == (6, 6, 6)


def test_A5_bids_that_decide_are_discarded():
    match = bid(table("R5 R2", "B4", "G3"), "R5 B4 G3")
    assert match.view().hand_sizes == (5, 5, 5)
    assert "R5" not in match.view(0).hand


# --- a trick ------------------------------------------------------------------------------------


def test_A6_start_player_names_a_gem_from_the_supply():
    match = bid(table("R5", "B4", "G3"), "R5 B4 G3")
    assert [match.game.text(a) for a in match.legal(0)] == ["supply:R", "supply:B", "supply:G"]
    match.play(0, "supply:B")
    view = match.view()
    assert view.supply == {"R": 6, "B": 5, "G": 6}
    assert view.gems == ({"R": 0, "B": 0, "G": 0},) * 3
    assert (view.table.gem, view.table.source) == ("B", "supply")
    assert match.pending == (0,)


def test_A6_a_gem_of_ones_own_goes_to_the_winner_and_not_to_the_supply():
    match = bid(table("R4 R6 R5", "R3 R2 B2", "G2 B3 G4"), "R5 R3 B3")
    trick(match, "supply:R", "R6 R2 G2")
    assert match.view().gems[0] == {"R": 1, "B": 0, "G": 0}
    assert "own:R" in map(match.game.text, match.legal(0))
    match.play(0, "own:R")
    assert match.view().gems[0]["R"] == 0
    assert match.view().supply["R"] == 5
    assert match.view().table.source == "own"
    winner = finish_trick(match).view().last_trick.winner
    assert match.view().gems[winner]["R"] == 1
    assert match.view().supply["R"] == 5


def test_A6_a_gem_of_ones_own_may_give_another_player_the_instant_win():
    for seed in range(3000):
        match = ended_match(3, seed)
        view = match.view()
        given = view.last_trick.source == "own" and view.last_trick.winner != view.last_trick.start
        if view.ending == "instant_win" and given:
            assert match.winners == (view.last_trick.winner,)
            return
    pytest.fail("no such match was found")


HOLDING = ["R2 B2 B3 G4 X R7", "R3 R4 G2 B5 G5 G6", "B4 B6 B7 G3 G7 R6"]


def test_A7_must_follow_the_colour_of_the_gem_the_start_player_too():
    match = bid(table(*HOLDING), "R7 G6 R6")
    match.play(0, "supply:B")
    assert [match.game.text(a) for a in match.legal(0)] == ["B2", "B3", "X"]


def test_A7_goes_round_clockwise_from_the_start_player():
    match = bid(table(*HOLDING), "R2 G6 G3")
    match.play(1, "supply:G")
    order = []
    for _ in range(3):
        order += match.pending
        match.play(match.turn, match.legal(match.turn)[0])
    assert order == [1, 2, 0]


def test_A7_without_the_colour_anything_may_be_played_and_may_win():
    match = bid(table(*HOLDING), "R7 G6 R6")
    play(match, "0:supply:R 0:R2 1:R3")
    assert set(map(match.game.text, match.legal(2))) == {"B4", "B6", "B7", "G3", "G7"}
    match.play(2, "B7")
    assert match.view().last_trick.winner == 2
    assert match.view().gems[2]["R"] == 1


def test_A7_an_exchange_card_is_never_forced():
    match = bid(table(*HOLDING), "R2 G6 R6")
    play(match, "2:supply:R 2:B7")  # seat 2 bid its only red card
    assert set(map(match.game.text, match.legal(0))) == {"R7", "X"}
    match = bid(table("R3 R5 B2", "X B3 B4 B6 G2 R2", "G7"), "R5 R2 G7")
    play(match, "2:supply:R")
    match.play(2, match.legal(2)[0])
    match.play(0, "R3")
    assert set(map(match.game.text, match.legal(1))) == {"X", "B3", "B4", "B6", "G2"}


@pytest.mark.parametrize(
    ("cards", "worths"),
    [
        ("B5 G4", (5, 8)),  # from 4 to 8, because wood beats water
        ("R6 B2", (6, 8)),  # only a 2 is worth four times
        ("B4 R2", (4, 2)),
        ("G6 R3 B3", (6, 6, 6)),
        ("R2 G2", (2, 2)),  # the first card is never doubled
        ("X R2", (0, 2)),
        ("R3 B4 G2 R5", (3, 8, 8, 10)),
    ],
)
def test_A8_worth(cards, worths):
    lies = staged(cards).view().last_trick.lies
    assert tuple(lying.worth for lying in lies) == worths
    assert [lying.factor for lying in lies] == [
        worth // (number(lying.card) or 1) or 1 for worth, lying in zip(worths, lies, strict=True)
    ]


def test_A8_doubled_from_4_to_8_because_wood_beats_water():
    events = staged("B5 G4 X R3").events()
    (doubled,) = [event for event in events if event.key == "triatri_doubled" and event.seat == 1]
    assert str(doubled) == (
        "A8: Player 2's G4 is doubled from 4 to 8, because wood beats water, "
        "the colour of B5 in front of Player 1."
    )


def test_A8_a_2_is_worth_8():
    (event,) = [e for e in staged("R6 B2").events() if e.key == "triatri_quadrupled"]
    assert (event.number, event.worth, event.colour, event.beaten) == (2, 8, "B", "R")


@pytest.mark.parametrize(
    ("cards", "four_times", "worths"),
    [
        ("B5 G4 R3", "twos_and_chains", (5, 8, 12)),
        ("B5 G4 R3", "only_twos", (5, 8, 6)),
        ("R6 B2 G3", "twos_and_chains", (6, 8, 12)),  # the 2 counts four times itself
        ("B5 G4 X R3", "twos_and_chains", (5, 0, 8, 12)),  # the exchange brought the G4 with its 8
        ("R6 B2", "no_card", (6, 4)),
        ("B5 G4", "no_card", (5, 8)),
    ],
)
def test_A17_what_is_worth_four_times(cards, four_times, worths):
    match = staged(cards, four_times=four_times)
    assert tuple(lying.worth for lying in match.view().last_trick.lies) == worths
    told = [event for event in match.events() if event.key == "triatri_redoubled"]
    assert [event.worth for event in told] == [12] * worths.count(12)
    check_retold(match)


@pytest.mark.parametrize(
    ("cards", "equal_worth", "winner"),
    [
        ("B6 R6 X", "stronger_colour", 0),
        ("B6 R6 X", "later_player", 2),
        ("B6 R6 X", "earlier_player", 0),
        ("R4 B2 R3 B4", "later_player", 3),
        ("R4 B2 R3 B4", "earlier_player", 1),
        ("R6 B2 G4 R2", "earlier_player", 1),
        ("X X", "earlier_player", 0),
        ("R3 R5 R4", "earlier_player", 1),
    ],
)
def test_A18_of_equal_worth(cards, equal_worth, winner):
    match = staged(cards, equal_worth=equal_worth)
    assert match.view().last_trick.winner == winner
    many = [lying.highest for lying in match.view().last_trick.lies].count(True)
    word = equal_worth.removesuffix("_player")
    told = f"so the {word} one wins" in "".join(map(str, match.events()))
    assert told == (many > 1 and equal_worth != "stronger_colour")
    check_retold(match)


def test_A19_an_exchange_card_opens_a_trick_only_without_another_card():
    match = table(
        "R6 R5 R4 R3 X X", "B2 B3 B4 G2 G3 G4", opening_exchange="last_resort"
    )  # fmt: skip
    bid(match, "R6 B2")
    match.play(0, "supply:G")
    assert texts(match, 0) == {"R5", "R4", "R3"}
    assert str(match.why(0, "X")) == (
        "A19: An exchange card cannot open a trick while you hold another card. "
        "You can play: R3, R4, R5."
    )
    play(match, "0:R5 1:G4")
    trick(match, "supply:R", "R4 G3")
    trick(match, "supply:R", "R3 G2")
    match.play(0, "supply:R")
    assert texts(match, 0) == {"X"}
    match.play(0, "X")
    others = match.redacted(1)[0]
    assert void_colours(others, 0) == 0b111  # everybody knows that the last card is no other


def test_A19_whoever_follows_may_always_exchange():
    match = table("R6 R5 B2 B3 B4 G2", "R2 R3 X B5 B6 G3", opening_exchange="last_resort")
    bid(match, "R6 R2")
    play(match, "0:supply:R 0:R5")
    assert texts(match, 1) == {"R3", "X"}


def played_and_lies(cards):
    trick = staged(cards).view().last_trick
    return trick, [(lying.card, lying.worth) for lying in trick.lies]


def test_A9_exchange_takes_the_dearest_card_with_its_worth():
    trick, lies = played_and_lies("B5 G4 X R3")
    assert lies == [("B5", 5), ("X", 0), ("G4", 8), ("R3", 6)]
    assert trick.played == ("B5", "G4", "X", "R3")


def test_A9_ruling_led_exchange_is_worth_0_without_colour():
    _, lies = played_and_lies("X R2 B2")
    assert lies == [("X", 0), ("R2", 2), ("B2", 8)]


def test_A9_of_equals_the_later_players_whatever_the_colours():
    _, lies = played_and_lies("B6 R6 X")
    assert lies == [("B6", 6), ("X", 0), ("R6", 6)]
    _, lies = played_and_lies("R6 G6 X R2")
    assert lies == [("R6", 6), ("X", 0), ("G6", 6), ("R2", 8)]


def test_A9_a_second_exchange_takes_the_card_where_it_now_lies():
    _, lies = played_and_lies("R5 X X B3")
    assert lies == [("X", 0), ("X", 0), ("R5", 5), ("B3", 6)]


def test_A9_an_exchange_after_a_led_exchange_alone_changes_nothing():
    match = staged("X X R4 X")
    trick = match.view().last_trick
    assert [lying.card for lying in trick.lies] == ["X", "X", "X", "R4"]
    told = kinds(match.events())
    assert "swapped_nothing" in told
    assert "exchange_first" in told
    assert "swapped" in told


def test_A9_ruling_the_next_card_is_measured_against_the_card_brought():
    _, lies = played_and_lies("R5 X B3 X")
    assert lies == [("X", 0), ("R5", 5), ("X", 0), ("B3", 6)]


@pytest.mark.parametrize(
    ("cards", "winner", "why"),
    [
        ("R3 B6 G6 B5", 2, "won_by_colour"),  # example 1: wood beats water
        ("R4 B2 R3 B4", 3, "won_later_one_colour"),  # example 2
        ("R6 B2 G4 R2", 3, "won_later_three_colours"),  # example 3
        ("B5 G4 X R3", 2, "won_by_worth"),  # example 4
        ("B6 R6 X", 0, "won_by_colour"),  # example 7: water beats fire
        ("R5 X X B3", 3, "won_by_worth"),  # example 8
        ("R5 X B3 X", 3, "won_by_worth"),  # example 8, the last exchange takes B3
        ("R3 R5 R4", 1, "won_by_worth"),
        ("B8 R8 B4 R2", 2, "won_by_colour_later"),
        ("G4 R4 B4 R2", 2, "won_by_colour"),
        ("R8 B4 B2 R4", 1, "won_by_colour"),
        ("R4 B4 R3 B2", 3, "won_later_one_colour"),
        ("G8 R4 G3 R2", 3, "won_by_colour_later"),
        ("X X", 1, "won_later_exchange"),
    ],
)
def test_A10_winner_and_why(cards, winner, why):
    match = staged(cards)
    assert outcome(cards.split())[1] == winner
    assert match.view().last_trick.winner == winner
    (told,) = [event for event in match.events() if event.clause == "A10"]
    assert told.key == f"triatri_{why}"
    assert told.seat == winner
    assert match.view().gems[winner][told.gem] == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_A8_A9_A10_every_trick_against_the_rule_in_other_words(players):
    for seed in range(60):
        match = new(players, seed)
        choose = random.Random(seed)
        while not match.over:
            finished = len(match.view().tricks)
            while not match.over and len(match.view().tricks) == finished:
                match.play(match.turn, choose.choice(match.legal(match.turn)))
            trick = match.view().last_trick
            order = [(trick.start + place) % players for place in range(players)]
            lies, place = outcome([trick.played[seat] for seat in order])
            found = [(trick.lies[seat].card, trick.lies[seat].worth) for seat in order]
            assert found == lies
            assert trick.winner == order[place]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("R3 B6 G6 B5", ["doubled", "doubled", "won_by_colour"]),
        ("B5 G4 X R3", ["doubled", "swapped", "doubled", "won_by_worth"]),
        ("R5 X B3 X", ["swapped", "doubled", "swapped", "won_by_worth"]),
    ],
)
def test_A8_A9_A10_a_trick_is_explained_step_by_step(cards, told):
    events = staged(cards).events()
    (index,) = [index for index, event in enumerate(events) if event.ends == "trick"]
    story = [event for event in explain(events, index) if event.clause in ("A8", "A9", "A10")]
    assert kinds(story) == told


def test_A11_winner_starts_the_next_trick():
    match = staged("R3 R5 R4")
    assert match.pending == (1,)
    assert match.view().table.start == 1
    assert kinds(match.events())[-1] == "starts_next"


@pytest.mark.parametrize("players", PLAYERS)
def test_A11_five_tricks_a_round_three_rounds_and_gems_are_kept(players):
    seed = next(s for s in range(99) if ended_match(players, s).view().ending == "last_round")
    tricks = []  # finished ones at the time of each play
    for match in random_match(players, seed):
        view = match.view()
        if view.phase == "bid":
            assert sum(sum(gems.values()) for gems in view.gems) == 18 - sum(view.supply.values())
        if (view.round, len(view.tricks)) not in tricks:
            tricks.append((view.round, len(view.tricks)))
    rounds = [(number, finished) for number in (1, 2, 3) for finished in range(5)]
    assert tricks == [*rounds, (3, 5)]
    assert kinds(match.events()).count("round_over") == 3


# --- the end ------------------------------------------------------------------------------------


def test_A12_A13_every_ending_and_none_too_soon():
    endings = set()
    for players, seed in product(PLAYERS, range(150)):
        for match in random_match(players, seed):
            view = match.view()
            complete = [seat for seat, gems in enumerate(view.gems) if min(gems.values()) >= 2]
            if not match.over and view.phase != "play":
                assert not complete
                assert min(view.supply.values()) > 0
        if complete:
            ending = "instant_win"
        elif min(view.supply.values()) == 0:
            ending = "early_end"
        else:
            ending = "last_round"
            assert (view.round, len(view.tricks)) == (3, 5)
        assert view.ending == ending
        if complete:
            assert match.winners == tuple(complete) == (view.last_trick.winner,)
        endings.add(ending)
    assert endings == {"instant_win", "early_end", "last_round"}


def test_A12_scores_are_shown_but_do_not_decide():
    for seed in range(3000):
        match = ended_match(4, seed)
        if match.view().ending == "instant_win" and match.scores[match.winners[0]] < max(
            match.scores
        ):
            told = kinds(match.events())
            assert told[-1] == "ended_at_once"
            assert "instant_win" in told
            assert told.count("scored") == 4
            return
    pytest.fail("no such match was found")


def name_red(match):
    """The start player of a trick always takes red from the supply."""
    if match.view().phase == "name":
        return "supply:R"
    return match.legal(match.turn)[match.view().trick % len(match.legal(match.turn))]


def test_A13_the_last_gem_of_a_colour_ends_the_match_when_its_trick_is_over():
    match = new(3, 4)
    while not match.over:
        if match.view().supply["R"] == 0:
            assert match.view().phase == "play"  # the gem lies in the middle: nothing ends yet
            in_the_middle = True
        match.play(match.turn, name_red(match))
    assert in_the_middle
    view = match.view()
    assert (view.ending, view.round, len(view.tricks)) == ("early_end", 2, 1)
    (event,) = [event for event in match.events() if event.clause == "A13"]
    assert event.gem == "R"
    check_retold(match)


def states_with(gems, supply, **fields):
    states = np.zeros(1, rules.STATE)
    rules.start(states[0], np.array([len(gems), 0, 0, 0]))
    states[0]["gems"][: len(gems)] = gems
    states[0]["supply"] = supply
    for name, value in fields.items():
        states[0][name] = value
    return states


@pytest.mark.parametrize(
    ("gems", "supply", "score"),
    [
        ((3, 1, 0), (2, 5, 6), 2),  # example 5
        ((2, 2, 1), (4, 4, 5), -1),  # example 6
        ((0, 0, 0), (6, 6, 6), 0),
        ((2, 2, 2), (4, 4, 4), 2),
        ((4, 0, 0), (0, 6, 6), 0),
        ((1, 0, 3), (5, 6, 3), 4),
    ],
)
def test_A14_score(gems, supply, score):
    assert rules.score(states_with([gems, (0, 0, 0)], supply)[0], 0) == score


def test_A14_every_combination_of_gems_against_the_rule_in_other_words():
    amounts = [(own, left) for own in range(7) for left in range(7 - own)]
    states = states_with([(0, 0, 0)] * 2, (6, 6, 6))
    for combination in product(amounts, repeat=3):
        gems, supply = zip(*combination, strict=True)
        states[0]["gems"][1] = gems
        states[0]["supply"] = supply
        expected = points(
            dict(zip("RBG", gems, strict=True)), dict(zip("RBG", supply, strict=True))
        )
        assert rules.score(states[0], 1) == expected


def test_A14_scoring_is_told_step_by_step_seat_by_seat():
    match = ended_match(3, 11)
    events = match.events()
    for index, event in enumerate(events):
        if event.key == "triatri_scored":
            *steps, total = explain(events, index)
            assert all(step.seat == event.seat and step.clause == "A14" for step in steps)
            assert sum(getattr(step, "points", 0) for step in steps) == total.points
            assert total.points == match.scores[event.seat]
            assert total.gems == sum(match.view().gems[event.seat].values())


@pytest.mark.parametrize(
    ("gems", "supply", "winners"),
    [
        ([(1, 0, 0), (0, 1, 0)], (5, 3, 6), [0]),  # 5 points against 3
        ([(1, 0, 0), (2, 0, 0)], (2, 6, 6), [1]),
        ([(1, 0, 0), (2, 2, 1), (0, 0, 0)], (0, 4, 5), [0]),  # 0, -1, 0: more gems
        ([(1, 1, 1), (0, 0, 1), (0, 0, 0)], (5, 5, 1), [0]),  # 1, 1, 0: more gems
        ([(1, 0, 0), (0, 1, 0), (0, 0, 1)], (4, 4, 3), [0, 1]),  # shared
    ],
)
def test_A15_most_points_then_more_gems_then_shared(gems, supply, winners):
    states = states_with(gems, supply, phase=rules.OVER, ending=rules.LAST_ROUND)
    assert winners_at(states, 0) == sum(1 << seat for seat in winners)


def test_A15_what_is_told_of_the_result():
    told = set()
    for players, seed in product(PLAYERS, range(400)):
        match = ended_match(players, seed)
        last = match.events()[-1]
        winners = last.winners if last.key == "triatri_ended_shared" else (last.winner,)
        assert winners == match.winners
        assert last.scores == match.scores
        told.add(last.key.removeprefix("triatri_"))
    assert told == {"ended_at_once", "ended_by_points", "ended_by_gems", "ended_shared"}


# --- what may be known, and refusals ------------------------------------------------------------


def test_A16_who_has_bid_is_visible_and_what_is_not():
    match = table(*HOLDING)
    match.play(1, "G5")
    for viewer in (0, 2, None):
        view = match.view(viewer)
        assert view.has_bid == (False, True, False)
        assert view.bid is None
        assert view.bids == ()
        assert "G5" not in repr(view)
        assert "G5" not in repr(match.events(viewer))
    assert match.view(1).bid == "G5"
    assert match.events(1)[-1].card == "G5"
    assert match.view(0).hand_sizes == (6, 6, 6)


def test_A16_a_spectator_sees_what_is_public():
    view = staged("B5 G4 X R3").view(None)
    assert view.hand == ()
    assert view.hand_sizes == (4, 4, 4, 4)
    assert all(view.last_trick.played)
    assert len(view.bids) == 1


def test_A16_cards_aside_are_seen_by_nobody():
    match = new(2, 3)
    states = np.frombuffer(match.state, rules.STATE)
    assert int(states[0]["aside"]).bit_count() == 5
    for viewer in (0, 1, SPECTATOR):
        assert match.redacted(None if viewer == SPECTATOR else viewer)[0]["aside"] == 0


def test_A16_the_last_trick_can_be_looked_at_after_a_new_deal():
    match = new(3, 9)
    while match.view().round == 1:
        match.play(match.turn, match.legal(match.turn)[0])
    assert match.view().tricks == ()
    assert match.view().last_trick.winner is not None


@pytest.mark.parametrize(
    ("plays", "seat", "action", "sentence"),
    [
        ("0:R2", 0, "B2", "A5: You have already bid R2. You can't change it."),
        ("", 0, "G7", "A5: You do not hold G7. Your hand: R2, R7, B2, B3, G4, X."),
        (
            "", 0, "supply:R",
            "A5: You have to bid a card, not name a gem. Your hand: R2, R7, B2, B3, G4, X.",
        ),
        ("0:R7 1:G6 2:R6", 1, "supply:R", "A6: It is not your turn. To act: Player 1."),
        (
            "0:R7 1:G6 2:R6", 0, "B2",
            "A6: Before you can play B2, you have to name the gem for this trick.",
        ),
        ("0:R7 1:G6 2:R6", 0, "own:R", "A6: You have no red gem. Your colours: none."),
        ("0:R7 1:G6 2:R6 0:supply:B", 1, "B5", "A7: It is not your turn. To act: Player 1."),
        (
            "0:R7 1:G6 2:R6 0:supply:B", 0, "supply:R",
            "A7: The gem for this trick is already named, so play a card. "
            "Your hand: R2, B2, B3, G4, X.",
        ),
        (
            "0:R7 1:G6 2:R6 0:supply:B", 0, "R7",
            "A7: You do not hold R7. Your hand: R2, B2, B3, G4, X.",
        ),
        (
            "0:R7 1:G6 2:R6 0:supply:B", 0, "R2",
            "A7: The gem is blue and you hold blue cards. You can play: B2, B3, X.",
        ),
    ],
)  # fmt: skip
def test_refusals_name_clause_and_values(plays, seat, action, sentence):
    match = play(table(*HOLDING), plays)
    assert str(match.why(seat, action)) == sentence
    with pytest.raises(hastilude.IllegalAction):
        match.play(seat, action)


def test_A6_no_gem_of_that_colour_in_the_supply():
    game = hastilude.load("triatri", players=2)
    states = states_with(
        [(0, 1, 0), (0, 0, 0)], (0, 3, 4), phase=rules.NAME, waiting=1, round=1, viewer=0
    )
    r = game.read(states)
    refusal = game.refuse(r, 0, game.parse("supply:R"))
    assert (
        str(refusal) == "A6: There is no red gem in the supply. Colours in the supply: blue, green."
    )


TOLD = [
    kind
    for kind in vars(triatri_events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and not kind.__name__.startswith("_")
    if kind is not Event
]
SAMPLES = {"seat": 0, "owner": 1, "previous": 1, "winner": 1, "winners": (0, 1), "gem": "R",
           "colour": "R", "beaten": "G", "scores": (3, 0)}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_every_event_however_rare_can_be_said(kind, language):
    event = kind(**{field.name: SAMPLES.get(field.name, 7) for field in fields(kind)})
    sentence = render(event.message, language, ("Ann", "Bob"))
    assert sentence.startswith(event.clause)
    for name in {"seat", "winner", "owner", "previous"} & set(event.values):
        assert ("Ann", "Bob")[SAMPLES[name]] in sentence


# --- symmetry -----------------------------------------------------------------------------------


def steady(match, seat):
    """A choice that depends on what is legal and on nothing else."""
    legal = match.legal(seat)
    return legal[sum(legal) % len(legal)]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(10))
def test_rotating_the_seats_rotates_the_results(players, seed):
    choose, cards, deals = random.Random(seed), pack(players), []
    for _ in range(3):
        choose.shuffle(cards)
        hands = [cards[6 * seat : 6 * (seat + 1)] for seat in range(players)]
        deals.append((hands, cards[6 * players :]))
    results = set()
    for turn in range(players):
        rotated = [
            ["deal", {"hands": hands[-turn:] + hands[:-turn], "aside": aside}]
            for hands, aside in deals
        ]
        match = hastilude.load("triatri", players=players).new(chance=Driver(rotated, seat=turn))
        while not match.over:
            match.play(match.turn, steady(match, match.turn))
        winners = sorted((seat - turn) % players for seat in match.winners)
        scores = match.scores[turn:] + match.scores[:turn]
        results.add((scores, tuple(winners), len(match.steps)))
    assert len(results) == 1
