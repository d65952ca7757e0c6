"""Template: what happened, told from the difference of two redacted states."""

from collections.abc import Iterator

from hastilude.core.events import Event
from hastilude.core.frozen import frozen
from hastilude.core.rules import SPECTATOR
from hastilude.games._template.notation import CARD_TEXTS
from hastilude.games._template.rules import DEAL, HIDDEN, NO_CARD, SEATS, Fields
from hastilude.games._template.view import hand_texts

CHAPTERS = ("trick", "match")  # the shortest first


@frozen
class Dealt(Event, clause="E2"):
    """The viewer's own cards."""

    seat: int
    cards: tuple[str, ...]


@frozen
class Chosen(Event, clause="E3"):
    """A card was chosen; which one is known to its owner alone."""

    seat: int


@frozen
class OwnChoice(Event, clause="E3"):
    seat: int
    card: str


@frozen
class Revealed(Event, clause="E3"):
    seat: int
    card: str


@frozen
class Won(Event, clause="E4", ends="trick"):
    seat: int
    card: str


@frozen
class Ended(Event, clause="E5", ends="match"):
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def tell(before: Fields, after: Fields) -> Iterator[Event]:
    if before.phase == DEAL:
        if after.viewer != SPECTATOR:
            yield Dealt(after.viewer, hand_texts(after.hand[after.viewer]))
        return
    trick = before.trick
    for seat in range(SEATS):
        if before.played[trick][seat] == NO_CARD and after.played[trick][seat] != NO_CARD:
            yield choice_event(after, seat, after.played[trick][seat])
    if after.trick > trick:
        cards = after.played[trick]
        for seat in range(SEATS):
            yield Revealed(seat, CARD_TEXTS[cards[seat]])
        winner = after.winner[trick]
        yield Won(winner, CARD_TEXTS[cards[winner]])
    if after.winners:
        yield Ended(after.winners, after.scores)


def choice_event(after: Fields, seat: int, card: int) -> Event:
    if seat == after.viewer and card != HIDDEN:
        return OwnChoice(seat, CARD_TEXTS[card])
    return Chosen(seat)
