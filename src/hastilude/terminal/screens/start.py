"""The start screen: resume an unfinished match, learn a game, or choose a game, its options and
players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Collapsible, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option as Row

from hastilude.bots.levels import LEVELS
from hastilude.core.errors import HastiludeError, OptionError, RecordError
from hastilude.core.game import Game
from hastilude.core.options import Option
from hastilude.games.registry import GAMES, game_class, load
from hastilude.messages import visible
from hastilude.terminal.local import new_table, resumed_table
from hastilude.terminal.options import option_name, value_name, variants_at, word
from hastilude.terminal.saved import SavedMatch
from hastilude.terminal.screens.pages import Rules
from hastilude.terminal.seating import PERSON, Seating, seat_players
from hastilude.terminal.startup import Startup
from hastilude.terminal.voice import Voice

if TYPE_CHECKING:
    from hastilude.terminal.app import TableApp


class StartScreen(Screen[None]):
    app: TableApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "begin", show=False),
        Binding("f1", "rules", show=False),
        Binding("f3", "learn", show=False),
        Binding("delete", "forget", show=False),
        Binding("escape", "quit", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(self, startup: Startup, language: str) -> None:
        super().__init__()
        self.startup = startup
        self.voice = Voice(language)
        self.saved: list[SavedMatch] = []
        self.game = startup.game or load(next(iter(GAMES)))
        self.unfolded = bool(variants_at(self.game, self.voice))

    def compose(self) -> ComposeResult:
        yield Static(f" {self.app.TITLE}", id="heading")
        yield Label(self.voice("terminal_unfinished"), id="unfinished-label")
        yield OptionList(id="unfinished")
        with VerticalScroll(id="form"):
            games = [(game_class(name).title, name) for name in GAMES]
            with Horizontal(classes="row"):
                yield Label(self.voice("terminal_game"))
                yield Select(
                    games, value=self.game.name, allow_blank=False, compact=True, id="game"
                )
            yield Static(id="credits", markup=False)
            yield Vertical(id="choices")
            with Horizontal(classes="row", id="last-row"):
                yield Label("")
                yield Button(self.voice("terminal_begin"), id="begin", compact=True)
                yield Button(self.voice("terminal_learn"), id="learn", compact=True)
        yield Static(id="notice", markup=False)
        yield Static(self.voice("terminal_keys_start"), classes="keys", markup=False)

    async def on_mount(self) -> None:
        self.list_unfinished()
        await self.lay_out()
        first = self.query_one("#unfinished") if self.saved else self.query_one("#begin")
        first.focus()

    # --- unfinished matches ---------------------------------------------------------------------

    def list_unfinished(self) -> None:
        self.saved = self.startup.offered()
        rows = self.query_one("#unfinished", OptionList)
        rows.clear_options()
        for saved in self.saved:
            rows.add_option(Row(Text(self.describe(saved), no_wrap=True)))
        for widget in (rows, self.query_one("#unfinished-label")):
            widget.display = bool(self.saved)
        if self.saved:
            rows.highlighted = 0

    def describe(self, saved: SavedMatch) -> str:
        try:
            facts = saved.described(self.voice.language)
        except RecordError as error:
            return self.voice.say(error.message)
        return visible(f"{facts['title']}   {facts['when']}   {facts['players']}")

    @on(OptionList.OptionSelected, "#unfinished")
    @work(exclusive=True)
    async def resume(self, chosen: OptionList.OptionSelected) -> None:
        try:
            self.app.sit_down(
                await resumed_table(self.saved[chosen.option_index], self.startup.settings)
            )
        except HastiludeError as error:
            self.notice(error)

    def action_forget(self) -> None:
        rows = self.query_one("#unfinished", OptionList)
        if rows.has_focus and rows.highlighted is not None:
            self.saved[rows.highlighted].forget()
            self.list_unfinished()
            if not self.saved:
                self.query_one("#begin").focus()

    # --- a new match ----------------------------------------------------------------------------

    async def lay_out(self) -> None:
        """Show the options and seats of the chosen game."""
        known = self.game.known_options
        rows: list[Widget] = [self.option_row(option) for option in known if not option.variant]
        if variants := [self.option_row(option) for option in known if option.variant]:
            title = self.voice("option_variants")
            rows.append(Collapsible(*variants, title=title, collapsed=not self.unfolded))
        seating = self.startup.seating if self.startup.game == self.game else None
        players = seating.players if seating else (PERSON, *[self.startup.level] * self.game.seats)
        for seat, name in enumerate(self.game.names(self.voice.language)[: self.game.seats]):
            rows.append(Horizontal(Label(name), *self.seat(seat, players[seat]), classes="row"))
        self.query_one("#credits", Static).update(self.game.credits)
        form = self.query_one("#choices")
        await form.remove_children()
        await form.mount(*rows)

    def option_row(self, option: Option) -> Horizontal:
        label = option_name(self.game.name, option.name, self.voice)
        return Horizontal(Label(label), self.field(option), classes="row")

    @on(Collapsible.Toggled)
    def fold(self, toggled: Collapsible.Toggled) -> None:
        self.unfolded = not toggled.collapsible.collapsed

    def field(self, option: Option) -> Select[Any] | Input:
        value = self.game.options[option.name]
        allowed = option.allowed(self.game.options)
        if not allowed:
            written = ",".join(map(str, value))
            return Input(written, compact=True, name=option.name, classes="option")
        shown = [(value_name(self.game.name, choice, self.voice), choice) for choice in allowed]
        return Select(
            shown,
            value=value,
            allow_blank=False,
            compact=True,
            name=option.name,
            classes="option",
        )

    def seat(self, seat: int, player: str) -> tuple[Select[str], Input]:
        known = [*dict.fromkeys((PERSON, *LEVELS, player))]
        shown = [(word(f"terminal_player_{kind}", kind, self.voice), kind) for kind in known]
        name = Input(
            placeholder=self.voice("terminal_name"), compact=True, classes="name", max_length=12
        )
        name.display = player == PERSON
        who = Select(shown, value=player, allow_blank=False, compact=True, classes="player")
        return who, name

    @on(Select.Changed, "#game")
    async def change_game(self, changed: Select.Changed) -> None:
        if changed.value != self.game.name:
            self.game = load(str(changed.value))
            await self.lay_out()

    @on(Select.Changed, ".option")
    async def change_option(self, changed: Select.Changed) -> None:
        """Keep the other options where they are still allowed, and adjust the seats."""
        name = str(changed.select.name)
        if changed.value == self.game.options[name]:
            return
        options = self.game.options | {name: changed.value}
        for option in self.game.known_options:
            allowed = option.allowed(options)
            if allowed and options[option.name] not in allowed:
                options[option.name] = option.default
        self.game = type(self.game)(**options)
        await self.lay_out()

    @on(Select.Changed, ".player")
    def change_player(self, changed: Select.Changed) -> None:
        row = changed.select.parent
        if row:
            row.query_one(".name").display = changed.value == PERSON

    def chosen(self) -> tuple[Game, Seating]:
        """The game and players as chosen; OptionError if something does not fit."""
        options, known = dict(self.game.options), self.game.known_options
        for field in self.query("Input.option").results(Input):
            option = next(option for option in known if option.name == field.name)
            options[option.name] = option.read(field.value)
        game = type(self.game)(**options)
        players = [str(choice.value) for choice in self.query(".player").results(Select)]
        names = [field.value for field in self.query(".name").results(Input) if field.display]
        return game, seat_players(game, players, self.startup.level, names)

    @on(Button.Pressed, "#begin")
    def pressed(self) -> None:
        self.action_begin()

    @work(exclusive=True)
    async def action_begin(self) -> None:
        try:
            game, seating = self.chosen()
        except OptionError as error:
            self.notice(error)
            return
        self.query_one("#notice", Static).update(self.voice("terminal_preparing"))
        self.app.sit_down(await new_table(game, seating, self.startup.settings))

    @on(Button.Pressed, "#learn")
    def pressed_learn(self) -> None:
        self.action_learn()

    @work(exclusive=True)
    async def action_learn(self) -> None:
        try:
            await self.app.teach(self.game.name)
        except OptionError as error:  # there is no lesson
            self.notice(error)

    def notice(self, error: HastiludeError) -> None:
        self.query_one("#notice", Static).update(self.voice.say(error.message))

    def action_rules(self) -> None:
        self.app.push_screen(Rules(self.game, self.voice))

    def action_quit(self) -> None:
        self.app.exit()
