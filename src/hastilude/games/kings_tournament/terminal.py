"""King's Tournament's table in the terminal: the knights, the line or the melee, used cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.text import Text

from hastilude.core.events import Event
from hastilude.games.kings_tournament.events import GameDrawn, GameWon
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.view import Joust, Pair, Turn, View
from hastilude.messages import Message
from hastilude.terminal import drawing
from hastilude.terminal.drawing import (
    BACK,
    BLUE,
    RED,
    RIGHT,
    TURN,
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

SEATS = (0, 1)
PAPERS = (RED, BLUE)  # K1: seat 0 is Red, seat 1 Blue
HALF, LABEL, CARD, WORTHS, MARGIN, NOTE = 40, 12, 8, 12, 14, 26
COUNT, COUNTED = 4, 26
TURNS = 5
MOUNTED, STANDING = "♞", "♟"


class Drawing(drawing.Drawing):
    faces: ClassVar[Mapping[str, Face]] = {
        "D": shaped(YELLOW, "⚔"),
        "B": Face("♜", "white", "#5a5a66"),
    }

    def owned(self, card: str | None, seat: int) -> Text:
        """A card in its owner's colour."""
        if card is None:
            return Text()
        return Text(f" {self.face(card).shape}{card} ", PAPERS[seat].chip)

    def heading(self, view: View, voice: Voice) -> str:
        part = "melee" if view.phase in ("lead", "answer", "over") else "joust"
        return voice(f"kings_tournament_heading_{part}", game=view.game, best_of=view.best_of)

    def lines(self, view: View, voice: Voice, width: int) -> list[Text]:
        return [*self.knights(view, voice), *self.fight(view, voice), *self.counted(view, voice)]

    # --- the knights ----------------------------------------------------------------------------

    def knights(self, view: View, voice: Voice) -> list[Text]:
        names = [(self.knight(view, seat, voice), HALF) for seat in SEATS]
        piles = [(f"  {self.piles(view, seat, voice)}", HALF) for seat in SEATS]
        return [line(*names), line(*piles)]

    def piles(self, view: View, seat: int, voice: Voice) -> str:
        won, deck, hand = view.scores[seat], view.deck_sizes[seat], view.hand_sizes[seat]
        return voice("kings_tournament_piles", won=won, deck=deck, hand=hand)

    def knight(self, view: View, seat: int, voice: Voice) -> Text:
        head, _ = row_head(view, seat, voice)
        state = "mounted" if view.mounted[seat] else "standing"
        sign = MOUNTED if view.mounted[seat] else STANDING
        head.append("  ")
        head.append(f" {sign} {voice(f'kings_tournament_{state}')} ", PAPERS[seat].chip)
        if view.chosen[seat]:
            head.append(f"  {voice('kings_tournament_is_ready')}", "italic")
        return head

    # --- what faces each other ------------------------------------------------------------------

    def fight(self, view: View, voice: Voice) -> list[Text]:
        """The current joust or melee, or the last one until the next begins."""
        begun = any(view.choice) or any(view.chosen) or any(view.aside)
        if view.phase in ("joust", "discard", "beat") and (begun or not view.last_joust):
            return [self.fight_head(voice), *self.line_rows(view, voice)]
        if view.led or view.turns or view.last == "turn":
            return [self.fight_head(voice), *self.melee_rows(view, voice)]
        if view.last_joust:
            return [self.fight_head(voice), *self.joust_rows(view.last_joust, voice)]
        return []

    def fight_head(self, voice: Voice) -> Text:
        names = [(voice.name(seat), CARD) for seat in SEATS]
        return line(("", LABEL), *names, style="dim")

    def line_rows(self, view: View, voice: Voice) -> list[Text]:
        """The current line: its revealed cards, and the viewer's own choice."""
        rows = []
        for beat in range(3):
            cards = [(self.line_card(view, seat, beat), CARD) for seat in SEATS]
            rows.append(line((self.beat(beat, voice), LABEL), *cards))
        put_aside = [*view.aside]
        if view.phase == "discard" and view.viewer is not None:
            put_aside[view.viewer] = view.choice
        if any(put_aside):
            label = voice("kings_tournament_aside")
            shown = [(" ".join(cards), CARD) for cards in put_aside]
            rows.append(line((f"  {label}", LABEL), *shown))
        return rows

    def line_card(self, view: View, seat: int, beat: int) -> Text:
        open_cards = view.line[seat]
        if beat < len(open_cards):
            return self.owned(open_cards[beat], seat)
        chosen = view.choice if seat == view.viewer and view.phase != "discard" else ()
        first = len(open_cards) if view.phase == "beat" else 0
        if 0 <= beat - first < len(chosen):
            return self.owned(chosen[beat - first], seat)
        hidden = view.chosen[seat] and (view.phase == "joust" or beat == first)
        return Text(f" {BACK} ", PAPERS[seat].chip) if hidden else Text(" .", "dim")

    def joust_rows(self, joust: Joust, voice: Voice) -> list[Text]:
        rows = []
        for beat, pair in enumerate(joust.pairs):
            note = voice("kings_tournament_decides") if joust.fates[beat] == "decides" else ""
            rows.append(self.pair_row(self.beat(beat, voice), pair, note, voice))
        return rows

    def melee_rows(self, view: View, voice: Voice) -> list[Text]:
        turns: Sequence[Turn] = view.turns
        if not turns and view.last_turn and view.last == "turn":
            turns = [view.last_turn]
        rows = [
            self.pair_row(
                self.turn_label(turn.leader, voice), turn.pair, hit_note(turn, voice), voice
            )
            for turn in turns
        ]
        if view.led and view.leader is not None:
            cards = [
                (self.owned(view.led if seat == view.leader else None, seat), CARD)
                for seat in SEATS
            ]
            rows.append(line((self.turn_label(view.leader, voice), LABEL), *cards))
        return rows[-TURNS:]

    def pair_row(self, label: str, pair: Pair, note: str, voice: Voice) -> Text:
        cards = [(self.owned(pair.cards[seat], seat), CARD) for seat in SEATS]
        tie = pair.winner is None
        worths = voice("kings_tournament_tie") if tie else f"{pair.worths[0]} : {pair.worths[1]}"
        margin = "" if tie else voice("kings_tournament_margin", margin=pair.margin)
        return line(
            (label, LABEL), *cards, (worths, WORTHS), (margin, MARGIN), (Text(note, "bold"), NOTE)
        )

    def beat(self, beat: int, voice: Voice) -> str:
        return f"  {voice(f'kings_tournament_beat_{beat + 1}')}"

    def turn_label(self, leader: int, voice: Voice) -> str:
        return f"  {voice.name(leader)} {TURN}"

    # --- the cards that are gone, and those still to come ----------------------------------------

    def counted(self, view: View, voice: Voice) -> list[Text]:
        kinds = [(right(kind, COUNT), COUNT) for kind in CARD_TEXTS]
        rows = [line(("", COUNTED), *kinds, style="dim")]
        for seat in SEATS:
            rows.append(count_row("kings_tournament_discards", view.discards[seat], seat, voice))
            rows.append(count_row("kings_tournament_unseen", view.unseen[seat], seat, voice))
        return rows

    def score(self, view: View, events: Sequence[Event], seat: int) -> Breakdown:
        """K14: the games, with who was unhorsed and the hits (K8, K12)."""
        told = [
            score_message("won", event.values, "K12")
            if isinstance(event, GameWon)
            else score_message("drawn", event.values, "K16")
            for event in games_of(events)
        ]
        if view.phase != "over":
            values = {
                "game": view.game,
                "jousts": view.jousts,
                "unhorsed": view.unhorsed,
                "hits": view.hits,
            }
            name, clause = ("joust", "K8") if view.unhorsed is None else ("melee", "K12")
            told.append(score_message(name, values, clause))
        total = score_message("total", {"to_win": view.to_win}, "K14")
        return Breakdown(
            [ScorePart(part, None) for part in told], ScorePart(total, view.scores[seat])
        )

    def sheet(self, view: View, events: Sequence[Event], voice: Voice) -> Sheet:
        return Sheet(
            (
                voice("kings_tournament_sheet_game"),
                voice("kings_tournament_sheet_unhorsed"),
                *voice.names[: len(SEATS)],
            ),
            [game_row(event, voice) for event in games_of(events)],
            (voice("score_total"), "", *map(str, view.scores)),
        )

    def words(self, view: View) -> list[Message]:
        sentences = [
            Message(
                f"kings_tournament_{'rides' if view.mounted[seat] else 'stands'}",
                {
                    "seat": seat,
                    "won": view.scores[seat],
                    "deck": view.deck_sizes[seat],
                    "cards": view.hand_sizes[seat],
                    "discards": view.discards[seat],
                },
            )
            for seat in SEATS
        ]
        if view.led and view.leader is not None:
            sentences.append(
                Message("kings_tournament_led", {"seat": view.leader, "card": view.led})
            )
        if view.choice:
            sentences.append(Message("kings_tournament_choice", {"cards": view.choice}))
        return sentences


def games_of(events: Sequence[Event]) -> list[GameWon | GameDrawn]:
    return [event for event in events if isinstance(event, (GameWon, GameDrawn))]


def score_message(name: str, values: Mapping[str, Any], clause: str) -> Message:
    return Message(f"kings_tournament_score_{name}", values, clause)


def game_row(event: GameWon | GameDrawn, voice: Voice) -> tuple[str, ...]:
    unhorsed = ""
    if event.unhorsed is not None:
        values = {"unhorsed": event.unhorsed, "jousts": event.jousts}
        unhorsed = voice("kings_tournament_sheet_joust", **values)
    winner = event.winner if isinstance(event, GameWon) else None
    hits = [
        f"{RIGHT} {hits}" if seat == winner else str(hits) for seat, hits in enumerate(event.hits)
    ]
    return str(event.game), unhorsed, *hits


def hit_note(turn: Turn, voice: Voice) -> str:
    return voice("kings_tournament_blow") if turn.pair.hit else ""


def count_row(key: str, cards: Sequence[str], seat: int, voice: Voice) -> Text:
    counts = [cards.count(kind) for kind in CARD_TEXTS]
    shown = [(right(str(count or "."), COUNT), COUNT) for count in counts]
    return line((f"  {voice(key, seat=seat)}", COUNTED), *shown)
