"""Puzzles in plain sentences, with typed answers."""

from __future__ import annotations

from hastilude.terminal.console import Console, Left
from hastilude.terminal.keyboard import Keyboard
from hastilude.terminal.plain import Dialogue
from hastilude.terminal.puzzling import PuzzleTable, Puzzling
from hastilude.terminal.voice import Voice


class PuzzleDialogue(Dialogue):
    """One puzzle: the position, the question, and what the answer was worth."""

    LEAVE = "puzzle_leave"
    QUITTING = "puzzle_help_quit"

    def __init__(self, table: PuzzleTable, puzzling: Puzzling, console: Console) -> None:
        super().__init__(table, console, puzzling.language)
        self.puzzle_table = table
        self.puzzling = puzzling
        del self._commands["hint"]
        self._seen_events[self.seat] = len(table.events(self.seat))  # `history` has them

    async def run(self) -> None:
        self.print(self.puzzling.heading(self.voice))
        self.print(self.voice("terminal_you_are", seat=self.seat))
        await self.now("")
        await self.on_table("")
        self.print(self.voice("puzzle_question"))
        await super().run()

    def greet(self) -> None:
        """It was done before the position."""

    def finish(self) -> None:
        self.print(*self.puzzling.answered(self.puzzle_table, self.voice))


async def puzzle_dialogues(puzzling: Puzzling) -> None:
    """Puzzle after puzzle, until nobody wants another."""
    voice = Voice(puzzling.language)
    console = Console(Keyboard(), voice)
    try:
        while table := puzzling.table():
            await PuzzleDialogue(table, puzzling, console).run()
            if not await console.agrees(voice("puzzle_another")):
                return
            puzzling.go_on()
        console.print(voice("puzzle_none_left"))
    except Left:
        pass
    finally:
        console.keyboard.close()
