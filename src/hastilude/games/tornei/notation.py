"""Tornei: how cards are written (T1)."""

from hastilude.games.tornei.rules import RANKS

SUIT_LETTERS = ("C", "S", "F", "W")  # weakest first, as cards are numbered

CARD_TEXTS = tuple(f"{suit}{rank}" for suit in SUIT_LETTERS for rank in range(1, RANKS + 1))


def card_text(card: int) -> str | None:
    """The text of a card, None for no card or a hidden one."""
    return CARD_TEXTS[card] if card >= 0 else None
