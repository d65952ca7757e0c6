"""The application around the screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from hastilude.core.errors import HastiludeError
from hastilude.core.record import Record
from hastilude.terminal.line import Line
from hastilude.terminal.opening import Opening
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.screens.pages import Question
from hastilude.terminal.screens.play import PlayScreen
from hastilude.terminal.screens.replay import ReplayScreen
from hastilude.terminal.screens.start import StartScreen
from hastilude.terminal.table import Table
from hastilude.terminal.voice import Voice


class DrawnApp(App[HastiludeError]):
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Hastilude"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self, language: str, theme: str) -> None:
        super().__init__()
        self.language = language
        self.theme = f"textual-{theme}"

    def action_interrupt(self) -> None:
        self.exit()


class ReplayApp(DrawnApp):
    """Steps through records."""

    def __init__(
        self, records: Sequence[Record], seat: int | None, language: str, theme: str = "dark"
    ) -> None:
        super().__init__(language, theme)
        self.first = ReplayScreen(records, 0, seat, language)

    def on_mount(self) -> None:
        self.push_screen(self.first)


class PlayingApp(DrawnApp):
    """Plays at a table. It returns why it could not, if so."""

    menu: ClassVar[tuple[str, ...]] = ("again", "start", "look", "quit")  # after a match
    between: ClassVar[str] = "terminal_preparing"  # what is said while the next one is prepared

    def __init__(self, language: str, theme: str) -> None:
        super().__init__(language, theme)
        self.table: Table | None = None

    def compose(self) -> ComposeResult:
        yield Static(Voice(self.language)(self.between), id="preparing", markup=False)

    def on_mount(self) -> None:
        self.start()

    @work(exclusive=True)
    async def start(self) -> None:
        try:
            await self.begin()
        except HastiludeError as error:
            self.exit(error)

    async def begin(self) -> None:
        """Sit down at the first table."""
        raise NotImplementedError

    def start_anew(self) -> None:
        """Choose another game."""
        raise NotImplementedError

    def action_interrupt(self) -> None:
        """At a table it asks once; a second interrupt is an answer."""
        tables = [screen for screen in self.screen_stack if isinstance(screen, PlayScreen)]
        if tables and not isinstance(self.screen, Question):
            tables[0].action_leave()
        else:
            self.exit()

    def sit_down(self, table: Table) -> None:
        self.table = table
        self.show_alone(PlayScreen(table, self.language))

    def show_alone(self, screen: PlayScreen | StartScreen) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(screen)


class TableApp(PlayingApp):
    """At tables of this machine."""

    def __init__(self, opening: Opening, theme: str = "dark") -> None:
        super().__init__(opening.house.language, theme)
        self.opening = opening

    @property
    def kept(self) -> bool:
        """Whether an unfinished match was left."""
        return bool(self.table and not self.table.over and not self.table.trouble)

    async def begin(self) -> None:
        """The table asked for on the command line, or the choice of one."""
        table = await self.opening.table()
        if table:
            self.sit_down(table)
        else:
            self.start_anew()

    def start_anew(self) -> None:
        self.show_alone(StartScreen(self.opening, self.language))


class JoinedApp(PlayingApp):
    """At a table of a server."""

    menu = ("again", "look", "quit")
    between = "join_others_again"

    def __init__(self, line: Line, language: str, theme: str = "dark") -> None:
        super().__init__(language, theme)
        self.line = line

    async def begin(self) -> None:
        """Wait until the others have sat down."""
        voice = Voice(self.language)
        while not self.line.playable:
            waiting = self.line.trouble or self.line.gathered
            self.screen.query_one("#preparing", Static).update(voice.say(waiting))
            await self.line.changed(self.line.version)
        self.sit_down(RemoteTable(self.line))
