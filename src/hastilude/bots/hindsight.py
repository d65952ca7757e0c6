"""Hindsight: conclusions about the others' hidden cards from what they played.

A random deal of the hidden cards agrees with what is certain, but rarely with what the others did.
So a deal is improved before a search uses it: hidden cards are exchanged, and an exchange is
accepted depending on how well the reference policy, with these cards, explains the choices that
were seen (Metropolis). Others may play differently from the reference, so a choice that it would
not make only makes a deal less likely: see DOUBT.

`hindsight.py` of a game says which choices are remembered; a game without it is dealt at random.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import exchange, recall, reference, relive
from hastilude.core import rules
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, unit
from hastilude.core.rules import Cards, State

DOUBT = 0.1  # relative likelihood of a choice that the reference would not make
SETTLING = 100  # exchanges tried before a deal is first used
BETWEEN = 10  # exchanges tried between two uses
MOST_CHOICES = 64
MOST_SEATS = 4
DEAL, TRIAL, CHOICE = range(3)  # the worlds: the deal, with an exchange, at an earlier choice
CHOICES, USES = range(2)  # counted


class Choices(NamedTuple):
    states: Any
    seats: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]


class Hindsight(NamedTuple):
    """A deal that is being improved, and the choices that it must explain."""

    worlds: Any  # DEAL, TRIAL and CHOICE
    choices: Choices
    fits: npt.NDArray[np.float64]  # how likely each seat's choices are, in DEAL and in TRIAL
    counts: npt.NDArray[np.int64]  # CHOICES that are remembered and USES of the deal


def new_hindsight(state: np.dtype[np.void]) -> Hindsight:
    seats, actions = np.zeros(MOST_CHOICES, np.int64), np.zeros(MOST_CHOICES, np.int64)
    return Hindsight(
        worlds=np.zeros(3, state),
        choices=Choices(np.zeros(MOST_CHOICES, state), seats, actions),
        fits=np.ones((2, MOST_SEATS)),
        counts=np.zeros(2, np.int64),
    )


@kernel
def look_back(redacted: Any, hindsight: Any) -> None:
    """Remember the choices in a new position."""
    hindsight.counts[CHOICES] = recall(redacted[0], hindsight.choices)
    hindsight.counts[USES] = 0


@kernel
def imagine(redacted: Any, viewer: int, hindsight: Any, rng: Rng, work: Cards) -> None:
    """Make the next deal of the cards hidden from the viewer, in worlds[DEAL]."""
    worlds, counts = hindsight.worlds, hindsight.counts
    tries = BETWEEN
    if counts[CHOICES] == 0 or counts[USES] == 0:
        worlds[DEAL] = redacted[0]
        rules.determinize(worlds[DEAL], rng, work)
        tries = SETTLING
    if counts[CHOICES]:
        if counts[USES] == 0:
            for seat in range(MOST_SEATS):
                hindsight.fits[DEAL, seat] = fit(worlds[DEAL], seat, 0.0, hindsight, rng, work)
        for _ in range(tries):
            try_exchange(viewer, hindsight, rng, work)
    counts[USES] += 1


@kernel
def try_exchange(viewer: int, hindsight: Any, rng: Rng, work: Cards) -> None:
    """Try an exchange; accept it with the ratio of the new deal's probability to the old one's."""
    worlds, fits = hindsight.worlds, hindsight.fits
    worlds[TRIAL] = worlds[DEAL]
    seats = exchange(worlds[TRIAL], viewer, rng)
    if not seats:
        return
    least, after = unit(rng), 1.0
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            least *= fits[DEAL, seat]
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            fits[TRIAL, seat] = fit(worlds[TRIAL], seat, least / after, hindsight, rng, work)
            after *= fits[TRIAL, seat]
            if after <= least:
                return
    worlds[DEAL] = worlds[TRIAL]
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            fits[DEAL, seat] = fits[TRIAL, seat]


@kernel
def fit(world: State, seat: int, least: float, hindsight: Any, rng: Rng, work: Cards) -> float:
    """How likely a seat's choices are in this world; 0 as soon as it is below `least`."""
    choices, worlds = hindsight.choices, hindsight.worlds
    found = 1.0
    for k in range(hindsight.counts[CHOICES] - 1, -1, -1):  # the latest choices say the most
        if choices.seats[k] == seat:
            worlds[CHOICE] = choices.states[k]
            action = relive(worlds[CHOICE], world, seat, choices.actions[k])
            if reference(worlds[CHOICE], seat, rng, work) != action:
                found *= DOUBT
                if found < least:
                    return 0.0
    return found
