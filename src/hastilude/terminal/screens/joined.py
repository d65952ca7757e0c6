"""The screen of a table on a server, where other players may be absent."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from hastilude.messages import Message
from hastilude.terminal.plain import missed_lines
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.screens.pages import Question, Story
from hastilude.terminal.screens.play import PlayScreen

NOTHING = "stay"


class JoinedScreen(PlayScreen):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("o", "players", show=False)]

    def __init__(self, table: RemoteTable, language: str) -> None:
        super().__init__(table, language)
        self.remote = table

    def on_mount(self) -> None:
        super().on_mount()
        self.show_missed()

    @work(group="missed")
    async def show_missed(self) -> None:
        """Show what a bot played while the person was away."""
        if lines := await missed_lines(self.remote, self.voice):
            self.app.push_screen(Story(lines[0], lines[1:], self.voice))

    def all_keys(self) -> list[tuple[str, str]]:
        return [("o", "players"), *super().all_keys()]

    @work(exclusive=True, group="players")
    async def action_players(self) -> None:
        """Show who is absent, and let the host decide about it."""
        absences = self.remote.absences() or [Message("join_all_here")]
        decisions = self.remote.decisions()
        answers = {str(number): self.voice.say(said) for number, (said, _) in enumerate(decisions)}
        answer = await self.ask_about(list(map(self.voice.say, absences)), answers)
        if answer == NOTHING:
            return
        decision, frame = decisions[int(answer)]
        if decision.key == "web_end_match":
            sure = {"end": self.voice.say(decision)}
            if await self.ask_about([self.voice("terminal_end_sure")], sure) == NOTHING:
                return
        await self.remote.decide(frame)

    async def ask_about(self, lines: list[str], answers: dict[str, str]) -> str:
        nothing = {NOTHING: self.voice("terminal_menu_stay")}
        return await self.app.push_screen_wait(Question(lines, answers | nothing, NOTHING))
