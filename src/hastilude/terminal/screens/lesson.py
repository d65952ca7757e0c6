"""The screen of a lesson: a table with explanations above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.widgets import Static

from hastilude.terminal.lesson import LessonTable, easy_table
from hastilude.terminal.screens.choices import Choices
from hastilude.terminal.screens.pages import Question
from hastilude.terminal.screens.play import PlayScreen

if TYPE_CHECKING:
    from hastilude.terminal.app import TableApp


class LessonChoices(Choices):
    """Enter continues while there is something to read, and plays the raised card otherwise."""

    def action_choose(self) -> None:
        screen = self.screen
        assert isinstance(screen, LessonScreen)
        if screen.lesson.reading and screen.lesson.ready:
            screen.continue_reading()
        else:
            super().action_choose()


class LessonScreen(PlayScreen):
    app: TableApp

    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("Enter", "next"),
        *(key for key in PlayScreen.KEYS if key[1] not in ("choose", "hint")),
    ]
    LEAVING = "terminal_learn_leaving"

    def __init__(self, table: LessonTable, language: str) -> None:
        super().__init__(table, language)
        self.lesson = table

    def compose_above(self) -> ComposeResult:
        yield Static(id="coach", markup=False)

    def compose_choices(self) -> ComposeResult:
        yield LessonChoices(self.drawing)

    @work(exclusive=True)
    async def follow(self) -> None:
        version = -1
        while True:
            version = await self.table.changed(version)
            if not self.is_attached:  # the screen is being closed
                return
            await self.show()

    def ask(self, seat: int | None) -> None:
        super().ask(seat)
        lesson = self.lesson
        if not lesson.ready:
            return
        where, (sentence, *picture) = lesson.progress(self.voice), lesson.explain(self.voice)
        coach = "\n".join([f"{where}: {sentence}", *picture])
        if lesson.reached == 0:
            coach += f"\n{self.voice('lesson_minutes')}"
        self.query_one("#coach", Static).update(coach)
        if lesson.reading:
            self.prompt(self.voice("terminal_learn_enter"), asks=True)

    def action_next(self) -> None:
        self.query_one(LessonChoices).action_choose()

    @work(exclusive=True, group="reading")
    async def continue_reading(self) -> None:
        self.notice("")
        if self.lesson.last:
            await self.finish()
        else:
            await self.lesson.go_on()

    async def finish(self) -> None:
        """The lesson is over: ask what to do next."""
        answers = {answer: self.voice(f"terminal_learn_{answer}") for answer in ("play", "again")}
        answers |= {answer: self.voice(f"terminal_menu_{answer}") for answer in ("start", "quit")}
        question = Question([self.voice("lesson_over")], answers, "look")
        answer = await self.app.push_screen_wait(question)
        name, settings = self.lesson.game.name, self.app.startup.settings
        if answer == "play":
            self.app.sit_down(await easy_table(name, settings))
        elif answer == "again":
            await self.app.teach(name)
        elif answer == "start":
            self.app.start_anew()
        elif answer == "quit":
            self.app.exit()
