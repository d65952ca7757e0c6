"""How tables are drawn: faces of cards, and lines of a certain width.

`terminal.py` of a game draws its `View` and decides nothing. For a game without it, only what all
games share is drawn.

Widths are counted in cells, of which a Japanese letter takes two. Signs whose width depends on the
terminal (`▲`, `─` …: "ambiguous" in Unicode's East Asian Width) are not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.text import Text

from hastilude.core.game import Game
from hastilude.games.registry import part_of
from hastilude.messages import Message
from hastilude.terminal.voice import Voice

TURN = "►"
RIGHT, WRONG = "✓", "✗"
BACK = "░░░"  # a card face down


@dataclass(frozen=True)
class Face:
    """How a suit looks: a shape and two colours. The letter is in the card's text."""

    shape: str
    ink: str
    paper: str

    @property
    def chip(self) -> str:
        return f"{self.ink} on {self.paper}"


PLAIN = Face("", "black", "#d0d0c8")
RED = Face("", "white", "#b3132b")
BLUE = Face("", "white", "#0b5fa5")
GREEN = Face("", "black", "#6fae1a")
YELLOW = Face("", "black", "#e8b90c")


def shaped(face: Face, shape: str) -> Face:
    return Face(shape, face.ink, face.paper)


class Drawing:
    """Draws a table. This class draws what all views have; each game's subclass draws more."""

    faces: ClassVar[Mapping[str, Face]] = {}  # by the first letter of a card's text

    def face(self, text: str) -> Face:
        return self.faces.get(text[:1], PLAIN)

    def label(self, text: str, voice: Voice) -> str:
        """The text of an action on its card."""
        return f"{self.face(text).shape}{text}"

    def card(self, text: str, voice: Voice) -> Text:
        """A face-up card."""
        return Text(self.label(text, voice), self.face(text).chip)

    def heading(self, view: Any, voice: Voice) -> str:
        """The progress of the match, such as its round."""
        return ""

    def lines(self, view: Any, voice: Voice, width: int) -> list[Text]:
        """The table, in at most twelve lines of the width."""
        return [
            line(row_head(view, seat, voice), (str(score), 8))
            for seat, score in enumerate(view.scores)
        ]

    def choices(self, view: Any, legal: Sequence[str]) -> tuple[str, ...]:
        """What to choose from, legal or not: usually the hand."""
        return tuple(view.hand)

    def hand_line(self, view: Any, voice: Voice) -> Text:
        """The hand, when there is nothing to choose."""
        row = Text(f"  {voice('terminal_your_hand')}  ")
        for card in view.hand:
            row.append_text(self.card(card, voice)).append(" ")
        return row

    def words(self, view: Any) -> list[Message]:
        """The table in sentences."""
        return [
            Message("terminal_score", {"seat": seat, "score": score})
            for seat, score in enumerate(view.scores)
        ]


def drawing_of(game: Game) -> Drawing:
    own = part_of(game.name, "terminal")
    drawing: Drawing = own.Drawing() if own else Drawing()
    return drawing


def line(*cells: tuple[str | Text, int], style: str = "") -> Text:
    """Texts side by side, each cut or padded to its width."""
    row = Text(style=style, no_wrap=True, overflow="crop")
    for content, width in cells:
        cell = Text.assemble(content)  # the padding has no colour
        cell.truncate(width, overflow="crop", pad=True)
        row.append_text(cell)
    return row


def right(text: str, width: int, style: str = "") -> Text:
    """A right-aligned text."""
    shown = Text.assemble((text, style))
    shown.pad_left(max(0, width - shown.cell_len))
    return shown


def row_head(view: Any, seat: int, voice: Voice, width: int = 18) -> tuple[Text, int]:
    """A seat's name, marked if it must act or is the viewer's own."""
    acts = seat in view.pending
    head = Text(f"{TURN} " if acts else "  ")
    mark = voice.mark(seat)
    name = Text(voice.name(seat), "bold" if acts else "")
    name.truncate(width - head.cell_len - Text(mark).cell_len if mark else name.cell_len)
    head.append_text(name).append(mark, "italic")
    if seat == view.viewer:
        head.append(f" {voice('terminal_you')}", "italic")
    return head, width
