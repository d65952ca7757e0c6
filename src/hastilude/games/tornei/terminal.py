"""Tornei's table in the terminal: boards with predictions, joust cards, the dummy's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.text import Text

from hastilude.core.events import Event
from hastilude.games.tornei.events import Scored
from hastilude.games.tornei.view import Trick, View
from hastilude.messages import Message
from hastilude.terminal import drawing
from hastilude.terminal.drawing import (
    BACK,
    BLUE,
    GREEN,
    RED,
    RIGHT,
    WRONG,
    YELLOW,
    Breakdown,
    Face,
    ScorePart,
    Sheet,
    line,
    right,
    row_head,
    shaped,
)
from hastilude.terminal.voice import Voice

NAME, POINTS, TRICKS, MARK, PLACE, PLAYED, PREDICTED = 19, 7, 7, 2, 8, 7, 6


class Drawing(drawing.Drawing):
    faces: ClassVar[Mapping[str, Face]] = {
        "W": shaped(YELLOW, "✦"),
        "F": shaped(BLUE, "⚜"),
        "S": shaped(GREEN, "☘"),
        "C": shaped(RED, "✚"),
    }

    def heading(self, view: View, voice: Voice) -> str:
        return voice("tornei_heading", round=view.round, rounds=view.players, trick=view.trick)

    def lines(self, view: View, voice: Voice, width: int) -> list[Text]:
        rows = [self.head_line(view, voice)]
        for seat in range(view.players):
            rows += self.board_lines(view, seat, voice)
        if view.dummy:
            rows += self.dummy_lines(view, voice)
        return rows

    def head_line(self, view: View, voice: Voice) -> Text:
        places = [
            (Text(f"{self.faces[suit].shape}{suit} {voice(f'tornei_place_{place}')}"), PLACE)
            for suit, place in view.suit_places.items()
        ]
        return line(
            ("", NAME),
            (right(voice("terminal_points"), POINTS), POINTS),
            (right(voice("tornei_tricks_column"), TRICKS), TRICKS),
            ("", MARK),
            *places,
            (voice("tornei_joust"), PLAYED),
            (voice("tornei_prediction"), PREDICTED),
            style="dim",
        )

    def board_lines(self, view: View, seat: int, voice: Voice) -> list[Text]:
        """Right predictions above, wrong ones below (T10)."""
        board = view.boards[seat]
        joust, prediction = self.on_table(view, seat, voice)
        place, outcome = self.outcome(view, seat, voice)
        above = line(
            row_head(view, seat, voice, NAME),
            (self.points(view, seat), POINTS),
            (right(str(board.tricks), TRICKS - 1), TRICKS),
            (Text(RIGHT, "bold green" if board.right else "dim"), MARK),
            *self.by_place(view, board.right),
            (joust, PLAYED),
            (prediction, PREDICTED),
        )
        below = line(
            (Text(f"  {self.role(view, seat, voice)}", "dim"), NAME + POINTS + TRICKS),
            (Text(WRONG, "bold red" if board.wrong else "dim"), MARK),
            *self.by_place(view, board.wrong),
            (place, PLAYED),
            (outcome, PREDICTED),
        )
        return [above, below]

    def points(self, view: View, seat: int) -> Text:
        """The points of the finished rounds, and for predictions of this round (T12); the highest
        are emphasized."""
        shown = str(view.scores[seat])
        if view.phase != "over":
            shown += f" +{view.boards[seat].points}"
        return right(shown, POINTS, "bold underline" if seat in view.ahead else "")

    def by_place(self, view: View, cards: Sequence[str]) -> list[tuple[Text, int]]:
        """The numbers of the cards by place; each column is a suit."""
        return [
            (Text(" ".join(card[1:] for card in cards if card[0] == suit)), PLACE)
            for suit in view.suit_places
        ]

    def role(self, view: View, seat: int, voice: Voice) -> str:
        roles = [("tornei_deals", view.dealer), ("tornei_leads", view.leader)]
        return " ".join(voice(key) for key, who in roles if who == seat and view.phase != "over")

    def shown_trick(self, view: View) -> Trick | None:
        """The finished trick, until the next one is led."""
        return None if any(view.jousts) or any(view.predicted) else view.last_trick

    def on_table(self, view: View, seat: int, voice: Voice) -> tuple[Text, Text]:
        trick = self.shown_trick(view)
        joust = trick.jousts[seat] if trick else view.jousts[seat]
        prediction = view.prediction if seat == view.viewer else None
        if trick and seat < view.players:
            prediction = trick.predictions[seat]
        shown = self.card(prediction, voice) if prediction else Text()
        if not prediction and seat < view.players and view.predicted[seat]:
            shown = Text(BACK, "reverse")
        return self.card(joust, voice) if joust else Text(), shown

    def outcome(self, view: View, seat: int, voice: Voice) -> tuple[Text, Text]:
        """The place of a seat in a finished trick, and whether it was predicted."""
        trick = self.shown_trick(view)
        if not trick:
            return Text(), Text()
        place = trick.places[seat]
        text = Text(voice(f"tornei_place_{place}"), "bold" if place == 1 else "")
        if seat >= view.players:
            return text, Text()
        return text, Text(RIGHT, "bold green") if trick.right[seat] else Text(WRONG, "bold red")

    def dummy_lines(self, view: View, voice: Voice) -> list[Text]:
        """The columns, each with its top card last, and the cards turned up from the pile."""
        dummy, seat = view.dummy, view.players
        assert dummy
        columns = [
            (column_text([card[1:] for card in column]), PLACE) for column in dummy.columns.values()
        ]
        joust, _ = self.on_table(view, seat, voice)
        place, _ = self.outcome(view, seat, voice)
        name = row_head(view, seat, voice, NAME + POINTS + TRICKS + MARK)
        turned = voice("tornei_pile", cards=dummy.pile)
        width = NAME + POINTS + TRICKS + MARK + 4 * PLACE
        return [
            line(name, *columns, (joust, PLAYED)),
            line((Text(f"  {turned}", "dim"), width), (place, PLAYED)),
        ]

    def score(self, view: View, events: Sequence[Event], seat: int) -> Breakdown:
        """T12: the finished rounds, then this one so far."""
        parts = [
            ScorePart(Message("tornei_score_round", event.values, "T12"), event.points)
            for event in rounds_of(events)
            if event.seat == seat
        ]
        if view.phase == "over":
            return Breakdown(parts, ScorePart(Message("score_total"), view.scores[seat]))
        board = view.boards[seat]
        right, tricks = {"right": board.right}, {"tricks": board.tricks}
        parts += [
            ScorePart(Message("tornei_score_predictions", right, "T12"), board.points),
            ScorePart(Message("tornei_score_tricks", tricks, "T12"), board.trick_points),
        ]
        return Breakdown(parts, ScorePart(Message("tornei_score_now"), board.total))

    def sheet(self, view: View, events: Sequence[Event], voice: Voice) -> Sheet:
        rows: dict[int, list[str]] = {}
        for event in rounds_of(events):
            cell = f"{event.points} ({event.predictions}+{event.trick_points})"
            rows.setdefault(event.round, [str(event.round)]).append(cell)
        return Sheet(
            (voice("tornei_sheet_round"), *voice.names[: view.players]),
            list(rows.values()),
            (voice("score_total"), *map(str, view.scores)),
        )

    def words(self, view: View) -> list[Message]:
        sentences = [
            Message(
                "tornei_board",
                {
                    "seat": seat,
                    "score": view.scores[seat],
                    "points": board.points,
                    "tricks": board.tricks,
                    "right": board.right,
                    "wrong": board.wrong,
                },
            )
            for seat, board in enumerate(view.boards)
        ]
        for seat, joust in enumerate(view.jousts):
            if joust:
                sentences.append(Message("tornei_lies", {"seat": seat, "card": joust}))
        for seat, predicted in enumerate(view.predicted):
            if predicted:
                sentences.append(Message("tornei_predicted", {"seat": seat}))
        if view.dummy:
            cards = [card for column in view.dummy.columns.values() for card in column]
            sentences.append(Message("tornei_dummy_columns", {"cards": cards}))
            sentences.append(Message("tornei_dummy_pile", {"cards": view.dummy.pile}))
        return sentences


def rounds_of(events: Sequence[Event]) -> list[Scored]:
    return [event for event in events if isinstance(event, Scored)]


def column_text(numbers: Sequence[str]) -> Text:
    text = Text(" ".join(numbers[:-1]))
    if numbers:
        text.append(" " if len(numbers) > 1 else "")
        text.append(numbers[-1], "bold underline")
    return text
