"""King's Tournament: how cards are written (K1)."""

from functools import lru_cache

from hastilude.games.kings_tournament.cards import KINDS, VALUES, WIDTH

CARD_TEXTS = (*(str(value) for value in range(1, VALUES + 1)), "D", "B")


def card_texts(cards: list[int]) -> tuple[str, ...]:
    """The texts of cards in their order; blanks are left out."""
    return tuple(CARD_TEXTS[card] for card in cards if card >= 0)


@lru_cache(maxsize=4096)  # every view tells ten of them, most of them unchanged
def pile_texts(pile: int) -> tuple[str, ...]:
    """The cards of a pile, sorted: 1 to 10, D, B."""
    most = (1 << WIDTH) - 1
    return tuple(
        CARD_TEXTS[kind] for kind in range(KINDS) for _ in range(pile >> WIDTH * kind & most)
    )


def pile_of(cards: list[int]) -> int:
    """The pile of some cards; blanks are left out."""
    return sum(1 << WIDTH * card for card in cards if card >= 0)
