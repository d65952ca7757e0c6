"""Answers for a table's bots, stand-ins and scripted seats, and hints for its people."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol, TypeVar

from hastilude.bots.hints import Hints
from hastilude.core.errors import IllegalAction
from hastilude.core.match import Rehearsal
from hastilude.server import log
from hastilude.server.attendance import Attendance
from hastilude.server.background import Background
from hastilude.server.errors import Refusal
from hastilude.server.services import Services
from hastilude.server.table import SCRIPTED, Table
from hastilude.server.thinking import advise, choose, think_of_hints

CHAMPION: Final = "champion"

Result = TypeVar("Result")


class Submitter(Protocol):
    """The table that stores the answers. It is passed with every call instead of being stored,
    because a reference cycle would keep it in memory until the garbage collector finds it."""

    async def submit_quietly(self, decide: Callable[[Table], log.AnyEntry]) -> None:
        """Submit an answer, unless it is no longer valid."""

    def follow_up(self, later: float) -> None:
        """Start what the table needs after an answer."""


class BotSeats:
    def __init__(
        self, table: Table, attendance: Attendance, services: Services, background: Background
    ) -> None:
        self._table = table
        self._attendance = attendance
        self._services = services
        self._background = background
        self._answers: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and version asked

    @property
    def champions(self) -> int:
        """How many champions play here or will play, if somebody is connected to see it."""
        will_play = self._table.phase == "gathering"
        if will_play or (self._table.phase == "playing" and self._attendance.anybody):
            return sum(seat.level == CHAMPION for seat in self._table.seats)
        return 0

    def ask(self, submitter: Submitter, later: float = 0.0) -> None:
        """Let bots answer for the pending seats of bots and stand-ins. They wait while nobody is
        there to see it, and if the database is damaged, because no answer can be stored then."""
        if self._background.closed or self._services.store.damaged:
            return
        if not self._is_followed:
            for answer in self._answers.values():
                answer.cancel()
            self._answers.clear()
            return
        for seat in self._table.pending():
            state = self._table.seats[seat]
            if not state.thinks_itself and (seat, state.asked) not in self._answers:
                task = self._background.start(self._answer(submitter, seat, state.asked, later))
                if task:
                    self._answers[seat, state.asked] = task

    async def hints(self, seat: int, actions: Sequence[str]) -> Hints:
        """The best choices that begin with these actions. It thinks in slices, and stops if the
        decision has been made meanwhile."""
        deadline = time.monotonic() + self._services.settings.hint_seconds
        table = self._table
        if not table.opened.practice:
            raise Refusal.of("hints_practice_only")
        if table.match is None or seat not in table.pending():
            raise Refusal.of("hints_not_now")
        rehearsal = table.match.rehearse(seat)
        for action in actions:
            rehearsal.play(action)
        if rehearsal.whole:
            raise Refusal.of("hints_whole")
        asked, match = table.seats[seat].asked, table.match
        adviser = await self._think(partial(advise, table.game, seat, rehearsal))
        while match is table.match and seat in table.pending():
            if table.seats[seat].asked != asked:
                break
            if hints := await self._think(partial(think_of_hints, adviser, deadline)):
                return hints
        raise Refusal.of("stale", version=table.version)

    async def _think(self, work: Callable[[], Result]) -> Result:
        return await self._services.thinkers.think(self._attendance.address, self._table.code, work)

    @property
    def _is_followed(self) -> bool:
        """Whether somebody is connected, or is losing time on a clock."""
        table = self._table
        on_the_clock = table.opened.clock.kind != "none"
        return self._attendance.anybody or (
            on_the_clock and any(table.seats[seat].thinks_itself for seat in table.people())
        )

    async def _answer(self, submitter: Submitter, seat: int, asked: int, later: float) -> None:
        """Play for a seat without a person who could."""
        try:
            await self._answer_in_time(submitter, seat, asked, later)
        finally:
            if self._answers.get((seat, asked)) is asyncio.current_task():
                del self._answers[seat, asked]
        submitter.follow_up(later)  # it may be the same seat's turn again

    async def _answer_in_time(
        self, submitter: Submitter, seat: int, asked: int, later: float
    ) -> None:
        await asyncio.sleep(later)
        if not self._is_asked(seat, asked):
            return
        start = time.monotonic()
        actions = await self._choose(seat)
        settings = self._services.settings
        champion = self._table.seats[seat].level == CHAMPION
        wait = settings.champion_wait_seconds if champion else settings.bot_wait_seconds
        while (
            left := start + wait - time.monotonic()
        ) > 0:  # timers of the event loop may fire early
            await asyncio.sleep(left)

        def decide(table: Table) -> log.Played:
            if not self._is_asked(seat, asked):
                raise Refusal.of("stale", version=table.version)
            return table.play_for(seat, actions)

        await submitter.submit_quietly(decide)

    def _is_asked(self, seat: int, asked: int) -> bool:
        """Whether the decision that arose at version `asked` is still to be made by a bot."""
        state = self._table.seats[seat]
        return not state.thinks_itself and state.asked == asked and seat in self._table.pending()

    async def _choose(self, seat: int) -> list[str]:
        table = self._table
        assert table.match is not None
        scripted = table.scripted(seat)
        if scripted and _is_choice(table.match.rehearse(seat), scripted):
            return scripted
        level = table.seats[seat].level
        if level in (None, SCRIPTED):
            level = table.stand_in_level
        work = partial(
            choose,
            str(level),
            table.game,
            seat,
            table.match.rehearse(seat),
            self._services.sources.bot_seed(),
        )
        return await self._think(work)


def _is_choice(rehearsal: Rehearsal, actions: list[str]) -> bool:
    try:
        for action in actions:
            rehearsal.play(action)
    except IllegalAction:
        return False
    return rehearsal.whole
