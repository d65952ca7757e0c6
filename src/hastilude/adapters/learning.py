"""The kernels of the vector environment: many matches with one learning seat each."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.knowledge import reference
from hastilude.core import rules
from hastilude.core.bits import NONE, count, has
from hastilude.core.encoding import write_bits
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, pick
from hastilude.core.rules import Cards, State

Flags = npt.NDArray[np.bool_]
Seats = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]


@kernel
def begin(states: Any, start: Any, which: Flags) -> None:
    """Reset the matches in `which` to their start; their first chance events are due then."""
    for i in range(len(states)):
        if which[i]:
            states[i] = start[0]


@kernel
def first_illegal(states: Any, seats: Seats, actions: Actions, idle: Flags) -> int:
    """The first match in which the learner's action is not legal; -1 if there is none."""
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


# Two kernels play the other seats, because the second can only be compiled for a game that has a
# policy.


@kernel
def play_others_at_random(states: Any, seats: Seats, rng: Rng, work: Cards) -> None:
    """Play chance and the other seats until it is the learner's turn or the match is over."""
    for i in range(len(states)):
        while True:
            if rules.chance_due(states[i]):
                deal_due(states[i], rng, work)
            player = rules.turn(states[i])
            if player < 0 or player == seats[i]:
                break
            rules.apply(states[i], player, pick(rng, rules.legal(states[i], player)))


@kernel
def play_others_by_policy(states: Any, seats: Seats, rng: Rng, work: Cards) -> None:
    """The same, with the game's reference policy."""
    for i in range(len(states)):
        while True:
            if rules.chance_due(states[i]):
                deal_due(states[i], rng, work)
            player = rules.turn(states[i])
            if player < 0 or player == seats[i]:
                break
            rules.apply(states[i], player, reference(states[i], player, rng, work))


@kernel
def reward_results(
    states: Any, seats: Seats, players: int, idle: Flags, rewards: Numbers, done: Flags
) -> None:
    """The result at the end of a match, 0 before."""
    for i in range(len(states)):
        done[i] = not idle[i] and rules.turn(states[i]) < 0
        rewards[i] = result(states[i], int(seats[i]), players) if done[i] else 0.0


@kernel
def result(s: State, seat: int, players: int) -> float:
    """1 for winning alone; for losing, the value that makes the sum 0; between them for sharing."""
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
    """How much the learner's lead has changed since `leads`; updates `leads`."""
    for i in range(len(states)):
        done[i], rewards[i] = False, 0.0
        if not idle[i]:
            done[i] = rules.turn(states[i]) < 0
            now = lead(states[i], int(seats[i]), players)
            rewards[i] = now - leads[i]
            leads[i] = now


@kernel
def lead(s: State, seat: int, players: int) -> float:
    """The seat's score minus the mean of the others' scores."""
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
    """A random action for each learner; 0 where it is not its turn."""
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
    """The same for one match, given the seat's redacted state."""
    rules.encode(redacted[0], encoding)
    write_bits(mask, 0, rules.legal(redacted[0], seat), actions)
