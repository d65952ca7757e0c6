"""TriATri's table in the terminal: gems of the supply and the players, cards with their worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from rich.text import Text

from hastilude.core.events import Event
from hastilude.games.triatri.events import GemFromSupply, GemOfOwn, RoundBegan
from hastilude.games.triatri.notation import COLOUR_LETTERS, EXCHANGE_TEXT, GEM_TEXTS
from hastilude.games.triatri.view import Tally, Trick, View
from hastilude.messages import Message
from hastilude.terminal import drawing
from hastilude.terminal.drawing import (
    BACK,
    BLUE,
    GREEN,
    RED,
    RIGHT,
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

    def score(self, view: View, events: Sequence[Event], seat: int) -> Breakdown:
        """A14: the parts with the current supply, and what has changed the sum."""
        changes = [
            Message(
                "score_change",
                {
                    "cause": Message(event.key, event.values),
                    "before": before[seat],
                    "after": after[seat],
                },
                event.clause,
            )
            for event, before, after in changes_of(events)
            if after[seat] != before[seat]
        ]
        total = ScorePart(Message("score_total"), view.scores[seat])
        return Breakdown(parts_of(view.tallies[seat]), total, changes[::-1])

    def sheet(self, view: View, events: Sequence[Event], voice: Voice) -> Sheet:
        """Every trick with its gem, its winner and the scores after it; then how the last ones add
        up."""
        tallies = view.tallies
        ends = {
            "sets": [tally.set_points for tally in tallies],
            "pairs": [tally.pair_points for tally in tallies],
            "left": [tally.left_points for tally in tallies],
        }
        return Sheet(
            (voice("triatri_sheet_trick"), voice("triatri_gem"), *voice.names[: view.players]),
            [
                *trick_rows(events, voice),
                *(
                    (voice(f"triatri_sheet_{name}"), "", *map(str, points))
                    for name, points in ends.items()
                ),
            ],
            (voice("score_total"), "", *map(str, view.scores)),
        )

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


def parts_of(tally: Tally) -> list[ScorePart]:
    supply = {"left": tally.left, "gem": tally.left_gem, "supply": tally.each}
    parts: list[tuple[str, dict[str, Any], int, Any]] = [
        ("none", {}, 0, not tally.gems),
        ("sets", {"sets": tally.sets}, tally.set_points, tally.sets),
        ("pairs", {"pairs": tally.pairs}, tally.pair_points, tally.pairs),
        ("left", supply, tally.left_points, tally.left),
    ]
    return [
        ScorePart(Message(f"triatri_score_{name}", values, "A14"), points)
        for name, values, points, there in parts
        if there
    ]


Scores: TypeAlias = tuple[int, ...]


def changes_of(events: Sequence[Event]) -> list[tuple[Event, Scores, Scores]]:
    """The events that move a gem, with all scores before and after."""
    return [
        (event, event.values["scores_before"], event.values["scores"])
        for event in events
        if "scores_before" in event.values
    ]


def trick_rows(events: Sequence[Event], voice: Voice) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    round, number, own = 0, 0, False
    for event in events:
        if isinstance(event, RoundBegan):
            round, number = event.round, 0
        elif isinstance(event, (GemFromSupply, GemOfOwn)):
            own = isinstance(event, GemOfOwn)
        elif event.ends == "trick":
            number += 1
            gem, winner, scores = (event.values[name] for name in ("gem", "seat", "scores"))
            name = voice("triatri_sheet_own", gem=gem) if own else voice(f"triatri_gem_{gem}")
            shown = [
                f"{RIGHT} {score}" if seat == winner else str(score)
                for seat, score in enumerate(scores)
            ]
            rows.append((f"{round}.{number}", name, *shown))
    return rows


def colours(gems: dict[str, int]) -> dict[str, int]:
    return {"red": gems["R"], "blue": gems["B"], "green": gems["G"]}
