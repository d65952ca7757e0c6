"""Template: how cards are written."""

from hastilude.games._template.rules import CARDS

CARD_TEXTS = tuple(str(card + 1) for card in range(CARDS))


def card_text(card: int) -> str | None:
    """The text of a card, None for no card or a hidden one."""
    return CARD_TEXTS[card] if card >= 0 else None
