"""The screen of a puzzle: a table with one choice to make."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.widgets import Static

from hastilude.terminal.puzzling import PuzzleTable, Puzzling
from hastilude.terminal.screens.pages import Question, Story
from hastilude.terminal.screens.play import PlayScreen

if TYPE_CHECKING:
    from hastilude.terminal.app import PuzzleApp


class PuzzleScreen(PlayScreen):
    app: PuzzleApp

    KEYS: ClassVar[list[tuple[str, str]]] = [key for key in PlayScreen.KEYS if key[1] != "hint"]
    LEAVING = "puzzle_leaving"

    def __init__(self, table: PuzzleTable, puzzling: Puzzling) -> None:
        super().__init__(table, puzzling.language)
        self.puzzle_table = table
        self.puzzling = puzzling
        self._answered: list[str] = []

    def compose_above(self) -> ComposeResult:
        question = self.voice("puzzle_question")
        yield Static(f"{self.puzzling.heading(self.voice)}\n{question}", id="coach", markup=False)

    async def finish(self) -> None:
        """Show what the answer was worth, and ask what to do next."""
        if not self._answered:  # it counts once, however often it is looked at
            self._answered = self.puzzling.answered(self.puzzle_table, self.voice, drawn=True)
        verdict, *rest = self._answered
        self.prompt(verdict, asks=False)
        await self.app.push_screen_wait(Story(verdict, rest, self.voice))
        answers = {answer: self.voice(f"puzzle_menu_{answer}") for answer in ("next", "look")}
        answers["quit"] = self.voice("terminal_menu_quit")
        answer = await self.app.push_screen_wait(Question([verdict], answers, "look"))
        if answer == "next":
            self.app.start_anew()
        elif answer == "quit":
            self.app.exit()
