"""King's Tournament: how cards are written (K1)."""

from functools import cache

from hastilude.games.kings_tournament.cards import KINDS, VALUES, WIDTH

CARD_TEXTS = (*(str(value) for value in range(1, VALUES + 1)), "D", "B")
CHUNK = 4  # kinds


def card_texts(cards: list[int]) -> tuple[str, ...]:
    """The texts of cards in their order; blanks are left out."""
    return tuple(CARD_TEXTS[card] for card in cards if card >= 0)


def pile_texts(pile: int) -> tuple[str, ...]:
    """The cards of a pile, sorted: 1 to 10, D, B."""
    chunk = (1 << WIDTH * CHUNK) - 1
    texts: tuple[str, ...] = ()
    for first in range(0, KINDS, CHUNK):
        texts += _chunk_texts(first, pile >> WIDTH * first & chunk)
    return texts


@cache
def _chunk_texts(first: int, counts: int) -> tuple[str, ...]:
    """The cards of CHUNK kinds; every view tells ten piles, but few chunks are ever different."""
    most = (1 << WIDTH) - 1
    return tuple(
        CARD_TEXTS[first + kind]
        for kind in range(CHUNK)
        for _ in range(counts >> WIDTH * kind & most)
    )


def pile_of(cards: list[int]) -> int:
    """The pile of some cards; blanks are left out."""
    return sum(1 << WIDTH * card for card in cards if card >= 0)
