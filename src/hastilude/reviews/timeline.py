"""What there is to review in a match: a seat's decisions, and the moments between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hastilude.bots.analyse import list_choices
from hastilude.bots.knowledge import Choice
from hastilude.core.calls import NOW, apply_at, deal_at, redact_at, start_at
from hastilude.core.game import Game
from hastilude.core.match import Match, Play, Rehearsal
from hastilude.core.states import blank


@dataclass(frozen=True)
class Made:
    """A choice that a seat made when it had others; `redacted` is what the seat knew before it, and
    `step` is the number of steps until then."""

    step: int
    actions: Choice
    choices: tuple[Choice, ...]
    redacted: Any


@dataclass(frozen=True)
class Moment:
    """What the seat knew after the first `step` steps of the match."""

    step: int
    redacted: Any


@dataclass(frozen=True)
class Timeline:
    """`moments` are before each decision, after each chance event, and before it if others have
    acted since the moment before."""

    decisions: tuple[Made, ...]
    moments: tuple[Moment, ...]


def timeline(match: Match, seat: int) -> Timeline:
    """The decisions and moments of a seat; the end of the match is no moment."""
    decisions = tuple(_decisions(match, seat))
    wanted = _wanted(match, seat, {made.step for made in decisions})
    moments = (
        Moment(step, _redacted(match.game, states, seat))
        for step, states in states_of(match)
        if step in wanted
    )
    return Timeline(decisions, tuple(moments))


def _wanted(match: Match, seat: int, decided: set[int]) -> set[int]:
    wanted, others_acted = {0}, False
    for number, step in enumerate(match.steps):
        if isinstance(step, Play):
            if number in decided:
                wanted.add(number)
                others_acted = False
            others_acted |= step.seat != seat
        else:
            if others_acted:
                wanted.add(number)
            wanted.add(number + 1)
            others_acted = False
    return wanted


def states_of(match: Match) -> Iterator[tuple[int, Any]]:
    """The state before each step, in an array of two as `Rehearsal` needs it."""
    states = blank(match.game.state, 2)
    start_at(states, np.array(match.game.option_numbers, dtype=np.int64))
    for number, step in enumerate(match.steps):
        yield number, states
        if isinstance(step, Play):
            apply_at(states, NOW, *step)
        else:
            deal_at(states, NOW, step.due, np.array(step.order, dtype=np.int8))


def _decisions(match: Match, seat: int) -> Iterator[Made]:
    rehearsal: Rehearsal | None = None
    for number, states in states_of(match):
        step = match.steps[number]
        if not isinstance(step, Play) or step.seat != seat:
            continue
        if rehearsal is None:  # the first action of a choice
            rehearsal = Rehearsal(match.game, states, seat)
            first, actions = number, list[int]()
            redacted = _redacted(match.game, states, seat)
        rehearsal.play(step.action)
        actions.append(step.action)
        if rehearsal.whole:
            rehearsal = None
            choices = list_choices(match.game, redacted, seat)
            if len(choices) > 1:
                yield Made(first, tuple(actions), tuple(choices), redacted)


def _redacted(game: Game, states: Any, seat: int) -> Any:
    redacted = blank(game.state)
    redact_at(states, NOW, seat, redacted, 0)
    return redacted
