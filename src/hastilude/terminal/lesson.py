"""A lesson on this machine: its written match, and the step that the learner has reached."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from typing import Any

from hastilude.core.chance import SEEDS, ScriptedChance, SeededChance
from hastilude.core.errors import IllegalAction
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.lessons import Lesson, LessonStep, lesson
from hastilude.games.registry import load
from hastilude.messages import Message
from hastilude.terminal.local import LocalSettings, LocalTable, new_table
from hastilude.terminal.seating import PERSON, Seating, seat_players
from hastilude.terminal.voice import Voice

EASY = "page"  # the level to play against after a lesson
SCRIPT = "script"


class LessonTable(LocalTable):
    """See `Table`. The others play what is written for them, and nothing is saved. The learner may
    play what the step asks for; in a free step, anything legal."""

    def __init__(self, told: Lesson, game: Game, settings: LocalSettings) -> None:
        then = SeededChance(secrets.randbelow(SEEDS))
        match = Match(game, ScriptedChance(game, told.chance, then))
        players = (PERSON if kind is None else SCRIPT for kind in told.seats)
        super().__init__(match, Seating(tuple(players)), settings)
        self.lesson = told
        self.reached = 0
        self._made = 0  # actions of the choice that the step asks for

    # --- the lesson -----------------------------------------------------------------------------

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.reached]

    @property
    def last(self) -> bool:
        return self.reached == len(self.lesson.steps) - 1

    @property
    def ready(self) -> bool:
        """Whether the others have played, so that the step can be shown."""
        return not any(map(self.thinking, self.pending))

    @property
    def reading(self) -> bool:
        """Whether the step only has to be read."""
        return self.step.play is None and self.step.free is None

    @property
    def wanted(self) -> str | None:
        """The action that the step asks for."""
        return self.step.play[self._made] if self.step.play else None

    async def go_on(self) -> None:
        """To the next step, after this one was read."""
        if self.reading and not self.last:
            self.reached += 1
            await self._save_and_notify()

    def explain(self, voice: Voice) -> list[str]:
        """The step in words, with its picture."""
        step = self.step
        lines = [voice.say(Message(step.say, step.values))]
        if step.picture:
            key = f"{self.game.name}_picture_{step.picture.name}"
            lines.append(voice.say(Message(key, step.picture.values)))
        return lines

    def progress(self, voice: Voice) -> str:
        return voice("web_lesson_step", step=self.reached + 1, count=len(self.lesson.steps))

    # --- the table ------------------------------------------------------------------------------

    @property
    def resumable(self) -> bool:
        return False

    def names(self, language: str) -> tuple[str, ...]:
        return self.game.names(language)

    def legal(self, seat: int) -> tuple[str, ...]:
        legal = super().legal(seat)
        return legal if self.step.free else tuple(text for text in legal if text == self.wanted)

    def thinking(self, seat: int) -> bool:
        return super().thinking(seat) and not self._free_over

    async def play(self, seat: int, action: str) -> None:
        refusal = await self.why(seat, action)
        if refusal:
            raise IllegalAction(refusal)
        if self.step.play:
            self._made += 1
            if self._made == len(self.step.play):
                self.reached, self._made = self.reached + 1, 0
        await super().play(seat, action)

    async def why(self, seat: int, action: str) -> Message | None:
        """The rule that forbids it, or why the lesson asks for something else."""
        refusal = await super().why(seat, action)
        if refusal or self.step.free or action == self.wanted:
            return refusal
        return Message(f"{self.step.say}_why" if self.wanted else "terminal_learn_read")

    async def rematch(self) -> LessonTable:
        return await lesson_table(self.game.name, self._settings)

    # --- behind the scenes ----------------------------------------------------------------------

    @property
    def _free_over(self) -> bool:
        """Whether the learner has played all that was left free; then nobody plays any more."""
        free = next((step.free for step in self.lesson.steps if step.free), None)
        if free is None:
            return False
        ended = sum(event.ends == free.until for event in self.events(self.lesson.seat))
        return self.over or ended >= free.number

    async def _save_and_notify(self) -> None:
        if self.step.free and self._free_over:
            self.reached += 1
        await super()._save_and_notify()

    def _seat_bots(self) -> None:
        for seat in range(self.game.seats):
            if seat not in self.own:
                written = [action for one, actions in self.lesson.plays
                           for action in actions if one == seat]  # fmt: skip
                self._bots[seat] = _Follower(self.game, written)

    def _save(self, record: Record) -> None:
        pass


class _Follower:
    """Plays what is written."""

    def __init__(self, game: Game, written: Iterable[str]) -> None:
        self._written = iter([game.number(action) for action in written])

    def choose(self, redacted: Any, seat: int) -> int:
        return next(self._written)


async def lesson_table(name: str, settings: LocalSettings) -> LessonTable:
    """The table of a game's lesson; OptionError if it has none."""
    told = lesson(name)
    game = load(name, **told.options)
    table = await asyncio.to_thread(LessonTable, told, game, settings)
    await table.open()
    return table


async def easy_table(name: str, settings: LocalSettings) -> LocalTable:
    """A first match after a lesson, against easy bots."""
    game = load(name)
    return await new_table(game, seat_players(game, [PERSON], EASY), settings)
