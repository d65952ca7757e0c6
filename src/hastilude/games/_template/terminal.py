"""Template's table in the terminal: one line per seat, with its score and its card."""

from __future__ import annotations

from rich.text import Text

from hastilude.games._template.view import View
from hastilude.messages import Message
from hastilude.terminal import drawing
from hastilude.terminal.drawing import BACK, line, right, row_head
from hastilude.terminal.voice import Voice

NAME, SCORE, CARD = 19, 8, 8


class Drawing(drawing.Drawing):
    def heading(self, view: View, voice: Voice) -> str:
        return voice("_template_heading", trick=min(len(view.tricks) + 1, 2))

    def lines(self, view: View, voice: Voice, width: int) -> list[Text]:
        head = line(("", NAME), (right(voice("terminal_points"), SCORE - 2), SCORE), style="dim")
        return [head, *(self.seat_line(view, seat, voice) for seat in range(len(view.scores)))]

    def seat_line(self, view: View, seat: int, voice: Voice) -> Text:
        return line(
            row_head(view, seat, voice, NAME),
            (right(str(view.scores[seat]), SCORE - 2), SCORE),
            (self.lying(view, seat, voice), CARD),
        )

    def lying(self, view: View, seat: int, voice: Voice) -> Text:
        """The card in front of a seat: of this trick, or of the last until somebody has chosen."""
        if any(view.chosen):
            own = view.choice if seat == view.viewer else None
            hidden = Text(BACK, "reverse") if view.chosen[seat] else Text()
            return self.card(own, voice) if own else hidden
        return self.card(view.tricks[-1][seat], voice) if view.tricks else Text()

    def words(self, view: View) -> list[Message]:
        said = super().words(view)
        for seat, chosen in enumerate(view.chosen):
            if chosen:
                said.append(Message("_template_chosen", {"seat": seat}))
        return said
