"""Whole matches for the lab, compiled where every seat plays by a policy.

Everything that chance decides follows from one seed, so that a deal can be played again with other
players: the k-th chance event of its kind depends only on the seed and on k. What the players
themselves decide at random follows from another seed.
"""

from collections.abc import Sequence
from time import thread_time
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude import bots
from hastilude.bots.knowledge import instinct, load_bots, load_mind, reference
from hastilude.core import rules
from hastilude.core.bits import NONE, ONE, bit, count, lowest, numbers
from hastilude.core.calls import redact_at, start_at
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, mixed, pick, shuffle
from hastilude.core.rules import WORK, Cards, Numbers
from hastilude.core.states import blank
from hastilude.core.uncounted import uncounted
from hastilude.lab.course import (
    MOST_SEATS,
    MOST_SECTIONS,
    course_of,
    feats,
    hand_over,
    holding,
    kind,
    role,
    section,
)

RANDOM, REFERENCE, INSTINCT, ASKED = range(4)
POLICIES = {"random": RANDOM, "reference": REFERENCE, "heuristic": INSTINCT}
CHANCES = 8  # kinds of chance events are below this
MOST_CARDS = 64
NEVER = -1  # no choice is forced

# What a trace counts.
SECTION, PLAYS, DECISIONS, WINNERS, FORCED_SEAT, FORCED_KIND, USUAL_KIND, FACTS = range(8)

Floats: TypeAlias = npt.NDArray[np.float64]


class Sitting(NamedTuple):
    """Who plays a match, and by which seeds."""

    policies: Numbers  # by seat
    mind: Any
    rngs: npt.NDArray[np.uint64]  # a generator per seat, then one for chance and one for forcing
    chance: npt.NDArray[np.uint64]  # the seed of the chance events
    happened: Numbers  # how many of each kind there were
    work: Cards


class Trace(NamedTuple):
    """What a match is remembered by: counts, and each section as it began."""

    facts: Numbers
    decisions: Numbers  # by seat: choices between two actions or more
    scores: Numbers  # by seat, at the end
    begins: Any  # states, by section
    reached: npt.NDArray[np.bool_]
    scored: Numbers  # by section and seat, when it began
    roles: Numbers
    achieved: Numbers  # what the section before has meant
    offered: Numbers  # by kind of choice
    chosen: Numbers


def new_trace(game: Game) -> Trace:
    kinds = len(course_of(game).kinds)
    table = (MOST_SECTIONS + 1, MOST_SEATS)
    return Trace(
        facts=np.zeros(FACTS, np.int64),
        decisions=np.zeros(MOST_SEATS, np.int64),
        scores=np.zeros(MOST_SEATS, np.int64),
        begins=blank(game.state, MOST_SECTIONS),
        reached=np.zeros(MOST_SECTIONS, np.bool_),
        scored=np.zeros(table, np.int64),
        roles=np.zeros(table, np.int64),
        achieved=np.zeros(table, np.int64),
        offered=np.zeros(kinds, np.int64),
        chosen=np.zeros(kinds, np.int64),
    )


# --- the kernels --------------------------------------------------------------------------------


@kernel
def begin_trace(trace: Any) -> None:
    trace.facts[:] = 0
    trace.facts[SECTION] = -1
    trace.decisions[:] = 0
    trace.reached[:] = False
    trace.offered[:] = 0
    trace.chosen[:] = 0


@kernel
def note_section(states: Any, trace: Any, seats: int) -> None:
    """Remember the state if a section begins with it."""
    s = states[0]
    number = min(section(s), MOST_SECTIONS - 1)
    if number == trace.facts[SECTION]:
        return
    trace.facts[SECTION] = number
    trace.begins[number] = s
    trace.reached[number] = True
    for seat in range(seats):
        trace.scored[number, seat] = rules.score(s, seat)
        trace.roles[number, seat] = role(s, seat)
        trace.achieved[number, seat] = feats(s, seat)


@kernel
def ready(states: Any, sitting: Any, trace: Any, seats: int) -> int:
    """Let chance do what is due; returns the seat to act, or -1 with the result in the trace."""
    s = states[0]
    due = rules.chance_due(s)
    while due:
        note_section(states, trace, seats)
        number = sitting.happened[due]
        sitting.happened[due] = number + 1
        rng = sitting.rngs[seats]
        rng[0] = mixed(sitting.chance[0] ^ mixed(np.uint64(number * CHANCES + due)))
        shuffle(rng, sitting.work, rules.undealt(s, due, sitting.work))
        rules.deal(s, due, sitting.work)
        due = rules.chance_due(s)
    seat = rules.turn(s)
    if seat >= 0:
        note_section(states, trace, seats)
        return seat
    trace.facts[WINNERS] = rules.winners(s)
    for other in range(seats):
        trace.scores[other] = trace.scored[MOST_SECTIONS, other] = rules.score(s, other)
        trace.achieved[MOST_SECTIONS, other] = feats(s, other)
    return -1


@kernel
def act(states: Any, trace: Any, seat: int, action: int) -> None:
    """Play an action, and count it."""
    s = states[0]
    actions = rules.legal(s, seat)
    trace.facts[PLAYS] += 1
    if count(actions) > 1:
        trace.facts[DECISIONS] += 1
        trace.decisions[seat] += 1
        offered = NONE
        while actions != NONE:
            offered |= bit(kind(s, seat, lowest(actions)))
            actions &= actions - ONE
        while offered != NONE:
            trace.offered[lowest(offered)] += 1
            offered &= offered - ONE
        trace.chosen[kind(s, seat, action)] += 1
    rules.apply(s, seat, action)


@kernel
def choose(states: Any, sitting: Any, seat: int) -> int:
    s, rng = states[0], sitting.rngs[seat]
    policy = sitting.policies[seat]
    if policy == RANDOM:
        return pick(rng, rules.legal(s, seat))
    if policy == REFERENCE:
        return reference(s, seat, rng, sitting.work)
    return instinct(s, seat, sitting.mind, rng, sitting.work)


@kernel
def force(states: Any, rng: Rng, trace: Any, seat: int, action: int) -> int:
    """Another action at random instead of this one."""
    s = states[0]
    trace.facts[FORCED_SEAT] = seat
    trace.facts[USUAL_KIND] = kind(s, seat, action)
    others = rules.legal(s, seat) & ~bit(action)
    action = pick(rng, others)
    trace.facts[FORCED_KIND] = kind(s, seat, action)
    return action


@kernel
def is_due(states: Any, trace: Any, seat: int, forced: int) -> bool:
    """Whether this is the decision with the number `forced`."""
    return trace.facts[DECISIONS] == forced and count(rules.legal(states[0], seat)) > 1


@kernel
def play_by_policies(states: Any, sitting: Any, trace: Any, seats: int, forced: int) -> None:
    """Play states[0] to the end. At the decision with the number `forced`, another action than the
    usual one is played."""
    states, sitting, trace = uncounted((states, sitting, trace))
    seat = ready(states, sitting, trace, seats)
    while seat >= 0:
        action = choose(states, sitting, seat)
        if is_due(states, trace, seat, forced):
            action = force(states, sitting.rngs[seats + 1], trace, seat, action)
        act(states, trace, seat, action)
        seat = ready(states, sitting, trace, seats)


@kernel
def hand_over_at(states: Any, seat: int) -> bool:
    return hand_over(states[0], seat)


@kernel
def holding_at(states: Any, i: int, seat: int, counts: Numbers) -> int:
    return holding(states[i], seat, counts)


# --- from Python --------------------------------------------------------------------------------


class Played(NamedTuple):
    """A match that was played to its end; arrays by seat, or by section and seat."""

    shares: Floats  # of the victory
    scores: Numbers
    winners: tuple[int, ...]
    plays: int
    decisions: Numbers
    reached: npt.NDArray[np.bool_]
    begins: Any
    scored: Numbers  # the last row is the end of the match
    roles: Numbers
    achieved: Numbers
    offered: Numbers
    chosen: Numbers
    forced: tuple[int, int, int]  # seat, kind, and the kind that would have been usual
    seconds: float  # of processor time


class Playing:
    """Plays matches of a game between bots. `seats` has the number of the bot in each seat."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.course = course_of(game)
        self.names = tuple(names)
        self._policies = [POLICIES.get(name, ASKED) for name in names]
        load_bots(game)
        self._states = blank(game.state)
        self._redacted = blank(game.state)
        self._start = blank(game.state)
        start_at(self._start, np.array(game.option_numbers, dtype=np.int64))
        self._trace = new_trace(game)
        self._counts = np.zeros(MOST_CARDS, np.int64)
        self._sitting = Sitting(
            policies=np.zeros(MOST_SEATS, np.int64),
            mind=load_mind(game),
            rngs=np.zeros((game.seats + 2, 1), np.uint64),
            chance=np.zeros(1, np.uint64),
            happened=np.zeros(CHANCES, np.int64),
            work=np.zeros(WORK, np.int8),
        )

    def play(
        self, seats: Sequence[int], chance: int, play: int, begin: Any = None, forced: int = NEVER
    ) -> Played:
        """Play from the start, or from the state `begin`; the seeds are for chance and for what the
        players decide at random. `forced` is the decision that is made differently than usual."""
        begun = thread_time()
        self._states[:] = self._start if begin is None else begin
        self._sit_down(seats, chance, play)
        begin_trace(self._trace)
        if ASKED in (self._policies[bot] for bot in seats):
            self._ask(seats, play, forced)
        else:
            play_by_policies(self._states, self._sitting, self._trace, self.game.seats, forced)
        return self._result(thread_time() - begun)

    def handed_over(self, begin: Any, seat: int) -> Any:
        """The state with the first role of its section given to this seat; None if impossible."""
        self._states[:] = begin
        return self._states.copy() if hand_over_at(self._states, seat) else None

    def holding(self, played: Played, section: int, seat: int) -> Numbers | None:
        """How many of each card the seat held when the section began; None if none were dealt."""
        if not holding_at(played.begins, section, seat, self._counts):
            return None
        return self._counts[: self.course.cards].copy()

    def _sit_down(self, seats: Sequence[int], chance: int, play: int) -> None:
        sitting = self._sitting
        for seat, bot in enumerate(seats):
            sitting.policies[seat] = self._policies[bot]
        for number in range(len(sitting.rngs)):
            sitting.rngs[number] = mixed(np.uint64(play ^ (number + 1)))
        sitting.chance[0] = chance
        sitting.happened[:] = 0

    def _ask(self, seats: Sequence[int], play: int, forced: int) -> None:
        """Play with bots that think in Python."""
        states, sitting, trace, count = self._states, self._sitting, self._trace, self.game.seats
        asked = {
            seat: bots.make(self.names[bot], self.game, int(sitting.rngs[seat, 0]))
            for seat, bot in enumerate(seats)
            if self._policies[bot] == ASKED
        }
        while (seat := ready(states, sitting, trace, count)) >= 0:
            if seat in asked:
                redact_at(states, 0, seat, self._redacted, 0)
                action = asked[seat].choose(self._redacted, seat)
            else:
                action = choose(states, sitting, seat)
            if is_due(states, trace, seat, forced):
                action = force(states, sitting.rngs[count + 1], trace, seat, action)
            act(states, trace, seat, action)

    def _result(self, seconds: float) -> Played:
        trace, seats = self._trace, self.game.seats
        facts = trace.facts.tolist()
        winners = tuple(numbers(facts[WINNERS]))
        shares = np.zeros(seats)
        shares[list(winners)] = 1 / len(winners)
        return Played(
            shares,
            trace.scores[:seats].copy(),
            winners,
            facts[PLAYS],
            trace.decisions[:seats].copy(),
            trace.reached.copy(),
            trace.begins.copy(),
            trace.scored[:, :seats].copy(),
            trace.roles[:, :seats].copy(),
            trace.achieved[:, :seats].copy(),
            trace.offered.copy(),
            trace.chosen.copy(),
            (facts[FORCED_SEAT], facts[FORCED_KIND], facts[USUAL_KIND]),
            seconds,
        )
