"""The screen of a table where people play."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hastilude.core.errors import HastiludeError
from hastilude.messages import Message
from hastilude.terminal.hints import hint_lines
from hastilude.terminal.screens.choices import Choices
from hastilude.terminal.screens.pages import Curtain, Question, Story
from hastilude.terminal.screens.scene import SceneScreen
from hastilude.terminal.table import Table, clock_texts, reader_at, seat_to_ask

if TYPE_CHECKING:
    from hastilude.terminal.app import PlayingApp


class PlayScreen(SceneScreen):
    app: PlayingApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "why", show=False),
        Binding("h", "hint", show=False),
        Binding("q", "leave", show=False),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("Enter", "choose"),
        ("w", "why"),
        ("h", "hint"),
        ("t", "last"),
        ("e", "history"),
        ("r", "rules"),
        ("?", "help"),
        ("q", "leave"),
    ]
    LEAVING = "terminal_leaving"  # what is asked before leaving

    def __init__(self, table: Table, language: str) -> None:
        super().__init__(table, language, reader_at(table))
        self.table = table
        self.seat = reader_at(table)
        self._seen_events = dict.fromkeys((None, *table.own), 0)  # before its last move
        self._trouble: Message | None = None

    def compose_choices(self) -> ComposeResult:
        yield Choices(self.drawing)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self.set_interval(1, self.show_clocks)
        self.follow()

    def show_clocks(self) -> None:
        """Show the clocks of the pending seats, if the table has clocks."""
        clocks = clock_texts(self.table, self.voice)
        if clocks:
            where = self.drawing.heading(self.table.view(self.seat), self.voice)
            self.head("   ".join([where, *clocks]))

    @work(exclusive=True)
    async def follow(self) -> None:
        """Draw each change, and prompt the seat that must act."""
        version = -1
        while not self.table.over:
            try:
                version = await self.table.changed(version)
            except HastiludeError as error:  # for example, the seat was lost
                self.app.exit(error)
                return
            if not self.is_attached:  # the screen is being closed
                return
            await self.show()
        await self.finish()

    async def show(self) -> None:
        asked = seat_to_ask(self.table, self.seat)
        thinking = any(map(self.table.thinking, self.table.pending))
        if asked is not None and asked != self.seat and not thinking:
            self.notice("")  # it may mention cards of a hand
            await self.app.push_screen_wait(Curtain(asked, self.voice))
            self.seat = asked
        if self.seat is None and self.table.own and not self.table.over:
            return  # nobody has sat down yet
        self.draw(self._seen_events[self.seat])
        self.ask(asked)

    def ask(self, seat: int | None) -> None:
        view = self.table.view(self.seat)
        legal = self.table.legal(seat) if seat is not None and seat == self.seat else ()
        choices = self.drawing.choices(view, legal) if self.seat is not None else ()
        self.query_one(Choices).lay_out(choices, legal, self.voice)
        if self.table.trouble:
            self.notice(self.voice.say(self.table.trouble))
        elif self._trouble:
            self.notice("")
        self._trouble = self.table.trouble
        if legal and seat is not None:
            self.prompt(self.voice.ask(self.table.game.name, view.phase, seat), asks=True)
        elif not self.table.over:
            self.prompt(self.voice("terminal_waiting", seats=self.table.pending), asks=False)
        else:
            self.prompt(self.voice("match_over"), asks=False)

    async def finish(self) -> None:
        """Show the result and ask what to do next."""
        self.draw(self._seen_events[self.seat])
        answers = {answer: self.voice(f"terminal_menu_{answer}") for answer in self.app.menu}
        answer = "sheet"
        while answer == "sheet":
            answer = await self.app.push_screen_wait(Question(self.result(), answers, "look"))
            if answer == "sheet":
                sheet = Story(self.voice("score_sheet"), self.sheet_lines(), self.voice)
                await self.app.push_screen_wait(sheet)
        if answer == "again":
            await self.play_again()
        elif answer == "start":
            self.app.start_anew()
        elif answer == "quit":
            self.app.exit()

    async def play_again(self) -> None:
        self.notice(self.voice(self.app.between))
        try:
            self.app.sit_down(await self.table.rematch())
        except HastiludeError as error:
            self.app.exit(error)

    def result(self) -> list[Text]:
        ended = [event.message for event in self.table.events(None) if event.ends]
        abandoned = Message("web_replay_given_up")
        ending = self.voice.say(ended[-1] if ended and self.table.winners else abandoned)
        winners = self.table.winners  # not always those with the most points
        ranked = sorted(
            enumerate(self.table.scores),
            key=lambda ranked: (ranked[0] not in winners, -ranked[1]),
        )
        width = max(Text(name).cell_len for name in self.voice.names)
        lines = [Text(ending, "bold"), Text()]
        for seat, score in ranked:
            won = seat in winners
            row = Text("✓ " if won else "  ", "bold" if won else "")
            name = Text(self.voice.name(seat))
            name.truncate(width + 2, pad=True)
            lines.append(row.append_text(name).append(f"{score:>4}"))
        return lines

    # --- keys -----------------------------------------------------------------------------------

    @on(Choices.Chosen)
    async def play(self, chosen: Choices.Chosen) -> None:
        seat, before = self.seat, len(self.viewer_events())
        if seat is None:
            return
        try:
            await self.table.play(seat, chosen.text)
            self._seen_events[seat] = before
            self.notice("")
        except HastiludeError as error:
            self.refuse(error.message)

    def refuse(self, message: Message) -> None:
        self.clause = message.clause
        self.notice(self.voice.say(message))

    def action_choose(self) -> None:
        self.query_one(Choices).action_choose()

    async def action_why(self) -> None:
        """Show why the raised card may not be played."""
        card = self.query_one(Choices).chosen
        if card is None or self.seat is None:
            self.action_last()
            return
        refusal = await self.table.why(self.seat, card)
        if refusal:
            self.refuse(refusal)
        else:
            self.notice(self.voice("terminal_allowed", action=card))

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        if self.seat is None:
            return
        self.notice(self.voice("terminal_considering"))
        legal = self.table.legal(self.seat)
        try:
            hints = await self.table.hint(self.seat)
        except HastiludeError as error:
            self.refuse(error.message)
            return
        self.notice("")
        if self.table.legal(self.seat) == legal:  # else it was played meanwhile
            lines = hint_lines(hints, self.voice, lambda text: self.drawing.label(text, self.voice))
            self.app.push_screen(Story(self.voice("terminal_hints"), lines, self.voice))

    @work(exclusive=True, group="leave")
    async def action_leave(self) -> None:
        if self.table.over:
            await self.finish()
            return
        answers = {answer: self.voice(f"terminal_menu_{answer}") for answer in ("stay", "quit")}
        leaving = Question([self.voice(self.LEAVING)], answers, "stay")
        if await self.app.push_screen_wait(leaving) == "quit":
            self.app.exit()

    async def on_unmount(self) -> None:
        await self.table.leave()
