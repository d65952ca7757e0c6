"""A lesson in plain sentences, with typed answers."""

from __future__ import annotations

from hastilude.terminal.console import Console, Left
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.lesson import EASY, LessonTable, lesson_table
from hastilude.terminal.local import LocalSettings
from hastilude.terminal.plain import Dialogue
from hastilude.terminal.voice import Voice


class LessonDialogue(Dialogue):
    """The steps of a lesson; an empty line continues."""

    LEAVE = "terminal_learn_leave"

    def __init__(self, table: LessonTable, console: Console, language: str) -> None:
        super().__init__(table, console, language)
        self.lesson = table
        self._told = -1  # the step that was explained last

    def greet(self) -> None:
        self.print(self.voice("web_lesson_title", title=self.table.game.title))
        self.print(self.voice("lesson_minutes"))

    def finish(self) -> None:
        self.tell_step()

    @property
    def over(self) -> bool:
        return self.lesson.last

    def tell_step(self) -> None:
        """Explain the step, once."""
        if self._told != self.lesson.reached:
            self._told = self.lesson.reached
            sentence, *picture = self.lesson.explain(self.voice)
            self.print("", f"{self.lesson.progress(self.voice)}: {sentence}", *picture)

    async def put_question(self) -> None:
        self.tell_step()
        if self.lesson.reading:
            self.print(self.voice("terminal_learn_enter"))
        else:
            await super().put_question()

    def print_legal(self, hand: tuple[str, ...]) -> None:
        if self.lesson.wanted:
            self.print(self.voice("terminal_learn_type", action=self.lesson.wanted))
        else:
            super().print_legal(hand)

    async def answer(self, typed: str) -> None:
        if not typed and self.lesson.reading:
            await self.lesson.go_on()
        else:
            await super().answer(typed)


async def lesson_dialogue(name: str, settings: LocalSettings) -> None:
    """A lesson from the first step to the last."""
    voice = Voice(settings.language)
    table = await lesson_table(name, settings)
    console = Console(Keyboard(), voice)
    try:
        await LessonDialogue(table, console, voice.language).run()
        console.print("", voice("terminal_learn_next", game=name, level=EASY))
    except Left:
        pass
    finally:
        await table.leave()
        console.keyboard.close()
