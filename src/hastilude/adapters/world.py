"""The true state of a match in which chance is one card at a time.

The rules receive whole orders. Here an order, or what is drawn from a face-down pile, is chosen
card by card before the rules receive it, and only when somebody gets to see it: how a pile lies
that nobody has seen means nothing. So a tree of all that can happen has no branches that make no
difference to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from hastilude.adapters import results
from hastilude.adapters.draws import ORDER, Draw, Outcomes, Redeal
from hastilude.core import rules
from hastilude.core.bits import numbers
from hastilude.core.calls import (
    apply_at,
    deal_at,
    determinize_at,
    due_at,
    legal_at,
    redact_at,
    start_at,
    turn_at,
    undealt_at,
    winners_at,
)
from hastilude.core.dealing import ALLOWED, CARDS, DEALT, SUITS
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.match import Dealt, Match, Play
from hastilude.core.random import Rng
from hastilude.core.rules import EVERYTHING, PILES, WORK, Cards
from hastilude.core.states import copied

REDEAL = 0  # instead of the number of a chance event: at the start of a position
DIGEST = 12  # bytes that stand for all that a seat ever saw


@dataclass
class World:
    """A match under way. While chance decides, `draws` are what is still to be drawn, the first of
    them next, and `step` is what waits for them: a play, the number of a chance event, or REDEAL.
    """

    game: Game
    states: Any  # one true state
    seen: list[bytes]  # by seat: what it may know now
    memory: list[bytes]  # by seat: all that it ever saw, condensed
    step: Play | int
    draws: list[Draw | Redeal]
    ready: list[Draw | Redeal] = field(default_factory=list)
    steps: int = 0  # taken so far

    def copy(self) -> World:
        return replace(
            self,
            states=copied(self.states),
            seen=self.seen.copy(),
            memory=self.memory.copy(),
            draws=self.draws.copy(),
            ready=self.ready.copy(),
        )

    def __deepcopy__(self, memo: Any) -> World:
        return self.copy()

    # --- asking ---------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat to act; -1 if chance decides, and at the end."""
        return -1 if self.draws else turn_at(self.states, 0)

    def legal(self, seat: int) -> list[int]:
        return [] if self.draws else numbers(legal_at(self.states, 0, seat))

    def results(self) -> list[float]:
        return results(numbers(winners_at(self.states, 0)), self.game.seats)

    def outcomes(self) -> Outcomes:
        """What chance can decide now, with probabilities."""
        return self.draws[0].outcomes()

    def redacted(self, viewer: int) -> Any:
        redacted = np.zeros(1, self.game.state)
        redact_at(self.states, 0, viewer, redacted, 0)
        return redacted

    def resampled(self, seat: int, rng: Rng) -> World:
        """What is hidden from the seat dealt anew. The seat remembers what it saw; of the others
        nobody knows what they saw, so they remember what they may know now."""
        other = self.copy()
        other.states = self.redacted(seat)
        determinize_at(other.states, 0, rng, np.zeros(WORK, np.int8))
        other.seen, other.memory = empty_memory(self.game), empty_memory(self.game)
        other.remember()
        other.seen[seat], other.memory[seat] = self.seen[seat], self.memory[seat]
        return other

    # --- going on -------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        """An action, unchecked, and what must follow."""
        after = copied(self.states)
        apply_at(after, 0, seat, action)
        self.step = Play(seat, action)
        self.draws = list(draws_between(self.states, after))
        self.go_on()

    def choose(self, card: int) -> None:
        """Chance decides for a card, unchecked, and what must follow."""
        self.draws[0] = self.draws[0].take(card)
        self.go_on()

    def go_on(self) -> None:
        """Up to where chance has a choice, or a player, or the match is over."""
        while self._all_drawn():
            self._take_step()
            due = due_at(self.states, 0)
            if not due:
                return
            self._prepare(due)

    def _all_drawn(self) -> bool:
        while self.draws:
            if self.draws[0].complete:
                self.ready.append(self.draws.pop(0))
                continue
            outcomes = self.draws[0].outcomes()
            if len(outcomes) > 1:
                return False
            self.draws[0] = self.draws[0].take(outcomes[0][0])
        return True

    def _prepare(self, due: int) -> None:
        cards = np.zeros(WORK, np.int8)
        pool = tuple(cards[: undealt_at(self.states, 0, due, cards)].tolist())
        after = copied(self.states)
        deal_at(after, 0, due, cards)
        self.step = due
        self.draws = [Draw(ORDER, pool, shown_at(self.states, due))]
        # A pile that is gone after a deal was gathered in, not drawn.
        drawn = draws_between(self.states, after)
        self.draws += [draw for draw in drawn if draw.wanted < len(draw.pool)]

    def _take_step(self) -> None:
        order: list[int] = []
        for draw in self.ready:
            if isinstance(draw, Redeal):
                fill_at(self.states, as_cards(draw.finished()))
            elif draw.pile == ORDER:
                order = draw.order
            else:
                lay_at(self.states, draw.pile, as_cards(draw.order))
        self.ready = []
        if isinstance(self.step, Play):
            apply_at(self.states, 0, *self.step)
        elif self.step:
            deal_at(self.states, 0, self.step, as_cards(order))
        self.steps += 1
        self.remember()

    def remember(self) -> None:
        for seat in range(self.game.seats):
            seen = self.redacted(seat).tobytes()
            if seen != self.seen[seat]:
                self.seen[seat] = seen
                self.memory[seat] = blake2b(self.memory[seat] + seen, digest_size=DIGEST).digest()


def new_world(game: Game) -> World:
    """A match from its start."""
    states = np.zeros(1, game.state)
    start_at(states, np.array(game.option_numbers, dtype=np.int64))
    world = World(game, states, empty_memory(game), empty_memory(game), REDEAL, [])
    world._prepare(due_at(states, 0))
    world.go_on()
    return world


def world_from(match: Match) -> World | None:
    """A match from a position on, as far as everybody has seen it: chance deals what nobody has
    shown, every deal that is possible being equally likely. None if it is not so simple there."""
    game, work = match.game, np.zeros(WORK, np.int8)
    piles = sum(len(pile_of(np.frombuffer(match.state, game.state), k)) for k in range(PILES))
    states = match.redacted(None)
    size = hidden_at(states, work)
    if size < 0:
        return None
    redeal = Redeal(
        cards=tuple(work[CARDS : CARDS + size].tolist()),
        suits=tuple(work[SUITS : SUITS + size].tolist()),
        allowed=tuple(work[ALLOWED : ALLOWED + size].tolist()),
        wanted=size - piles,
    )
    world = World(game, states, empty_memory(game), empty_memory(game), REDEAL, [redeal])
    world.go_on()
    return world


def next_card(world: World, match: Match) -> int:
    """What chance decided in a match that the world follows from the start."""
    before = np.zeros(1, match.game.state)
    start_at(before, np.array(match.game.option_numbers, dtype=np.int64))
    for step in match.steps[: world.steps]:
        if isinstance(step, Play):
            apply_at(before, 0, *step)
        else:
            deal_at(before, 0, step.due, as_cards(step.order))
    draw, step = world.draws[0], match.steps[world.steps]
    assert isinstance(draw, Draw)
    if draw.pile == ORDER:
        assert isinstance(step, Dealt)
        return step.order[len(draw.drawn)]
    return pile_of(before, draw.pile)[len(draw.drawn)]


def empty_memory(game: Game) -> list[bytes]:
    return [b""] * game.seats


def as_cards(cards: Any) -> Cards:
    return np.array(cards, dtype=np.int8)


def pile_of(states: Any, pile: int) -> tuple[int, ...]:
    cards = np.zeros(WORK, np.int8)
    return tuple(cards[: face_down_at(states, pile, cards)].tolist())


def draws_between(before: Any, after: Any) -> Iterator[Draw]:
    """What a step takes from face-down piles."""
    for pile in range(PILES):
        pool = pile_of(before, pile)
        drawn = len(pool) - len(pile_of(after, pile)) if pool else 0
        if drawn > 0:
            yield Draw(pile, pool, drawn)


@kernel
def shown_at(states: Any, due: int) -> int:
    return rules.shown_at_once(states[0], due)


@kernel
def face_down_at(states: Any, pile: int, cards: Cards) -> int:
    return rules.face_down(states[0], pile, cards)


@kernel
def lay_at(states: Any, pile: int, cards: Cards) -> None:
    rules.lay_face_down(states[0], pile, cards)


@kernel
def hidden_at(states: Any, work: Cards) -> int:
    return rules.hidden_places(states[0], work)


@kernel
def _fill_at(states: Any, work: Cards) -> None:
    rules.fill_hidden(states[0], work)
    states[0]["viewer"] = EVERYTHING


def fill_at(states: Any, dealt: Cards) -> None:
    work = np.zeros(WORK, np.int8)
    work[DEALT : DEALT + len(dealt)] = dealt
    _fill_at(states, work)
