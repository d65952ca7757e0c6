"""A match: one play of a game, checked and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hastilude.core.bits import numbers
from hastilude.core.calls import (
    BEFORE,
    ENDS,
    FACTS,
    NOW,
    PENDING,
    REFUSED,
    TURN,
    UNFINISHED,
    WINNERS,
    apply_at,
    choose_at,
    complete_at,
    deal_at,
    due_at,
    legal_at,
    look_at,
    note_at,
    play_and_note,
    redact_at,
    start_at,
    undealt_at,
)
from hastilude.core.errors import IllegalAction
from hastilude.core.events import Event, story
from hastilude.core.record import Record
from hastilude.core.rules import SPECTATOR, WORK
from hastilude.core.states import blank, copied, pending_at, seats_of
from hastilude.messages import Message

if TYPE_CHECKING:
    from hastilude.core.chance import Chance
    from hastilude.core.game import Game, Suit

_INTEGERS = (int, np.integer)
WORD = (1 << 64) - 1


class Play(NamedTuple):
    seat: int
    action: int


class Dealt(NamedTuple):
    due: int
    order: tuple[int, ...]


class Match:
    """One play of a game. `play` is the only way to change it, and refuses what is not legal.

    >>> import hastilude
    >>> match = hastilude.load("tornei").new(seed=7)
    >>> match.pending
    (1,)
    """

    def __init__(self, game: Game, chance: Chance) -> None:
        self.game = game
        self.steps: list[Play | Dealt] = []
        self._chance = chance
        self._states = blank(game.state, 2)
        self._noted = np.zeros(FACTS + 2 * game.seats, dtype=np.int64)
        self._facts: list[int] | None = None
        self._narrators: dict[int | None, _Narrator] = {}  # None: a spectator's
        start_at(self._states, np.array(game.option_numbers, dtype=np.int64))
        self._deal_due(due_at(self._states, NOW))

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may act now: several where choices are simultaneous, none at the end."""
        return seats_of(self._fact(PENDING))

    @property
    def turn(self) -> int | None:
        """The pending seat that acts first where seats act one by one."""
        seat = self._fact(TURN)
        return None if seat < 0 else seat

    def legal(self, seat: int) -> list[int]:
        """The actions of a seat; none if it is not pending."""
        return numbers(self._legal(self._seat(seat)))

    def complete(self, seat: int) -> list[int]:
        """Those of the legal actions that are a whole choice by themselves: see `Rehearsal`."""
        return numbers(complete_at(self._states, self._seat(seat), *self._trial))

    def play(self, seat: int, action: int | str) -> None:
        """Play an action, given as number or text; IllegalAction says why not.

        Chance events that are due then happen at once.
        """
        number, seat = self.game.number(action), self._seat(seat)
        due = play_and_note(self._states, seat, number, self._noted)
        if due == REFUSED:
            raise IllegalAction(self._refusal(seat, number))
        self._facts = None
        self.steps.append(Play(seat, number))
        self._show()
        if due:
            self._deal_due(due)

    def why(self, seat: int, action: int | str) -> Message | None:
        """Why the seat may not play the action now; None if it may."""
        try:
            number, seat = self.game.number(action), self._seat(seat)
        except IllegalAction as refusal:
            return refusal.message
        if self._legal(seat) >> number & 1:
            return None
        return self._refusal(seat, number)

    def rehearse(self, seat: int) -> Rehearsal:
        """A copy on which a choice of the seat can be put together before it is played."""
        return Rehearsal(self.game, self._states, self._seat(seat))

    def redacted(self, seat: int | None) -> Any:
        """What a seat (None: a spectator) may know, as an array of one state: for bots."""
        redacted = blank(self.game.state)
        redact_at(self._states, NOW, self._viewer(seat), redacted, 0)
        return redacted

    def view(self, seat: int | None = None) -> Any:
        """What a seat (None: a spectator) may know, as a dataclass of texts and numbers."""
        return self.game.view_of(self._narrator(seat).seen)

    def tracker(self, seat: int | None = None) -> tuple[Suit, ...]:
        """The cards that a seat (None: a spectator) has seen in this round, and the others."""
        return self.game.tracker_of(self._narrator(seat).seen)

    def view_after(self, step: int, seat: int | None = None) -> Any:
        """What a seat (None: a spectator) could know after the first `step` of `steps`."""
        narrator = _Narrator(self.game, self._viewer(seat), self.steps[:step])
        return self.game.view_of(narrator.seen)

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """What happened, as a seat (None: a spectator) may know it, starting with event `since`."""
        return self._narrator(seat).events[since:]

    def story(self, index: int, seat: int | None = None) -> int:
        """The index of the first event of those that led to event `index`, for a seat (None: a
        spectator). An event that ends no chapter is its own story."""
        return story(self._narrator(seat).events, index)

    def told(self, step: int, seat: int | None = None) -> int:
        """How many events a seat (None: a spectator) has after the first `step` of `steps`."""
        return self._narrator(seat).told[step]

    @property
    def over(self) -> bool:
        return not self.pending

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self._fact(slice(FACTS, FACTS + self.game.seats)))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won or share the victory; none until the match is over."""
        return seats_of(self._fact(WINNERS))

    @property
    def state(self) -> bytes:
        """The whole state, hidden cards included, for comparing matches. Never send it anywhere."""
        return self._states[:1].tobytes()

    def record(self, names: Sequence[str] = ()) -> Record:
        game = self.game
        events: list[list[Any]] = [
            ["play", step.seat, game.text(step.action)]
            if isinstance(step, Play)
            else [game.chance_kind(step.due), game.chance_values(step.due, step.order)]
            for step in self.steps
        ]
        return Record(
            game=game.name,
            rules=game.rules_version,
            options=game.stated_options,
            events=events,
            names=list(names) or None,
            scores=list(self.scores) if self.over else None,
            winners=list(self.winners) if self.over else None,
        )

    @cached_property
    def _trial(self) -> tuple[Any, ...]:
        """What `complete_at` needs, made once: every update of a pending seat needs it."""
        return blank(self.game.state, 2), *room(self.game)

    def _narrator(self, seat: int | None) -> _Narrator:
        narrator = self._narrators.get(seat)
        if narrator is None:
            narrator = _Narrator(self.game, self._viewer(seat), self.steps)
            self._narrators[seat] = narrator
        return narrator

    def _fact(self, which: Any) -> Any:
        if self._facts is None:
            self._facts = self._noted.tolist()
        return self._facts[which]

    def _legal(self, seat: int) -> int:
        """The actions of a seat as a set."""
        return int(self._fact(FACTS + self.game.seats + seat)) & WORD

    def _show(self) -> None:
        """Update the narrators."""
        for narrator in self._narrators.values():
            narrator.look(self._states)

    def _deal_due(self, due: int) -> None:
        """Let the chance events happen that are due; if one fails, the play is undone."""
        before = len(self.steps)
        cards = np.zeros(WORK, dtype=np.int8)
        try:
            while due:
                order = cards[: undealt_at(self._states, NOW, due, cards)]
                self._chance.order(due, order)
                self.steps.append(Dealt(due, tuple(order.tolist())))
                due = deal_at(self._states, NOW, due, cards)
                self._show()
        except Exception:
            self._states[NOW] = self._states[BEFORE]
            del self.steps[max(0, before - 1) :]
            self._narrators.clear()  # they have seen what is undone
            raise
        finally:
            note_at(self._states, self._noted)
            self._facts = None

    def _seat(self, seat: int) -> int:
        if not (isinstance(seat, _INTEGERS) and 0 <= seat < self.game.seats):
            raise IllegalAction.of("seat_range", value=seat, last=self.game.seats - 1)
        return int(seat)

    def _viewer(self, seat: int | None) -> int:
        return SPECTATOR if seat is None else self._seat(seat)

    def _refusal(self, seat: int, action: int) -> Message:
        if self.over:
            return Message("match_over")
        return self.game.refuse(self.game.read(self.redacted(seat)), seat, action)


def room(game: Game) -> tuple[Any, Any]:
    """What `choose_at` needs: room for two states, and the same as words."""
    public = blank(game.state, 2)
    return public, public.view(np.uint64).reshape(2, -1)


class Rehearsal:
    """A seat's actions tried on a copy of a match, which stays as it is.

    A choice may take several actions, such as a line of cards. It is `whole` as soon as others
    could tell that it was made, or chance has to act; until then nothing of it may show.
    """

    def __init__(self, game: Game, states: Any, seat: int) -> None:
        self.whole = False
        self.ends = False  # the match, with this choice
        self._game = game
        self._seat = seat
        self._states = copied(states)
        self._room = room(game)

    def legal(self) -> list[int]:
        return [] if self.whole else numbers(legal_at(self._states, NOW, self._seat))

    def play(self, action: int | str) -> None:
        """Add an action to the choice; IllegalAction says why not."""
        number = self._game.number(action)
        made = REFUSED if self.whole else choose_at(self._states, self._seat, number, *self._room)
        if made == REFUSED:
            raise IllegalAction(self._refusal(number))
        self.ends = made == ENDS
        self.whole = made != UNFINISHED

    def redacted(self) -> Any:
        """What the seat knows now, as an array of one state: for bots."""
        redacted = blank(self._game.state)
        redact_at(self._states, NOW, self._seat, redacted, 0)
        return redacted

    def _refusal(self, action: int) -> Message:
        if self.whole:
            return Message("choice_is_whole", {"action": self._game.text(action)})
        if not pending_at(self._states, NOW):
            return Message("match_over")
        return self._game.refuse(self._game.read(self.redacted()), self._seat, action)


class _Narrator:
    """Tells one viewer's events of a match, by looking at it after every step.

    It compares redacted states, so nothing hidden can reach an event. `seen` is what the viewer
    knows now; `told[n]` is the number of events after the first n steps.
    """

    def __init__(self, game: Game, viewer: int, steps: Sequence[Play | Dealt]) -> None:
        self.events: list[Event] = []
        self.told = [0]
        self._game = game
        self._viewer = viewer
        self._reader = game.reader()
        state = blank(game.state)
        start_at(state, np.array(game.option_numbers, dtype=np.int64))
        look_at(state, viewer, self._reader.redacted, self._reader.facts)
        self._content = self._reader.content
        self.seen = self._reader.fields()
        for step in steps:
            if isinstance(step, Play):
                apply_at(state, NOW, *step)
            else:
                deal_at(state, NOW, step.due, np.array(step.order, dtype=np.int8))
            self.look(state)

    def look(self, states: Any) -> None:
        look_at(states, self._viewer, self._reader.redacted, self._reader.facts)
        content = self._reader.content
        if content != self._content:  # otherwise this viewer sees no change
            self._content = content
            before, self.seen = self.seen, self._reader.fields()
            self.events.extend(self._game.tell(before, self.seen))
        self.told.append(len(self.events))
