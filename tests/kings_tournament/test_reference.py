"""The reference policy of King's Tournament: legal, blind to what is hidden, and sensible."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import hastilude
from hastilude.bots.knowledge import load_bots, reference
from hastilude.core import rules
from hastilude.core.bits import has
from hastilude.core.calls import start_at
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, draw, generator, pick
from hastilude.core.rules import WORK, Cards
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from tests.kings_tournament.subject import VARIANTS
from tests.kings_tournament.tables import both_on_foot, melee, play, table
from tests.variants import label

load_bots(hastilude.load("kings_tournament"))

START, NOW, GUESS = 0, 1, 2  # the states of a trial
ILLEGAL, PEEKED = -1, -2
SCRAMBLES = 3


@kernel
def try_match(states: Any, rng: Rng, work: Cards) -> int:
    """Play a match, sometimes by the policy; the number of its choices, or what is wrong."""
    states[NOW] = states[START]
    choices = 0
    own = np.zeros(1, np.uint64)
    while True:
        deal_due(states[NOW], rng, work)
        seat = rules.turn(states[NOW])
        if seat < 0:
            return choices
        seed = draw(rng)
        own[0] = seed
        action = reference(states[NOW], seat, own, work)
        legal = rules.legal(states[NOW], seat)
        if not has(legal, action):
            return ILLEGAL
        for _ in range(SCRAMBLES):
            rules.redact(states[NOW], seat, states[GUESS])
            rules.determinize(states[GUESS], rng, work)
            own[0] = seed
            if reference(states[GUESS], seat, own, work) != action:
                return PEEKED
        choices += 1
        if draw(rng) & np.uint64(1):
            action = pick(rng, legal)
        rules.apply(states[NOW], seat, action)


@kernel
def against_random(states: Any, rng: Rng, work: Cards, seat: int, matches: int) -> int:
    """How many matches the policy wins in a seat."""
    won = 0
    for _ in range(matches):
        states[NOW] = states[START]
        while True:
            deal_due(states[NOW], rng, work)
            turn = rules.turn(states[NOW])
            if turn < 0:
                break
            if turn == seat:
                action = reference(states[NOW], seat, rng, work)
            else:
                action = pick(rng, rules.legal(states[NOW], turn))
            rules.apply(states[NOW], turn, action)
        won += rules.winners(states[NOW]) == 1 << seat
    return won


@kernel
def choose_at(states: Any, seat: int, rng: Rng, work: Cards) -> int:
    return reference(states[0], seat, rng, work)


def start(**options):
    game = hastilude.load("kings_tournament", **options)
    states = np.zeros(3, game.state)
    start_at(states, np.array(game.option_numbers))
    return states, np.zeros(WORK, np.int8)


def chosen(match, seat, seed=1):
    card = choose_at(match.redacted(seat), seat, generator(seed), np.zeros(WORK, np.int8))
    return CARD_TEXTS[card]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: label("", options))
def test_choices_are_legal_and_do_not_depend_on_what_is_hidden(options):
    states, work = start(**options)
    rng = generator(11)
    choices = [try_match(states, rng, work) for _ in range(100)]
    assert min(choices) > 0
    assert sum(choices) > 1000


@pytest.mark.parametrize("joust", ["committed", "stepwise"])
@pytest.mark.parametrize("seat", [0, 1])
def test_it_beats_random_play_in_either_seat(seat, joust):
    states, work = start(best_of=1, joust=joust)
    assert against_random(states, generator(5), work, seat, 2000) > 0.88 * 2000


def test_the_same_seed_gives_the_same_choices():
    states, work = start()
    one, other = (try_match(states, generator(3), work) for _ in range(2))
    assert one == other


def test_K12_a_hit_that_wins_is_played():
    match = both_on_foot("9 3 B 4", "2 4 5 6")
    match.play(1, "2")
    assert chosen(match, 0) == "9"


def test_K12_a_mounted_knight_that_reveals_a_ten_is_hit_by_a_double_strike():
    match = melee("10 5 6 5 6", "D 4 5 6 4")
    match.play(0, "10")
    assert chosen(match, 1) == "D"


def test_K11_a_reveal_is_not_won_by_little():
    match = both_on_foot("6 4 7 B", "5 2 5 6")
    match.play(1, "5")
    assert chosen(match, 0) in {"4", "B"}


def test_K12_a_standing_knight_reveals_what_nothing_can_hit():
    match = both_on_foot("2 9 10 D", "2 4 8 5")
    assert chosen(match, 1) in {"4", "5"}


def test_K5_lines_are_mixed():
    match = table("1 3 6 9 D", "1 1 1 2 2")
    assert {chosen(match, 0, seed) for seed in range(200)} >= {"6", "9"}


PLAY = """
from tests.kings_tournament.test_reference import *
states, work = start(best_of=1, joust="{joust}")
print([try_match(states, generator(seed), work) for seed in range(3)], states["seen"].tolist())
"""


@pytest.mark.parametrize("joust", ["committed", "stepwise"])
def test_interpreted_it_plays_the_same(joust, capsys):
    code = PLAY.format(joust=joust)
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    exec(code, {})
    assert capsys.readouterr().out == ran.stdout


def test_a_melee_is_played_to_its_end():
    """In Python, as a bot would: the policy for both seats, through the checked door."""
    match = hastilude.load("kings_tournament", best_of=1).new(seed=2)
    while not match.over:
        play(match, f"{match.turn}:{chosen(match, match.turn, seed=9)}")
    assert len(match.winners) == 1
