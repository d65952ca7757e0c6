"""The screen of a replay: a record, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from hastilude.core.record import Record
from hastilude.terminal.replay_scene import ReplayScene
from hastilude.terminal.screens.scene import SceneScreen


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
        ("t", "last"),
        ("e", "history"),
        ("r", "rules"),
        ("?", "help"),
        ("q", "leave"),
    ]

    def all_keys(self) -> list[tuple[str, str]]:
        return [*super().all_keys(), ("Home", "first"), ("End", "end"), ("n", "match")]

    def __init__(
        self, records: Sequence[Record], number: int, seat: int | None, language: str
    ) -> None:
        super().__init__(ReplayScene(records[number]), language)
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
        number = (self.number + 1) % len(self.records)
        seat = self.seat
        self.app.switch_screen(ReplayScreen(self.records, number, seat, self.voice.language))

    def action_leave(self) -> None:
        self.app.exit()
