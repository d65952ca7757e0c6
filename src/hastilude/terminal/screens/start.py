"""Where a match is chosen: an unfinished one, or game, options and players of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option as Row

from hastilude.bots.levels import LEVELS
from hastilude.core.errors import HastiludeError, OptionError, RecordError
from hastilude.core.game import Game
from hastilude.core.options import Option
from hastilude.games.registry import GAMES, game_class, load
from hastilude.messages import visible
from hastilude.terminal.local import new_table, resumed_table
from hastilude.terminal.opening import Opening
from hastilude.terminal.party import PERSON, Party, seat_party
from hastilude.terminal.screens.pages import Rules
from hastilude.terminal.shelf import Kept
from hastilude.terminal.voice import Voice

if TYPE_CHECKING:
    from hastilude.terminal.app import TableApp


class StartScreen(Screen[None]):
    app: TableApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "begin", show=False),
        Binding("f1", "rules", show=False),
        Binding("delete", "forget", show=False),
        Binding("escape", "quit", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(self, opening: Opening, language: str) -> None:
        super().__init__()
        self.opening = opening
        self.voice = Voice(language)
        self.kept: list[Kept] = []
        self.game = opening.game or load(next(iter(GAMES)))

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
        yield Static(id="notice", markup=False)
        yield Static(self.voice("terminal_keys_start"), classes="keys", markup=False)

    async def on_mount(self) -> None:
        self.list_unfinished()
        await self.lay_out()
        first = self.query_one("#unfinished") if self.kept else self.query_one("#begin")
        first.focus()

    # --- unfinished matches ---------------------------------------------------------------------

    def list_unfinished(self) -> None:
        self.kept = self.opening.offered()
        rows = self.query_one("#unfinished", OptionList)
        rows.clear_options()
        for kept in self.kept:
            rows.add_option(Row(Text(self.describe(kept), no_wrap=True)))
        for widget in (rows, self.query_one("#unfinished-label")):
            widget.display = bool(self.kept)
        if self.kept:
            rows.highlighted = 0

    def describe(self, kept: Kept) -> str:
        try:
            told = kept.described(self.voice.language)
        except RecordError as error:
            return self.voice.say(error.message)
        return visible(f"{told['title']}   {told['when']}   {told['players']}")

    @on(OptionList.OptionSelected, "#unfinished")
    @work(exclusive=True)
    async def resume(self, chosen: OptionList.OptionSelected) -> None:
        try:
            self.app.sit_down(
                await resumed_table(self.kept[chosen.option_index], self.opening.house)
            )
        except HastiludeError as error:
            self.notice(error)

    def action_forget(self) -> None:
        rows = self.query_one("#unfinished", OptionList)
        if rows.has_focus and rows.highlighted is not None:
            self.kept[rows.highlighted].forget()
            self.list_unfinished()
            if not self.kept:
                self.query_one("#begin").focus()

    # --- a new one ------------------------------------------------------------------------------

    async def lay_out(self) -> None:
        """The options and seats of the chosen game."""
        rows: list[Horizontal] = []
        for option in self.game.known_options:
            shared = self.word(f"option_{option.name}", option.name)
            label = self.word(f"{self.game.name}_option_{option.name}", shared)
            rows.append(Horizontal(Label(label), self.field(option), classes="row"))
        party = self.opening.party if self.opening.game == self.game else None
        players = party.players if party else (PERSON, *[self.opening.level] * self.game.seats)
        for seat, name in enumerate(self.game.names(self.voice.language)[: self.game.seats]):
            rows.append(Horizontal(Label(name), *self.seat(seat, players[seat]), classes="row"))
        self.query_one("#credits", Static).update(self.game.credits)
        form = self.query_one("#choices")
        await form.remove_children()
        await form.mount(*rows)

    def word(self, key: str, otherwise: str) -> str:
        return self.voice(key) if self.voice.knows(key) else otherwise

    def field(self, option: Option) -> Select[Any] | Input:
        value = self.game.options[option.name]
        allowed = option.allowed(self.game.options)
        if not allowed:
            written = ",".join(map(str, value))
            return Input(written, compact=True, name=option.name, classes="option")
        key = f"{self.game.name}_value_"
        shown = [(self.word(f"{key}{choice}", str(choice)), choice) for choice in allowed]
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
        shown = [(self.word(f"terminal_player_{one}", one), one) for one in known]
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
        """The other options stay where they still fit; the seats follow."""
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

    def chosen(self) -> tuple[Game, Party]:
        """OptionError if something does not fit."""
        options = dict(self.game.options)
        for field in self.query("Input.option").results(Input):
            option = next(one for one in self.game.known_options if one.name == field.name)
            options[option.name] = option.read(field.value)
        game = type(self.game)(**options)
        players = [str(one.value) for one in self.query(".player").results(Select)]
        names = [one.value for one in self.query(".name").results(Input) if one.display]
        return game, seat_party(game, players, self.opening.level, names)

    @on(Button.Pressed, "#begin")
    def pressed(self) -> None:
        self.action_begin()

    @work(exclusive=True)
    async def action_begin(self) -> None:
        try:
            game, party = self.chosen()
        except OptionError as error:
            self.notice(error)
            return
        self.query_one("#notice", Static).update(self.voice("terminal_preparing"))
        self.app.sit_down(await new_table(game, party, self.opening.house))

    def notice(self, error: HastiludeError) -> None:
        self.query_one("#notice", Static).update(self.voice.say(error.message))

    def action_rules(self) -> None:
        self.app.push_screen(Rules(self.game.name, self.voice))

    def action_quit(self) -> None:
        self.app.exit()
