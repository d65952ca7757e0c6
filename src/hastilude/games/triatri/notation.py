"""TriATri: how cards, colours and gems are written (A2)."""

from functools import lru_cache

from hastilude.core.bits import numbers
from hastilude.games.triatri.rules import EXCHANGE, LOWEST, NUMBERS

COLOUR_LETTERS = ("R", "B", "G")  # as colours are numbered
EXCHANGE_TEXT = "X"
SOURCES = ("supply", "own")  # where the gem of a trick comes from (A6)

CARD_TEXTS = (
    *(f"{c}{n}" for c in COLOUR_LETTERS for n in range(LOWEST, LOWEST + NUMBERS)),
    EXCHANGE_TEXT,
)
GEM_TEXTS = tuple(f"{source}:{colour}" for source in SOURCES for colour in COLOUR_LETTERS)
ACTION_TEXTS = CARD_TEXTS + GEM_TEXTS


def card_text(card: int) -> str | None:
    """The text of a card, None for no card or a hidden one."""
    return CARD_TEXTS[card] if card >= 0 else None


def colour_text(colour: int) -> str | None:
    return COLOUR_LETTERS[colour] if colour >= 0 else None


@lru_cache(maxsize=4096)  # every view shows the hand and the known cards of each seat
def hand_texts(hand: int) -> tuple[str, ...]:
    """A set of cards by colour and number, exchange cards last."""
    return tuple(CARD_TEXTS[min(card, EXCHANGE)] for card in numbers(hand))
