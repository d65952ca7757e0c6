"""The policies: legal, blind to what is hidden, sensible, better than random."""

import os
import subprocess
import sys

import numpy as np
import pytest

import hastilude
from hastilude.bots.knowledge import instinct, load_mind, reference
from hastilude.core import rules
from hastilude.core.bits import has
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import below, generator, pick
from hastilude.core.rules import WORK
from tests.bots.contest import VARIANTS, begun, contest
from tests.bots.story import choose, story
from tests.playing import finish_trick
from tests.tornei import tables as tornei
from tests.triatri import tables as triatri
from tests.variants import label

every_table = pytest.mark.parametrize(
    ("name", "options"), [pytest.param(*variant, id=label(*variant)) for variant in VARIANTS]
)

ILLEGAL, TOLD_BY_HIDDEN = 0, 1


@kernel
def count_faults(states, mind, best, samples, matches, rng, work, faults):
    """Matches in which every pending seat is asked at every step, and one plays the answer or at
    random; returns the number of positions. Chance is the same for each asking."""
    asked = 0
    luck = rng.copy()
    for _ in range(matches):
        states[1] = states[0]
        s = states[1]
        deal_due(s, rng, work)
        while rules.turn(s) >= 0:
            for seat in range(4):
                if rules.pending(s) >> seat & 1:
                    asked += 1
                    luck[0] = asked
                    choice = policy(s, seat, mind, best, luck, work)
                    faults[ILLEGAL] += not has(rules.legal(s, seat), choice)
                    rules.redact(s, seat, states[2])
                    luck[0] = asked
                    faults[TOLD_BY_HIDDEN] += (
                        policy(states[2], seat, mind, best, luck, work) != choice
                    )
                    for _ in range(samples):
                        sample_at(states, seat, rng, work)
                        luck[0] = asked
                        faults[TOLD_BY_HIDDEN] += (
                            policy(states[2], seat, mind, best, luck, work) != choice
                        )
            seat = rules.turn(s)
            at_random = below(rng, 2)
            action = pick(rng, rules.legal(s, seat))
            if not at_random:
                action = policy(s, seat, mind, best, rng, work)
            rules.apply(s, seat, action)
            if rules.chance_due(s):
                deal_due(s, rng, work)
    return asked


@kernel
def policy(s, seat, mind, best, rng, work):
    if best:
        return instinct(s, seat, mind, rng, work)
    return reference(s, seat, rng, work)


@kernel
def sample_at(states, seat, rng, work):
    """In states[2] another state that looks the same to the seat."""
    rules.redact(states[1], seat, states[2])
    rules.determinize(states[2], rng, work)


@pytest.mark.parametrize("best", [False, True], ids=["reference", "instinct"])
@every_table
def test_always_legal_and_the_same_whatever_is_hidden(name, options, best):
    game = hastilude.load(name, **options)
    faults = np.zeros(2, np.int64)
    mind, rng, work = load_mind(game), generator(4), np.zeros(WORK, np.int8)
    asked = count_faults(begun(game), mind, best, 3, 150, rng, work, faults)
    assert asked > 3_000
    assert faults[ILLEGAL] == 0
    assert faults[TOLD_BY_HIDDEN] == 0


LEADS = {"tornei": 4.0, "triatri": 1.0}  # points that are far below what was measured
SHARES = {2: 0.7, 3: 0.5, 4: 0.5}


@every_table
def test_clearly_better_than_random(name, options):
    result = contest(name, options, deals=300)
    assert result.lead.mean() > LEADS[name]
    assert result.victories.mean() > SHARES[options["players"]]


@every_table
def test_the_same_seed_gives_the_same_choices(name, options):
    assert story(name, options) == story(name, options)


def test_interpreted_it_chooses_the_same():
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.bots.story"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert printed.returncode == 0, printed.stderr
    interpreted = dict(line.split("\t") for line in printed.stdout.splitlines())
    assert interpreted == {label(*variant): story(*variant) for variant in VARIANTS}


def chosen(match, seat):
    return match.game.text(choose(match.redacted(seat), seat))


# --- Tornei -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "joust"),
    [("W1", "C14"), ("F1", "C10"), ("C3", "C5")],
    ids=["first", "second", "fourth"],
)
def test_T8_the_last_player_makes_a_prediction_right(prediction, joust):
    hand = "C3 C5 C10 C14 W1 F1 F2 F3 F4 F5 F6 F7 F8 F9"
    match = tornei.table(hand, "C13 S1", "C8 S2", "C7 S3")
    tornei.play(match, f"1:C13 1:S1 2:S2 3:S3 0:{prediction} 2:C8 3:C7")
    assert chosen(match, 0) == joust


def test_T7_a_card_that_must_win_is_predicted_first():
    match = tornei.table("", "W14 W2 F2 S2 C2", "", "")
    tornei.play(match, "1:W14")
    assert chosen(match, 1) == "W2"


def test_T9_the_card_that_must_follow_decides_the_prediction():
    """W1 must follow W14, and so must almost certainly all the others."""
    match = tornei.table("W1 F2 F3 F4 F5 S2 S3 S4 S5 C2 C3 C4 C5 C6", "W14", "", "")
    tornei.play(match, "1:W14")
    assert chosen(match, 0).startswith("C")


def test_T12_at_the_end_a_player_without_tricks_aims_for_none():
    """The last trick: a trick is a point, having none is three."""
    match = tornei.table("", "", "", "")
    finish_trick(match)
    redacted = match.redacted(match.turn)
    redacted["trick"][0] = 6
    redacted["leader"][0, 6] = match.turn
    redacted["hand"][0, match.turn] = np.uint64(1 << 55 | 1)  # W14 and C1
    redacted["won"][0] = [2, 2, 2, 0]
    redacted["won"][0, match.turn] = 0
    assert match.game.text(choose(redacted, match.turn)) == "C1"


def test_T15_the_dummys_answer_is_foreseen():
    """All Wyverns are in this hand and in the dummy's column: W7 is second for certain."""
    hand = "W1 W2 W3 W4 W5 W6 W7 F1 S1 C1 C2 C3 C4 C5"
    match = tornei.table("", hand, "", dummy="W8 W9 W10 W11 W12 W13 W14", pile="C6")
    tornei.play(match, "1:W7")
    assert chosen(match, 1) == "F1"


# --- TriATri ------------------------------------------------------------------------------------


def with_gems(match, seat, *gems, supply=(3, 3, 3)):
    """What a seat knows, had everybody these gems of each colour."""
    redacted = match.redacted(seat)
    redacted["gems"][0, : len(gems)] = gems
    redacted["supply"][0] = supply
    return redacted


def answer(match, seat, *gems):
    return match.game.text(choose(with_gems(match, seat, *gems), seat))


def second_to_play(led, hand):
    """Two players: seat 0 has named a green gem and led a card; seat 1 holds this hand."""
    match = triatri.table(f"R6 {led}", f"R2 {hand}")
    return triatri.play(triatri.bid(match, "R6 R2"), f"0:supply:G 0:{led}")


def test_A12_the_card_that_wins_at_once_is_played():
    match = second_to_play("G4", "G2 G3 G5 B2 B3")
    assert answer(match, 1, (0, 0, 0), (2, 2, 1)) == "G5"


def test_A12_the_instant_win_of_another_is_prevented():
    match = second_to_play("G4", "G2 G3 G5 B2 B3")
    assert answer(match, 1, (2, 2, 1), (0, 0, 0)) == "G5"


def test_A9_the_exchange_takes_the_dear_card_when_all_is_at_stake():
    match = second_to_play("G6", "G2 G3 X B2 B3")
    assert answer(match, 1, (0, 0, 0), (2, 2, 1)) == "X"


def test_A9_the_exchange_is_kept_when_a_cheap_card_wins_too():
    match = second_to_play("G4", "G2 G3 G5 X B3")
    assert answer(match, 1, (0, 0, 0), (2, 2, 1)) == "G5"


def test_A8_a_doubled_two_wins_where_nothing_else_does():
    match = triatri.table("B6 B5", "R3 G2 R2 R4 R5 X")
    triatri.play(triatri.bid(match, "B6 R3"), "0:supply:B 0:B5")
    assert answer(match, 1, (2, 1, 2), (2, 1, 2)) == "G2"


def test_A14_a_gem_that_makes_a_bad_pair_is_left_to_the_other():
    """In the last round reds alone are worth most; a green one beside them costs two and a red."""
    match = second_to_play("G4", "G2 G3 G5 B2 B3")
    redacted = with_gems(match, 1, (0, 0, 0), (3, 0, 0))
    redacted["round"] = 3
    assert match.game.text(choose(redacted, 1)) != "G5"


def test_A6_a_gem_that_would_win_for_another_is_not_named_with_a_weak_hand():
    match = triatri.table("R6 R2 B2 B3 G2 G3", "R3 B4 B5 B6 G5 G6")
    triatri.bid(match, "R6 R3")
    assert answer(match, 0, (1, 1, 0), (2, 2, 1)) not in ("supply:G", "own:G")


def test_A12_the_gem_that_wins_at_once_is_named_with_a_strong_card():
    """Both exchange cards are in this hand, and nothing that follows beats B6."""
    match = triatri.table("R6 B2 B6 G6 X X", "R3")
    triatri.bid(match, "R6 R3")
    assert answer(match, 0, (2, 1, 2), (0, 0, 0)) == "supply:B"


@pytest.mark.parametrize(
    ("rival", "own", "wins"), [((0, 0, 0), (0, 0, 0), True), ((2, 0, 0), (1, 0, 0), False)]
)
def test_A13_the_trick_that_ends_the_match_is_won_only_to_win_it(rival, own, wins):
    """No red gem is in the supply, so the match ends. The green one is worth 3 to those without
    reds, but with reds it makes a pair."""
    match = second_to_play("G4", "G2 G3 G5 B2 B3")
    redacted = with_gems(match, 1, rival, own, supply=(0, 3, 3))
    assert (match.game.text(choose(redacted, 1)) == "G5") == wins
