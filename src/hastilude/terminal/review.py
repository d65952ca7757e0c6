"""Reviews in the words of a game's table."""

from __future__ import annotations

from functools import partial

from hastilude.core.record import Record
from hastilude.games.registry import replay
from hastilude.reviews.words import Words
from hastilude.terminal.drawing import drawing_of
from hastilude.terminal.voice import Voice


def words_for(record: Record, seat: int, language: str, drawn: bool) -> Words:
    """Says the review of a seat. If it is `drawn`, actions are called as on their cards, otherwise
    as they are typed."""
    match = replay(record)
    drawing = drawing_of(match.game)
    voice = Voice(language, match.game.names(language, record.names or ()))

    def place(step: int) -> str:
        return drawing.heading(replay(record, upto=step).view(seat), voice)

    name = partial(drawing.label, voice=voice) if drawn else str
    return Words(match, seat, language, voice.names, name, place)
