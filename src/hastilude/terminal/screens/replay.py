"""The screen of a replay: a record, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from hastilude.core.match import Play
from hastilude.core.record import Record
from hastilude.reviews.review import Review
from hastilude.reviews.words import made_at, marked
from hastilude.terminal.replay_scene import ReplayScene
from hastilude.terminal.review import words_for
from hastilude.terminal.screens.scene import SceneScreen

LAST = ("t", "last")


class ReplayScreen(SceneScreen):
    scene: ReplayScene

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "next", show=False),
        Binding("left,backspace", "back", show=False),
        Binding("home", "first", show=False),
        Binding("end", "end", show=False),
        Binding("s", "seat", show=False),
        Binding("n", "match", show=False),
        Binding("q,escape", "leave", show=False),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("Right", "next"),
        ("Left", "back"),
        ("s", "seat"),
        LAST,
        ("e", "history"),
        ("r", "rules"),
        ("?", "help"),
        ("q", "leave"),
    ]

    def all_keys(self) -> list[tuple[str, str]]:
        return [*super().all_keys(), ("Home", "first"), ("End", "end"), ("n", "match")]

    def __init__(
        self,
        records: Sequence[Record],
        number: int,
        seat: int | None,
        language: str,
        reader: int | None = None,
    ) -> None:
        super().__init__(ReplayScene(records[number]), language, reader)
        self.records = records
        self.number = number
        self.seat = seat

    def compose_choices(self) -> ComposeResult:
        yield Static(id="hand", markup=False)

    def on_mount(self) -> None:
        self.go(0)

    def go(self, move: int) -> None:
        self.scene.go(move)
        self.draw(self.scene.news(self.seat))
        viewer = self.voice("terminal_spectator")
        if self.seat is not None:
            viewer = self.voice.name(self.seat)
        values = {"step": self.scene.move, "steps": self.scene.moves, "viewer": viewer}
        self.prompt(self.voice("terminal_replay", **values), asks=False)
        view = self.scene.view(self.seat)
        hand = self.drawing.hand_line(view, self.voice) if self.seat is not None else ""
        self.query_one("#hand", Static).update(hand)

    def action_next(self) -> None:
        self.go(self.scene.move + 1)

    def action_back(self) -> None:
        self.go(self.scene.move - 1)

    def action_first(self) -> None:
        self.go(0)

    def action_end(self) -> None:
        self.go(self.scene.moves)

    def action_seat(self) -> None:
        seats = [None, *range(self.scene.game.seats)]
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
        self.go(self.scene.move)

    def action_match(self) -> None:
        self.app.switch_screen(self.screen_of((self.number + 1) % len(self.records)))

    def screen_of(self, number: int) -> ReplayScreen:
        """The screen of another match."""
        return ReplayScreen(self.records, number, self.seat, self.voice.language)

    def action_leave(self) -> None:
        self.app.exit()


class ReviewScreen(ReplayScreen):
    """A replay with the marks of a seat's review, one review per record."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("m", "mark", show=False)]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("m", "mark"),
        *(key for key in ReplayScreen.KEYS if key != LAST),  # there is no room for it
    ]

    def __init__(
        self,
        records: Sequence[Record],
        reviews: Sequence[Review],
        number: int,
        seat: int | None,
        language: str,
    ) -> None:
        super().__init__(records, number, seat, language, reader=reviews[number].seat)
        self.reviews = reviews
        self.comments = comments(records[number], reviews[number], language)

    def all_keys(self) -> list[tuple[str, str]]:
        return [*super().all_keys(), LAST]

    def screen_of(self, number: int) -> ReplayScreen:
        language = self.voice.language
        return ReviewScreen(self.records, self.reviews, number, self.seat, language)

    def go(self, move: int) -> None:
        super().go(move)
        self.notice("\n ".join(self.comments.get(self.scene.move, ())))

    def action_mark(self) -> None:
        """Go to the next mark; after the last one, to the first."""
        later = [move for move in self.comments if move > self.scene.move]
        if self.comments:
            self.go(min(later or self.comments))


def comments(record: Record, review: Review, language: str) -> dict[int, list[str]]:
    """What the review says about marked decisions, by the number of moves with them."""
    words = words_for(record, review.seat, language, drawn=True)
    found = {}
    for decision in marked(review):
        made = words.match.steps[: made_at(decision, review.seat, words.match)]
        found[sum(isinstance(step, Play) for step in made)] = words.comment(decision)
    return found
