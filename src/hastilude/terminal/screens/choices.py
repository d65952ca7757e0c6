"""The cards (or other actions) to choose from, at the foot of the table."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from hastilude.terminal.drawing import Drawing
from hastilude.terminal.voice import Voice

LEGAL = "▴"
PATIENCE = 0.8  # seconds to type the second digit of a number
TEN = 10


class Choices(Widget, can_focus=True):
    """Arrows and digits raise another card. Enter, or a click on the raised card, plays it.

    Legal cards are coloured and marked below; the others are dim.
    """

    BINDINGS = [  # noqa: RUF012
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("home", "move(-99)", show=False),
        Binding("end", "move(99)", show=False),
        Binding("enter,space", "choose", show=False),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(10)),
    ]

    cursor = reactive(0)

    class Chosen(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self.drawing = drawing
        self.voice = Voice()
        self.texts: tuple[str, ...] = ()
        self.legal: frozenset[str] = frozenset()
        self._typed = 0.0, 0  # the time of the last digit, and the number typed so far

    @property
    def chosen(self) -> str | None:
        """The raised card."""
        return self.texts[self.cursor] if self.texts else None

    def lay_out(self, texts: Sequence[str], legal: Sequence[str], voice: Voice) -> None:
        self.texts, self.legal, self.voice = tuple(texts), frozenset(legal), voice
        allowed = [index for index, text in enumerate(texts) if text in self.legal]
        self.cursor = min(
            allowed or range(len(texts)) or [0], key=lambda index: abs(index - self.cursor)
        )
        self.refresh()

    def widths(self) -> list[int]:
        labels = [Text(self.drawing.label(text, self.voice)).cell_len for text in self.texts]
        widest = max(labels, default=0) + 1
        return [widest] * len(labels)

    def render(self) -> Text:
        above, middle, below = Text(" "), Text(" "), Text(" ")
        for index, width in enumerate(self.widths()):
            card = self.draw(index, width - 1)
            blank = Text(" " * (width - 1), card.style)
            raised = index == self.cursor and bool(self.legal)
            above.append_text(card if raised else Text(" " * (width - 1))).append(" ")
            middle.append_text(blank if raised else card).append(" ")
            below.append_text(self.number(index, width - 1)).append(" ")
        return Text("\n", no_wrap=True, overflow="crop").join([above, middle, below])

    def draw(self, index: int, width: int) -> Text:
        text = self.texts[index]
        face = self.drawing.face(text)
        style = f"bold {face.chip}" if text in self.legal else "dim"
        card = Text(self.drawing.label(text, self.voice), style)
        card.truncate(width, pad=True)
        return card

    def number(self, index: int, width: int) -> Text:
        allowed = self.texts[index] in self.legal
        number = Text(f"{LEGAL if allowed else ' '}{index + 1}", "bold" if allowed else "dim")
        number.truncate(width, pad=True)
        return number

    def action_move(self, by: int) -> None:
        self.cursor = max(0, min(len(self.texts) - 1, self.cursor + by))

    def action_digit(self, digit: int) -> None:
        """Raise the card with that number; two digits in a row make one number."""
        when, before = self._typed
        number = TEN * before + digit if monotonic() - when < PATIENCE else digit
        if number > len(self.texts):
            number = digit
        self._typed = monotonic(), number
        if 0 < number <= len(self.texts):
            self.cursor = number - 1

    def action_choose(self) -> None:
        if self.chosen:
            self.post_message(self.Chosen(self.chosen))

    def on_click(self, event: events.Click) -> None:
        left = 1
        for index, width in enumerate(self.widths()):
            if left <= event.x < left + width:
                already = index == self.cursor
                self.cursor = index
                if already:
                    self.action_choose()
            left += width
