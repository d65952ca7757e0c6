"""The kernels of the vector environment: many matches, in each of them one seat that learns."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import reference
from hastilude.core import rules
from hastilude.core.bits import NONE, count, has
from hastilude.core.encoding import write_bits
from hastilude.core.kernel import kernel
from hastilude.core.playout import settle
from hastilude.core.random import Rng, pick
from hastilude.core.rules import Cards, State

Flags = npt.NDArray[np.bool_]
Seats = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]


@kernel
def begin(states: Any, start: Any, which: Flags) -> None:
    """Put the matches in `which` back to their start; their first chance events are due."""
    for i in range(len(states)):
        if which[i]:
            states[i] = start[0]


@kernel
def first_illegal(states: Any, seats: Seats, actions: Actions, idle: Flags) -> int:
    """The first match in which the learner may not do what it wants; -1 if there is none."""
    for i in range(len(states)):
        legal = rules.legal(states[i], int(seats[i]))
        if not idle[i] and not (0 <= actions[i] < 64 and has(legal, actions[i])):  # noqa: PLR2004
            return i
    return -1


@kernel
def play_learners(states: Any, seats: Seats, actions: Actions, idle: Flags) -> None:
    for i in range(len(states)):
        if not idle[i]:
            rules.apply(states[i], int(seats[i]), actions[i])


# The two ways to play the other seats are two kernels: the second can only be compiled for a game
# that has a policy.


@kernel
def play_others_at_random(states: Any, seats: Seats, rng: Rng, work: Cards) -> None:
    """Chance and the other seats, until the learner is asked or the match is over."""
    for i in range(len(states)):
        while True:
            if rules.chance_due(states[i]):
                settle(states[i], rng, work)
            player = rules.turn(states[i])
            if player < 0 or player == seats[i]:
                break
            rules.apply(states[i], player, pick(rng, rules.legal(states[i], player)))


@kernel
def play_others_by_policy(states: Any, seats: Seats, rng: Rng, work: Cards) -> None:
    """The same by the game's reference policy."""
    for i in range(len(states)):
        while True:
            if rules.chance_due(states[i]):
                settle(states[i], rng, work)
            player = rules.turn(states[i])
            if player < 0 or player == seats[i]:
                break
            rules.apply(states[i], player, reference(states[i], player, rng, work))


@kernel
def reward_results(
    states: Any, seats: Seats, players: int, idle: Flags, rewards: Numbers, done: Flags
) -> None:
    """At the end of a match its result, before that nothing."""
    for i in range(len(states)):
        done[i] = not idle[i] and rules.turn(states[i]) < 0
        rewards[i] = result(states[i], int(seats[i]), players) if done[i] else 0.0


@kernel
def result(s: State, seat: int, players: int) -> float:
    """1 for winning alone; what it takes to make the sum 0 for losing; between for sharing."""
    winners = rules.winners(s)
    share = (winners >> seat & 1) / count(np.uint64(winners))
    return (players * share - 1.0) / (players - 1.0)


@kernel
def reward_scores(
    states: Any,
    seats: Seats,
    players: int,
    idle: Flags,
    leads: Numbers,
    rewards: Numbers,
    done: Flags,
) -> None:
    """By how much the learner's lead has changed since `leads`, which is brought up to date."""
    for i in range(len(states)):
        done[i], rewards[i] = False, 0.0
        if not idle[i]:
            done[i] = rules.turn(states[i]) < 0
            now = lead(states[i], int(seats[i]), players)
            rewards[i] = now - leads[i]
            leads[i] = now


@kernel
def lead(s: State, seat: int, players: int) -> float:
    """The seat's score over the mean of the others'."""
    own, total = rules.score(s, seat), 0
    for other in range(players):
        total += rules.score(s, other)
    return own - (total - own) / (players - 1.0)


@kernel
def observe(
    states: Any,
    scratch: Any,
    seats: Seats,
    actions: int,
    encodings: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.uint8],
) -> None:
    for i in range(len(states)):
        seat = int(seats[i])
        rules.redact(states[i], seat, scratch[0])
        rules.encode(scratch[0], encodings[i])
        write_bits(masks[i], 0, rules.legal(states[i], seat), actions)


@kernel
def pick_all(states: Any, seats: Seats, rng: Rng, actions: Actions) -> None:
    """A random action of each learner; 0 where it is not asked."""
    for i in range(len(states)):
        legal = rules.legal(states[i], int(seats[i]))
        actions[i] = pick(rng, legal) if legal != NONE else 0


@kernel
def look(
    redacted: Any,
    seat: int,
    actions: int,
    encoding: npt.NDArray[np.uint8],
    mask: npt.NDArray[np.uint8],
) -> None:
    """The same for one match and a seat that already has its redacted state."""
    rules.encode(redacted[0], encoding)
    write_bits(mask, 0, rules.legal(redacted[0], seat), actions)
