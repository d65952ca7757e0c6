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

from hastilude.core.events import Event
from hastilude.core.game import Game, Suit
from hastilude.games.registry import part_of
from hastilude.messages import Message
from hastilude.terminal.voice import Voice

TURN = "►"
RIGHT, WRONG = "✓", "✗"
BACK = "░░░"  # a card face down
PAGE = 70  # cells inside a page over the table


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


@dataclass(frozen=True)
class ScorePart:
    """What a part of a score is for, and how much; None if it has no points of its own."""

    part: Message
    points: int | None


@dataclass(frozen=True)
class Breakdown:
    """How a seat's score comes about; `changes` says what has changed it, the latest first."""

    parts: Sequence[ScorePart]
    total: ScorePart
    changes: Sequence[Message] = ()


@dataclass(frozen=True)
class Sheet:
    """How the scores of a match came about: a row for each part of it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: Sequence[str]


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

    def score(self, view: Any, events: Sequence[Event], seat: int) -> Breakdown:
        return Breakdown((), ScorePart(Message("score_total"), view.scores[seat]))

    def sheet(self, view: Any, events: Sequence[Event], voice: Voice) -> Sheet:
        names = voice.names[: len(view.scores)]
        return Sheet(("", *names), (), (voice("score_total"), *map(str, view.scores)))

    def words(self, view: Any) -> list[Message]:
        """The table in sentences."""
        return [
            Message("terminal_score", {"seat": seat, "score": score})
            for seat, score in enumerate(view.scores)
        ]


def score_texts(breakdown: Breakdown, seat: int, voice: Voice) -> list[str]:
    """A breakdown in sentences: a heading, its parts, the total, and what changed it."""
    parts = [*breakdown.parts, breakdown.total]
    return [
        voice("web_score", seat=seat),
        *(f"  {part_text(part, voice)}" for part in parts),
        *(f"  {voice.say(change)}" for change in breakdown.changes),
    ]


def part_text(part: ScorePart, voice: Voice) -> str:
    if part.points is None:
        return voice.say(part.part)
    return voice("score_part", part=part.part, points=part.points)


def sheet_lines(sheet: Sheet) -> list[Text]:
    """The sheet with aligned columns; long names are cut, so that it fits a page."""
    rows = [sheet.head, *sheet.rows, sheet.total]
    most = PAGE // len(sheet.head) - 1
    widths = [
        min(most, max(Text(cell).cell_len for cell in column)) for column in zip(*rows, strict=True)
    ]
    return [
        line(
            (row[0], widths[0]),
            *(
                (right(cut(cell, width), width + 1), width + 1)
                for cell, width in zip(row[1:], widths[1:], strict=True)
            ),
            style="bold" if row is sheet.total else "dim" if row is sheet.head else "",
        )
        for row in rows
    ]


def cut(text: str, width: int) -> str:
    shown = Text(text)
    shown.truncate(width)
    return shown.plain


def sheet_texts(sheet: Sheet, voice: Voice) -> list[str]:
    """The sheet in sentences, one per row, for those who cannot see columns."""
    separator = voice("list_separator")
    return [
        voice(
            "score_part",
            part=row[0],
            points=separator.join(
                f"{name} {cell}".strip()
                for name, cell in zip(sheet.head[1:], row[1:], strict=True)
                if cell
            ),
        )
        for row in (*sheet.rows, sheet.total)
    ]


def tracker_lines(suits: Sequence[Suit], drawing: Drawing, voice: Voice) -> list[Text]:
    """Every card by suit: dim if seen, underlined in the own hand, otherwise bold."""
    styles = {"hand": "underline", "seen": "dim strike", "unseen": "bold"}
    rows = []
    for suit in suits:
        row = Text.assemble((f" {drawing.face(suit.suit).shape}{suit.suit} ", "dim"), "  ")
        for card, where in suit.cards:
            row.append(card, styles[where]).append("  ")
        rows.append(row)
    return rows


def tracker_texts(suits: Sequence[Suit], game: str, voice: Voice) -> list[str]:
    """Every suit in a sentence."""
    return [
        voice(
            "tracker_line",
            name=voice(f"{game}_suit_{suit.suit}"),
            unseen=cards_at(suit, "unseen"),
            seen=cards_at(suit, "seen"),
            held=cards_at(suit, "hand"),
        )
        for suit in suits
    ]


def cards_at(suit: Suit, place: str) -> tuple[str, ...]:
    return tuple(card for card, where in suit.cards if where == place)


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
