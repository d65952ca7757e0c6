"""What a puzzle of TriATri is about."""

from collections.abc import Iterator, Mapping, Sequence

from hastilude.core.game import Suit
from hastilude.games.triatri.notation import EXCHANGE_TEXT
from hastilude.games.triatri.rules import ROUNDS, TO_WIN
from hastilude.games.triatri.view import View

THEMES = ("bid", "name", "play", "exchange", "instant_win", "denying", "last_round")


def themes_of(
    view: View, tracker: Sequence[Suit], answer: Sequence[str], missed: Sequence[str]
) -> Iterator[str]:
    """`missed` is the choice that a quick player makes instead of the answer."""
    yield view.phase  # bid, name or play
    if view.phase != "name" and EXCHANGE_TEXT in (*answer, *missed):
        yield "exchange"
    gems = [view.table.gem] if view.table and view.table.gem else []
    if view.phase == "name":
        gems = [answer[0][-1], missed[0][-1]]
    for seat, owned in enumerate(view.gems):
        if any(completes(owned, gem) for gem in gems):
            yield "instant_win" if seat == view.viewer else "denying"
    if view.round == ROUNDS:
        yield "last_round"


def completes(owned: Mapping[str, int], gem: str) -> bool:
    """Whether this gem more would win at once (A12)."""
    return all(count + (colour == gem) >= TO_WIN for colour, count in owned.items())
