"""What all screens of a match share: heading, table, the latest events, and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from hastilude.core.errors import HastiludeError
from hastilude.core.events import Event, explain
from hastilude.terminal.drawing import (
    drawing_of,
    score_texts,
    sheet_lines,
    tracker_lines,
    tracker_texts,
)
from hastilude.terminal.screens.pages import History, Rules, Story, story_of
from hastilude.terminal.table import Scene
from hastilude.terminal.voice import Voice

LATEST = 40  # events in the log


class Log(Widget):
    """As many of the latest sentences as fit; those of the last move are bright."""

    def __init__(self) -> None:
        super().__init__()
        self.old: Sequence[str] = ()
        self.new: Sequence[str] = ()

    def show(self, old: Sequence[str], new: Sequence[str]) -> None:
        self.old, self.new = old, new
        self.refresh()

    def render(self) -> RenderResult:
        said = [Text(line, "dim") for line in self.old] + [Text(line) for line in self.new]
        width = max(1, self.size.width)
        rows = [row for text in said for row in text.wrap(self.app.console, width)]
        return Text("\n").join(rows[-self.size.height :] if self.size.height else [])


class SceneScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "last", show=False),
        Binding("e", "history", show=False),
        Binding("r", "rules", show=False),
        Binding("p", "scores", show=False),
        Binding("c", "tracker", show=False),
        Binding("d", "theme", show=False),
        Binding("question_mark", "help", show=False),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = []  # keys and their actions

    def __init__(self, scene: Scene, language: str, reader: int | None = None) -> None:
        super().__init__()
        self.scene = scene
        self.voice = Voice(language, scene.names(language), reader)
        self.drawing = drawing_of(scene.game)
        self.seat: int | None = None  # whose view is drawn
        self.clause = ""  # where the rules open

    def compose(self) -> ComposeResult:
        yield Static(id="heading", markup=False)
        yield from self.compose_above()
        yield Static(id="table", markup=False)
        yield Log()
        yield Static(id="prompt", markup=False)
        yield Static(id="notice", markup=False)
        yield from self.compose_choices()
        yield Static(self.key_line(), classes="keys")

    def compose_above(self) -> ComposeResult:
        yield from ()

    def compose_choices(self) -> ComposeResult:
        yield from ()

    def key_line(self) -> str:
        return "  ".join(
            f"[@click=screen.{action}][b]{key}[/b] {self.voice(f'terminal_key_{action}')}[/]"
            for key, action in self.KEYS
        )

    def draw(self, new_from: int = 0) -> None:
        """Draw the match as it is now; events from `new_from` on are new."""
        language = self.voice.language
        names, marks = self.scene.names(language), self.scene.marks(language)
        self.voice = replace(self.voice, names=names, marks=marks)
        view = self.scene.view(self.seat)
        self.head(self.drawing.heading(view, self.voice))
        lines = self.drawing.lines(view, self.voice, self.size.width)
        self.query_one("#table", Static).update(Text("\n").join(lines))
        events = self.scene.events(self.seat)
        first = max(0, len(events) - LATEST)
        said = [self.voice.say(event.message) for event in events[first:]]
        news = max(0, new_from - first)
        self.query_one(Log).show(said[:news], said[news:])

    def head(self, where: str) -> None:
        self.query_one("#heading", Static).update(f" {self.scene.game.title}   {where}")

    def prompt(self, text: str, asks: bool) -> None:
        prompt = self.query_one("#prompt", Static)
        prompt.set_class(asks, "asks")
        prompt.update(f" {text}")

    def notice(self, text: str) -> None:
        self.query_one("#notice", Static).update(f" {text}" if text else "")

    def viewer_events(self) -> Sequence[Event]:
        return self.scene.events(self.seat)

    # --- keys -----------------------------------------------------------------------------------

    def action_last(self) -> None:
        """Show what was decided last, and how."""
        events = self.viewer_events()
        ended = [index for index, event in enumerate(events) if event.ends]
        if ended:
            self.app.push_screen(story_of(explain(events, ended[-1]), self.voice))
        else:
            self.notice(self.voice("terminal_nothing_yet"))

    def action_history(self) -> None:
        self.app.push_screen(History(self.viewer_events(), self.voice))

    def action_scores(self) -> None:
        """Show how every score comes about, and the score sheet."""
        view, events = self.scene.view(self.seat), self.viewer_events()
        lines: list[str | Text] = []
        for seat in range(len(view.scores)):
            heading, *parts = score_texts(self.drawing.score(view, events, seat), seat, self.voice)
            lines += [Text(heading, "bold"), *parts]
        self.app.push_screen(
            Story(self.voice("score_sheet"), [*lines, "", *self.sheet_lines()], self.voice)
        )

    def sheet_lines(self) -> list[Text]:
        view, events = self.scene.view(self.seat), self.viewer_events()
        return sheet_lines(self.drawing.sheet(view, events, self.voice))

    def action_tracker(self) -> None:
        """Show the cards seen so far, if the table allows it."""
        try:
            suits = self.scene.tracker(self.seat)
        except HastiludeError as error:
            self.notice(self.voice.say(error.message))
            return
        lines = tracker_lines(suits, self.drawing, self.voice)
        texts = tracker_texts(suits, self.scene.game.name, self.voice)
        self.app.push_screen(Story(self.voice("tracker_title"), [*lines, "", *texts], self.voice))

    def action_rules(self) -> None:
        self.app.push_screen(Rules(self.scene.game, self.voice, self.clause))

    def action_theme(self) -> None:
        dark = self.app.theme == "textual-dark"
        self.app.theme = "textual-light" if dark else "textual-dark"

    def action_help(self) -> None:
        lines = [
            f"{key:>6}  {self.voice(f'terminal_about_{action}')}" for key, action in self.all_keys()
        ]
        self.app.push_screen(Story(self.voice("terminal_help"), lines, self.voice))

    def all_keys(self) -> list[tuple[str, str]]:
        return [*self.KEYS, ("p", "scores"), ("c", "tracker"), ("d", "theme")]
