"""King's Tournament: how cards are written (K1)."""

from functools import cache, lru_cache

from hastilude.games.kings_tournament.cards import KINDS, VALUES, WIDTH

CARD_TEXTS = (*(str(value) for value in range(1, VALUES + 1)), "D", "B")
CHUNK_KINDS = KINDS // 3
CHUNK_BITS = WIDTH * CHUNK_KINDS
CHUNK = (1 << CHUNK_BITS) - 1


@lru_cache(maxsize=4096)  # every view until the next joust shows the same rows
def card_texts(cards: tuple[int, ...]) -> tuple[str, ...]:
    """The texts of cards in their order; blanks are left out."""
    return tuple(CARD_TEXTS[card] for card in cards if card >= 0)


@lru_cache(maxsize=16384)  # a view has ten piles, and few of them are new
def pile_texts(pile: int) -> tuple[str, ...]:
    """The cards of a pile, sorted: 1 to 10, D, B."""
    low, middle, high = pile & CHUNK, pile >> CHUNK_BITS & CHUNK, pile >> 2 * CHUNK_BITS
    return _chunk_texts(0, low) + _chunk_texts(1, middle) + _chunk_texts(2, high)


@cache
def _chunk_texts(chunk: int, counts: int) -> tuple[str, ...]:
    """The cards of a third of the kinds: also of new piles, few thirds are new."""
    most = (1 << WIDTH) - 1
    return tuple(
        CARD_TEXTS[chunk * CHUNK_KINDS + kind]
        for kind in range(CHUNK_KINDS)
        for _ in range(counts >> WIDTH * kind & most)
    )


@lru_cache(maxsize=4096)
def pile_of(cards: tuple[int, ...]) -> int:
    """The pile of some cards; blanks are left out."""
    return sum(1 << WIDTH * card for card in cards if card >= 0)
