"""TriATri's table in the terminal: gems of the supply and the players, cards with their worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.text import Text

from hastilude.games.triatri.notation import COLOUR_LETTERS, EXCHANGE_TEXT, GEM_TEXTS
from hastilude.games.triatri.view import Trick, View
from hastilude.messages import Message
from hastilude.terminal import drawing
from hastilude.terminal.drawing import (
    BACK,
    BLUE,
    GREEN,
    RED,
    Face,
    line,
    right,
    row_head,
    shaped,
)
from hastilude.terminal.voice import Voice

NAME, GEM, POINTS, CARDS, BID, CARD, WORTH, NOTE = 19, 5, 8, 7, 7, 6, 8, 10


class Drawing(drawing.Drawing):
    faces: ClassVar[Mapping[str, Face]] = {
        "R": shaped(RED, "▴"),
        "B": shaped(BLUE, "≋"),
        "G": shaped(GREEN, "↟"),
        EXCHANGE_TEXT: Face("♦", "white", "#5a5a66"),
    }

    def face(self, text: str) -> Face:
        return super().face(text.rpartition(":")[2])

    def label(self, text: str, voice: Voice) -> str:
        source, colon, colour = text.rpartition(":")
        if not colon:
            return super().label(text, voice)
        return f"{voice(f'triatri_from_{source}')} {self.face(colour).shape}{colour}"

    def heading(self, view: View, voice: Voice) -> str:
        return voice("triatri_heading", round=view.round, trick=view.trick)

    def choices(self, view: View, legal: Sequence[str]) -> tuple[str, ...]:
        """The hand; the gems, if a gem must be chosen (A6)."""
        names_gem = view.phase == "name" and view.viewer in view.pending
        return GEM_TEXTS if names_gem else view.hand

    def lines(self, view: View, voice: Voice, width: int) -> list[Text]:
        rows = [self.middle(view, voice), self.circle(view, voice), Text(), self.head_line(voice)]
        rows += [self.player_line(view, seat, voice) for seat in range(view.players)]
        if view.phase == "name" and view.viewer in view.pending:
            rows += [Text(), self.hand_line(view, voice)]
        return rows

    def middle(self, view: View, voice: Voice) -> Text:
        """The supply, and the gem of the trick."""
        row = Text(f"  {voice('triatri_supply')}  ")
        row.append_text(self.gems(view.supply, gap="  "))
        trick = view.table or view.last_trick
        if trick and trick.gem:
            face = self.face(trick.gem)
            row.append(f"     {voice('triatri_gem')} ")
            row.append(f" {face.shape}{trick.gem} ", face.chip)
            row.append(f" {voice(f'triatri_of_{trick.source}', seat=trick.start)}")
        return row

    def circle(self, view: View, voice: Voice) -> Text:
        """Which colour beats which (A4)."""
        sentences = [
            voice(
                "triatri_circle", first=self.label(first, voice), second=self.label(second, voice)
            )
            for first, second in view.beats.items()
        ]
        return Text(f"  {'   '.join(sentences)}", "dim")

    def gems(self, gems: dict[str, int], gap: str = " ") -> Text:
        row = Text()
        for colour in COLOUR_LETTERS:
            face = self.face(colour)
            style = face.chip if gems[colour] else "dim"
            row.append(f"{face.shape}{colour}{gems[colour]}", style)
            row.append(gap)
        return row

    def head_line(self, voice: Voice) -> Text:
        return line(
            ("", NAME),
            (voice("triatri_gems"), 3 * GEM),
            (right(voice("terminal_points"), POINTS - 2), POINTS),
            (right(voice("terminal_cards"), CARDS - 2), CARDS),
            (voice("triatri_bid"), BID),
            (voice("triatri_card"), CARD),
            (right(voice("triatri_worth"), WORTH - 2), WORTH),
            style="dim",
        )

    def player_line(self, view: View, seat: int, voice: Voice) -> Text:
        trick = self.shown_trick(view)
        lying = trick.lies[seat] if trick else None
        worth, factor = "", ""
        if lying:
            worth = str(lying.worth)
            factor = f"x{lying.factor}" if lying.factor > 1 else ""
        return line(
            row_head(view, seat, voice, NAME),
            (self.gems(view.gems[seat], gap="  "), 3 * GEM),
            (self.points(view, seat), POINTS),
            (right(str(view.hand_sizes[seat]), CARDS - 2), CARDS),
            (self.bid(view, seat, voice), BID),
            (self.card(lying.card, voice) if lying else Text(), CARD),
            (right(worth, WORTH - 5), WORTH - 5),
            (Text(f" {factor}", "bold"), 5),
            (self.note(view, trick, seat, voice), NOTE),
        )

    def points(self, view: View, seat: int) -> Text:
        """The current points; those of the seats that are ahead are emphasized."""
        style = "bold underline" if seat in view.ahead else ""
        return right(str(view.scores[seat]), POINTS - 2, style)

    def shown_trick(self, view: View) -> Trick | None:
        """The current trick; the finished one until the next has a gem."""
        if view.phase == "bid":
            return None
        begun = view.table and view.table.gem
        return view.table if begun else view.last_trick

    def bid(self, view: View, seat: int, voice: Voice) -> Text:
        if view.phase == "bid":
            if seat == view.viewer and view.bid:
                return self.card(view.bid, voice)
            return Text(BACK, "reverse") if view.has_bid[seat] else Text()
        return Text(view.bids[-1][seat], "dim") if view.bids else Text()

    def note(self, view: View, trick: Trick | None, seat: int, voice: Voice) -> Text:
        if trick and trick.winner == seat:
            return Text(voice("triatri_wins"), "bold")
        if trick and trick.played[seat] == EXCHANGE_TEXT:
            return Text(voice("triatri_exchange"))
        if trick and trick.winner is None and trick.start == seat:
            return Text(voice("triatri_starts"), "dim")
        return Text()

    def words(self, view: View) -> list[Message]:
        sentences = [Message("triatri_in_supply", colours(view.supply))]
        for seat in range(view.players):
            values = {"seat": seat, "score": view.scores[seat], **colours(view.gems[seat])}
            sentences.append(Message("triatri_owns", values))
        trick = view.table
        if trick and trick.gem:
            sentences.append(Message("triatri_at_stake", {"gem": trick.gem}))
        for seat, lying in enumerate(trick.lies if trick else ()):
            if lying:
                sentences.append(
                    Message(
                        "triatri_lies", {"seat": seat, "card": lying.card, "worth": lying.worth}
                    )
                )
        return sentences


def colours(gems: dict[str, int]) -> dict[str, int]:
    return {"red": gems["R"], "blue": gems["B"], "green": gems["G"]}
