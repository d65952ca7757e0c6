"""What a puzzle of King's Tournament is about."""

from collections.abc import Iterator, Sequence

from hastilude.core.game import Suit
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.view import Pair, View, pair_of

THEMES = ("joust", "lead", "answer", "mounted", "on_foot", "hit", "double_strike", "block")


def themes_of(
    view: View, tracker: Sequence[Suit], answer: Sequence[str], missed: Sequence[str]
) -> Iterator[str]:
    """`missed` is the choice that a quick player makes instead of the answer."""
    if view.phase in ("lead", "answer"):
        yield view.phase
        yield "mounted" if any(view.mounted) else "on_foot"
    else:
        yield "joust"
    if view.led and any(pair_with(card, view).hit for card in (answer[0], missed[0])):
        yield "hit"
    if "D" in (*answer, *missed, view.led):
        yield "double_strike"
    if "B" in (*answer, *missed, view.led):
        yield "block"


def pair_with(card: str, view: View) -> Pair:
    """A card facing the one that was revealed first (K10)."""
    assert view.led
    return pair_of(CARD_TEXTS.index(card), CARD_TEXTS.index(view.led), view.melee_margin)
