"""Measures the compiled reference policies: their strength against random play, and their speed.

`python -m tests.bots.contest` prints the figures; `--deals` sets the number of deals.
"""

import argparse
import time
from math import sqrt
from typing import NamedTuple

import numpy as np

import hastilude
from hastilude.bots.knowledge import load_bots, reference
from hastilude.core import rules
from hastilude.core.calls import start_at
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import draw, generator, pick
from hastilude.core.rules import WORK

VARIANTS = [
    ("tornei", {"players": 3}),
    ("tornei", {"players": 4}),
    ("triatri", {"players": 2}),
    ("triatri", {"players": 3}),
    ("triatri", {"players": 4}),
]
ROUNDS = {"tornei": lambda players: players, "triatri": lambda players: 1}  # per score

for played, _ in VARIANTS:
    load_bots(hastilude.load(played))

EVERYBODY = -1  # instead of a seat: all seats play the reference


class Contest(NamedTuple):
    """Per deal, the mean over all seats."""

    lead: np.ndarray  # the reference's points minus the mean of the others', per round
    victories: np.ndarray  # its share of the victories


def contest(name, options, deals, seed=1):
    """One reference seat against random players: every deal once from each seat."""
    game = hastilude.load(name, **options)
    lead, victories = np.zeros(deals), np.zeros(deals)
    contest_all(begun(game), game.seats, generator(seed), np.zeros(WORK, np.int8), lead, victories)
    return Contest(lead / ROUNDS[name](game.seats), victories)


def begun(game):
    """The start of a match, and room for two more states."""
    states = np.zeros(3, game.state)
    start_at(states, np.array(game.option_numbers, dtype=np.int64))
    return states


@kernel
def contest_all(states, seats, rng, work, lead, victories):
    dealing = rng.copy()
    for deal in range(len(lead)):
        cards = draw(rng)
        for seat in range(seats):
            dealing[0] = cards
            play_match(states, seat, dealing, rng, work)
            s = states[1]
            others = 0
            for other in range(seats):
                others += rules.score(s, other) if other != seat else 0
            lead[deal] += (rules.score(s, seat) - others / (seats - 1)) / seats
            victories[deal] += victory(rules.winners(s), seat) / seats


@kernel
def play_match(states, chosen, dealing, rng, work):
    """A match in states[1] in which the chosen seat plays the reference; returns its calls."""
    states[1] = states[0]
    s = states[1]
    calls = 0
    while True:
        if rules.chance_due(s):
            deal_due(s, dealing, work)
        seat = rules.turn(s)
        if seat < 0:
            return calls
        if chosen in (seat, EVERYBODY):
            calls += 1
            action = reference(s, seat, rng, work)
        else:
            action = pick(rng, rules.legal(s, seat))
        rules.apply(s, seat, action)


@kernel
def victory(winners, seat):
    shared = 0
    for other in range(4):
        shared += winners >> other & 1
    return (winners >> seat & 1) / shared


@kernel
def play_matches(states, chosen, matches, rng, work):
    calls = 0
    for _ in range(matches):
        calls += play_match(states, chosen, rng, rng, work)
    return calls


def microseconds(name, options, matches):
    """The time per call of the reference, including its share of the engine's work."""
    game = hastilude.load(name, **options)
    states, rng, work = begun(game), generator(1), np.zeros(WORK, np.int8)
    play_matches(states, EVERYBODY, 1, rng, work)
    began = time.process_time()
    calls = play_matches(states, EVERYBODY, matches, rng, work)
    return 1e6 * (time.process_time() - began) / calls


def estimate(values):
    """Mean and half of the 95 % interval."""
    return values.mean(), 1.96 * values.std(ddof=1) / sqrt(len(values))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The reference alone against random players.")
    parser.add_argument("--deals", type=int, default=5000)
    deals = parser.parse_args().deals
    for name, options in VARIANTS:
        result = contest(name, options, deals)
        span = "round" if name == "tornei" else "match"
        lead, share = estimate(result.lead), estimate(result.victories)
        print(
            f"{name} {options['players']} players: "
            f"lead {lead[0]:+.2f} ± {lead[1]:.2f} points a {span}, "
            f"victories {100 * share[0]:.1f} ± {100 * share[1]:.1f} %, "
            f"{microseconds(name, options, deals // 4 + 1):.2f} µs a call"
        )
