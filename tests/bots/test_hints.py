"""Hints: reasons that are true, lines to mix, and nothing that the seat may not know."""

import random

import pytest

import hastilude
from hastilude.bots.hints import Adviser
from hastilude.messages import LANGUAGES, render
from hastilude.testing import deal_twice
from tests.kings_tournament.tables import joust, melee, table
from tests.triatri.tables import pack
from tests.variants import subject

SAMPLES = 24  # enough for facts that are certain


def hinted(match, seat, samples=SAMPLES):
    adviser = Adviser(match.game, match.redacted(seat), seat)
    adviser.analysis.extend(samples)
    return adviser.hints()


def decisions(name, seeds=range(3), **options):
    """Matches at every decision of their course, in which hints are followed."""
    for seed in seeds:
        match = hastilude.load(name, **options).new(seed=seed)
        choose = random.Random(seed)
        while not match.over and len(match.steps) < 40:
            seat = match.turn
            yield match, seat
            if seat == match.turn:
                match.play(seat, choose.choice(match.legal(seat)))


# --- reasons --------------------------------------------------------------------------------------


def unseen_in_tornei(view):
    """Every card of which the view does not say where it is, by texts alone."""
    seen = {*view.hand, *view.jousts, view.prediction}
    for trick in view.tricks:
        seen |= {*trick.jousts, *trick.predictions}
    return {f"{suit}{number}" for suit in "WFSC" for number in range(1, 15)} - seen


def test_tornei_counts_what_is_unseen_and_the_last_player_knows_the_place():
    counted = certain = 0
    for match, seat in decisions("tornei"):
        view, hints = match.view(seat), hinted(match, seat)
        values, key = hints.reason.values, hints.reason.key
        card = values["card"]
        assert card == hints.groups[0].choices[0][0]
        if "count" in values:
            counted += 1
            stronger = {f"{card[0]}{number}" for number in range(int(card[1:]) + 1, 15)}
            assert values["count"] == len(stronger & unseen_in_tornei(view)), key
        last = view.phase == "play" and view.jousts.count(None) == 1
        if last and key == "tornei_hint_follow":
            certain += 1
            match.play(seat, card)
            cards = sorted(match.view(seat).last_trick.jousts, key=match.game.texts.index)
            taken = len(cards) - cards.index(card)
            assert values["share"] == 100 * (taken == values["predicted"])
    assert counted > 20
    assert certain > 3


def margin(card, facing):
    """K2, in the words of the rules."""
    if "B" in (card, facing) or card == facing == "D":
        return 0
    if card == "D":
        return int(facing)
    return -int(card) if facing == "D" else int(card) - int(facing)


def test_kings_tournament_counts_what_beats_a_card_and_knows_an_answer():
    counted = certain = 0
    for match, seat in decisions("kings_tournament", range(2)):
        view, hints = match.view(seat), hinted(match, seat)
        reason, values = hints.reason, hints.reason.values
        unseen = view.unseen[1 - seat]
        if "count" in values:
            counted += 1
            least = {"kings_tournament_hint_line": 3, "kings_tournament_hint_lead": 7}[reason.key]
            beating = [card for card in unseen if margin(card, values["card"]) >= least]
            assert (values["count"], values["unseen"]) == (len(beating), len(unseen))
        if view.phase == "answer":
            certain += 1
            by = margin(values["card"], values["facing"])
            hit = "hits" if by >= 7 else "is_hit" if by <= -7 else "holds"
            assert reason.key == f"kings_tournament_hint_{hit}"
            assert values["margin"] == abs(by)
            match.play(seat, values["card"])
            if hit == "holds" and match.view(seat).phase == "lead":
                assert match.turn == values["leader"]
    assert counted > 5
    assert certain > 5


BEATEN = {"R": "G", "G": "B", "B": "R"}  # by fire, wood and water (A4)


def beats_next(card, lead):
    """Whether a card that follows the first card of a trick wins over it (A8 to A10)."""
    if "X" in (card, lead):
        return True
    number, first = int(card[1:]), int(lead[1:])
    if BEATEN[card[0]] == lead[0]:
        number *= 4 if number == 2 else 2
    return number > first or (number == first and BEATEN[lead[0]] != card[0])


def test_triatri_counts_what_beats_a_lead_and_the_last_player_knows_the_winner():
    counted = certain = 0
    for match, seat in decisions("triatri", range(4), players=3):
        view, hints = match.view(seat), hinted(match, seat)
        key, values = hints.reason.key, hints.reason.values
        if key == "triatri_hint_play" and view.table.start == seat:
            counted += 1
            unseen = pack(3)
            gone = [*view.hand, *(view.bids[-1] if view.bids else ())]
            gone += [card for trick in view.tricks for card in trick.played]
            for card in gone:
                unseen.remove(card)
            assert values["count"] == sum(beats_next(card, values["card"]) for card in unseen)
        if key == "triatri_hint_last":
            certain += 1
            match.play(seat, values["card"])
            assert match.view(seat).last_trick.winner == seat
    assert counted > 3
    assert certain > 1


@pytest.mark.parametrize("name", hastilude.games())
def test_a_reason_is_a_sentence_in_every_language(name):
    match = hastilude.load(name).new(seed=3)
    for _ in range(4):
        reason = hinted(match, match.turn, 4).reason
        for language in LANGUAGES:
            assert "{" not in render(reason, language, ("Ann", "Bob", "Cy"), match.turn)
        match.play(match.turn, match.legal(match.turn)[0])


# --- lines to mix ---------------------------------------------------------------------------------


def test_the_joust_is_mixed_like_its_equilibrium():
    match = table("1 3 6 10 B", "1 4 6 7 10")
    hints = hinted(match, 0)
    (group,) = hints.groups
    assert sum(group.shares) == pytest.approx(1)
    assert list(group.shares) == sorted(group.shares, reverse=True)
    assert group.choices[0] == ("6", "10", "B")  # as in the stored solution of fresh decks
    assert hints.reason.values["cards"] == ("6", "10", "B")
    for line in group.choices:
        rehearsal = match.rehearse(0)
        for card in line:
            rehearsal.play(card)
        assert rehearsal.whole


def test_a_line_that_was_begun_is_completed_and_told_whole():
    match = table("1 3 6 10 B", "1 4 6 7 10")
    match.play(0, "6")
    hints = hinted(match, 0)
    assert ("10", "B") in hints.groups[0].choices
    assert hints.reason.values["cards"][0] == "6"


def test_a_beginning_that_good_play_avoids_is_judged_by_simulation():
    match = table("1 3 6 10 B", "1 4 6 7 10")
    match.play(0, "B")
    match.play(0, "10")
    hints = hinted(match, 0)
    assert hints.groups[0].shares is None
    assert {len(line) for group in hints.groups for line in group.choices} == {1}


def test_a_later_joust_is_solved_for_the_cards_that_are_left():
    match = joust(table("B B 3 4 5 1 2 6 7 8", "B 1 2 3 4 5 6 7 9 D"), "B B 3", "1 2 B")
    assert match.view(0).phase == "joust"
    assert hinted(match, 0).groups[0].shares


def test_in_the_melee_nothing_is_mixed():
    match = melee("9 3 4 5 6", "2 8 7 6 5")
    assert hinted(match, match.turn).groups[0].shares is None


# --- secrecy --------------------------------------------------------------------------------------

SECRETS = [
    subject("tornei", {"players": 4}),
    subject("tornei", {"players": 3}),
    subject("kings_tournament", {}),
    subject("triatri", {"players": 3}),
]


@pytest.mark.parametrize("one", SECRETS)
def test_hints_are_the_same_if_hidden_cards_are_exchanged(one):
    first, second = deal_twice(one, 0, random.Random(5))
    choose = random.Random(5)
    while 0 not in first.pending:
        seat = first.turn
        common = sorted(set(first.legal(seat)) & set(second.legal(seat)))
        action = choose.choice(common)
        first.play(seat, action)
        second.play(seat, action)
    assert first.state != second.state
    assert hinted(first, 0) == hinted(second, 0)
