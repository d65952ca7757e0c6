"""What a puzzle of Tornei is about."""

from collections.abc import Iterator, Sequence

from hastilude.core.game import Suit
from hastilude.games.tornei.view import View

THEMES = ("lead", "predict", "play", "void", "dummy", "unseen", "no_trick", "last_round")
LATE = 4  # the trick from which on a round without tricks is a plan


def themes_of(
    view: View, tracker: Sequence[Suit], answer: Sequence[str], missed: Sequence[str]
) -> Iterator[str]:
    """`missed` is the choice that a quick player makes instead of the answer."""
    yield view.phase  # lead, predict or play
    (card,), (other,) = answer, missed
    led = view.jousts[view.leader]
    if led and view.phase != "lead":
        of_suit = [held for held in view.hand if held[0] == led[0]]
        if not of_suit or of_suit == [card]:  # T9: laid as a prediction, the last one leaves a void
            yield "void"
        # T15: whoever looks at the columns knows the card that the dummy will play.
        if view.dummy and view.jousts[-1] is None:
            yield "dummy"
    if view.phase != "predict" and unseen_between(tracker, card, other):
        yield "unseen"
    assert view.viewer is not None
    if view.boards[view.viewer].tricks == 0 and view.trick >= LATE:
        yield "no_trick"
    if view.round == view.players:
        yield "last_round"


def unseen_between(tracker: Sequence[Suit], one: str, other: str) -> bool:
    """Whether the cards are of the same suit, and unseen ones lie between them (T2)."""
    if one[0] != other[0]:
        return False
    low, high = sorted((int(one[1:]), int(other[1:])))
    suit = next(suit for suit in tracker if suit.suit == one[0])
    return any(place == "unseen" and low < int(rank) < high for rank, place in suit.cards)
