"""Screens that open over the table: stories, rules, questions, and the curtain between players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hastilude.core.events import Event, explain
from hastilude.core.game import Game
from hastilude.games.rulebook import Item, chapters
from hastilude.terminal.markdown import Markdown
from hastilude.terminal.options import variants_at
from hastilude.terminal.voice import Voice

CLOSE = "escape,q,enter,space"


class Story(ModalScreen[None]):
    """A heading and some lines to read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(CLOSE, "dismiss", show=False)]

    def __init__(self, title: str, lines: Sequence[str | Text], voice: Voice) -> None:
        super().__init__()
        self.heading = title
        self.lines = lines
        self.voice = voice

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(self.heading, classes="heading", markup=False)
            with VerticalScroll():
                for line in self.lines:
                    yield Static(line, markup=False)
            yield Static(self.voice("terminal_keys_close"), classes="keys", markup=False)


class History(ModalScreen[None]):
    """Everything that happened. Enter on the end of a chapter shows its story."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", show=False)]

    def __init__(self, events: Sequence[Event], voice: Voice) -> None:
        super().__init__()
        self.events = events
        self.voice = voice

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(self.voice("terminal_history"), classes="heading", markup=False)
            yield OptionList(*(Option(self.line(event)) for event in self.events))
            yield Static(self.voice("terminal_keys_history"), classes="keys", markup=False)

    def line(self, event: Event) -> Text:
        return Text(self.voice.say(event.message), "bold" if event.ends else "")

    def on_mount(self) -> None:
        ended = [index for index, event in enumerate(self.events) if event.ends]
        chosen = self.query_one(OptionList)
        chosen.highlighted = ended[-1] if ended else len(self.events) - 1

    def on_option_list_option_selected(self, selected: OptionList.OptionSelected) -> None:
        if self.events[selected.option_index].ends:
            story = explain(self.events, selected.option_index)
            self.app.push_screen(story_of(story, self.voice))


def story_of(events: Sequence[Event], voice: Voice) -> Story:
    """The events that led to the end of a chapter."""
    lines = [voice.say(event.message) for event in events]
    return Story(voice("terminal_why"), lines, voice)


class Rules(ModalScreen[None]):
    """The rules of a game: the variants that are played, the summary, then clause by clause."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(CLOSE, "dismiss", show=False)]

    def __init__(self, game: Game, voice: Voice, clause: str = "") -> None:
        super().__init__()
        in_short, *others = chapters(game.name, voice.language)
        clauses = [item for chapter in others for item in chapter.items if item.clause]
        variants = variants_at(game, voice)
        self.items = [*([Item("", variants)] if variants else []), *in_short.items, *clauses]
        self.voice = voice
        self.clause = clause

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(self.voice("terminal_rules"), classes="heading", markup=False)
            with Horizontal():
                titles = [item.text.split("**")[1].rstrip(".。") for item in self.items]
                yield OptionList(*(Option(Text(title)) for title in titles), id="clauses")
                with VerticalScroll(can_focus=False):
                    yield Static(id="clause")
            yield Static(self.voice("terminal_keys_close"), classes="keys", markup=False)

    def on_mount(self) -> None:
        names = [item.clause for item in self.items]
        chosen = self.query_one(OptionList)
        chosen.highlighted = names.index(self.clause) if self.clause in names else 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        text = self.items[event.option_index].text
        self.query_one("#clause", Static).update(Markdown(text))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss()


class Question(ModalScreen[str]):
    """A question with a few answers; Escape gives the answer `escape`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "escape", show=False)]

    def __init__(self, lines: Sequence[str | Text], answers: dict[str, str], escape: str) -> None:
        super().__init__()
        self.lines = lines
        self.answers = answers  # results, with their labels
        self.escape = escape

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            for line in self.lines:
                yield Static(line, markup=False)
            yield Static("")
            yield OptionList(*(Option(Text(label), id=key) for key, label in self.answers.items()))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_escape(self) -> None:
        self.dismiss(self.escape)


class Curtain(Screen[None]):
    """Shown while the keyboard changes hands, so that neither player sees the other's hand."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", show=False)]

    def __init__(self, seat: int, voice: Voice) -> None:
        super().__init__()
        self.seat = seat
        self.voice = voice

    def compose(self) -> ComposeResult:
        yield Static(self.voice("terminal_curtain", seat=self.seat), id="curtain", markup=False)
