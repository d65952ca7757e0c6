"""The true state of a match in which chance decides one card at a time.

The rules receive whole orders. Here, an order or the cards drawn from a face-down pile are chosen
card by card before the rules receive them, and only when somebody sees them: the order of a pile
that nobody has seen does not matter. So a game tree has no branches that make no difference.
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

REDEAL = 0  # instead of a chance event's number: the deal at the start of a position
DIGEST = 12  # bytes of the digest of everything a seat ever saw


@dataclass
class World:
    """A match in progress. While chance decides, `draws` are the draws still to be made, in their
    order, and `step` waits for them: a play, the number of a chance event, or REDEAL.
    """

    game: Game
    states: Any  # one true state
    seen: list[bytes]  # what each seat may know now
    memory: list[bytes]  # a digest of everything each seat ever saw
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
        """The seat to act; -1 if chance decides or the match is over."""
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
        """A copy in which the cards hidden from the seat are dealt again. The seat remembers what
        it saw. What the others saw is unknown, so they remember only what they may know now."""
        other = self.copy()
        other.states = self.redacted(seat)
        determinize_at(other.states, 0, rng, np.zeros(WORK, np.int8))
        other.seen, other.memory = empty_memory(self.game), empty_memory(self.game)
        other.remember()
        other.seen[seat], other.memory[seat] = self.seen[seat], self.memory[seat]
        return other

    # --- going on -------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        """Play an action, unchecked, and continue to the next decision."""
        after = copied(self.states)
        apply_at(after, 0, seat, action)
        self.step = Play(seat, action)
        self.draws = list(draws_between(self.states, after))
        self.go_on()

    def choose(self, card: int) -> None:
        """Let chance choose a card, unchecked, and continue to the next decision."""
        self.draws[0] = self.draws[0].take(card)
        self.go_on()

    def go_on(self) -> None:
        """Continue until chance or a player has a choice, or the match is over."""
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
        # A pile that is empty after a deal was collected, not drawn.
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
    """A match at its start."""
    states = np.zeros(1, game.state)
    start_at(states, np.array(game.option_numbers, dtype=np.int64))
    world = World(game, states, empty_memory(game), empty_memory(game), REDEAL, [])
    world._prepare(due_at(states, 0))
    world.go_on()
    return world


def world_from(match: Match) -> World | None:
    """A match that starts from a position, as everybody has seen it. Chance deals the other cards,
    all possible deals equally likely. None if the deals are not equally likely there."""
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
    """The card that chance decided next in a match that the world follows from its start."""
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
    """The cards that a step draws from face-down piles."""
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
