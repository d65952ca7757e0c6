"""The Textual applications: replaying records, playing here, playing on a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from hastilude.core.errors import HastiludeError, OptionError
from hastilude.core.record import Record
from hastilude.reviews.review import Review
from hastilude.terminal.connection import Connection
from hastilude.terminal.lesson import lesson_table
from hastilude.terminal.local import LocalTable
from hastilude.terminal.puzzling import Puzzling
from hastilude.terminal.remote import RemoteTable
from hastilude.terminal.screens.joined import JoinedScreen
from hastilude.terminal.screens.lesson import LessonScreen
from hastilude.terminal.screens.pages import Question
from hastilude.terminal.screens.play import PlayScreen
from hastilude.terminal.screens.puzzle import PuzzleScreen
from hastilude.terminal.screens.replay import ReplayScreen, ReviewScreen
from hastilude.terminal.screens.start import StartScreen
from hastilude.terminal.startup import Startup
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
        self,
        records: Sequence[Record],
        seat: int | None,
        language: str,
        theme: str = "dark",
        reviews: Sequence[Review] = (),
    ) -> None:
        """`reviews` is empty, or has the review of the seat for each record."""
        super().__init__(language, theme)
        if reviews:
            self.first: ReplayScreen = ReviewScreen(records, reviews, 0, seat, language)
        else:
            self.first = ReplayScreen(records, 0, seat, language)

    def on_mount(self) -> None:
        self.push_screen(self.first)


class PlayingApp(DrawnApp):
    """Plays at a table. Its result is the error that ended it, if any."""

    menu: ClassVar[tuple[str, ...]] = ("again", "sheet", "start", "look", "quit")  # after a match
    between: ClassVar[str] = "terminal_preparing"  # shown while the next match is prepared

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
        """At a table, ask whether to leave; a second interrupt answers yes."""
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
    """Plays at tables on this machine."""

    def __init__(self, startup: Startup, theme: str = "dark") -> None:
        super().__init__(startup.settings.language, theme)
        self.startup = startup

    @property
    def saved(self) -> bool:
        """Whether an unfinished match was saved."""
        return isinstance(self.table, LocalTable) and self.table.resumable

    async def begin(self) -> None:
        """Open the table that the command line asked for, or the start screen."""
        table = await self.startup.table()
        if table:
            self.sit_down(table)
        else:
            self.start_anew()

    def start_anew(self) -> None:
        self.show_alone(StartScreen(self.startup, self.language))

    async def teach(self, name: str) -> None:
        """Give the lesson of a game; OptionError if it has none."""
        table = await lesson_table(name, self.startup.settings)
        self.table = table
        self.show_alone(LessonScreen(table, self.language))


class LessonApp(TableApp):
    """The same, beginning with a lesson."""

    async def begin(self) -> None:
        assert self.startup.game
        await self.teach(self.startup.game.name)


class PuzzleApp(PlayingApp):
    """Puzzle after puzzle."""

    def __init__(self, puzzling: Puzzling, theme: str = "dark") -> None:
        super().__init__(puzzling.language, theme)
        self.puzzling = puzzling

    async def begin(self) -> None:
        table = self.puzzling.table()
        if table is None:
            raise OptionError.of("puzzle_none_left")
        self.table = table
        self.show_alone(PuzzleScreen(table, self.puzzling))

    def start_anew(self) -> None:
        self.puzzling.go_on()
        self.start()


class JoinedApp(PlayingApp):
    """Plays at a table on a server."""

    menu = ("again", "sheet", "look", "quit")
    between = "join_others_again"

    def __init__(self, connection: Connection, language: str, theme: str = "dark") -> None:
        super().__init__(language, theme)
        self.connection = connection

    async def begin(self) -> None:
        """Wait until the others have sat down."""
        voice = Voice(self.language)
        while not self.connection.playable:
            waiting = self.connection.trouble or self.connection.gathered
            self.screen.query_one("#preparing", Static).update(voice.say(waiting))
            await self.connection.changed(self.connection.version)
        self.sit_down(RemoteTable(self.connection))

    def sit_down(self, table: Table) -> None:
        assert isinstance(table, RemoteTable)
        self.table = table
        self.show_alone(JoinedScreen(table, self.language))
