"""Tornei: what happened, told from the difference of two redacted states."""

from collections.abc import Iterator

from hastilude.core.events import Event
from hastilude.core.frozen import frozen
from hastilude.core.rules import SPECTATOR
from hastilude.games.tornei.notation import CARD_TEXTS, card_text
from hastilude.games.tornei.rules import (
    DUMMY,
    HIDDEN,
    NO_CARD,
    SEATS,
    TRICKS,
    Fields,
    predicted_place,
)
from hastilude.games.tornei.view import finished_trick, hand_texts

CHAPTERS = ("trick", "round", "match")  # the shortest first


@frozen
class RoundBegan(Event, clause="T3"):
    round: int
    dealer: int


@frozen
class Dealt(Event, clause="T4"):
    """The viewer's own cards."""

    seat: int
    cards: tuple[str, ...]


@frozen
class DummyDealt(Event, clause="T14"):
    """The dummy's face-up cards, in the order they were laid."""

    cards: tuple[str, ...]


@frozen
class Led(Event, clause="T6"):
    seat: int
    card: str
    suit: str


@frozen
class Predicted(Event, clause="T7"):
    """A prediction lies face down."""

    seat: int


@frozen
class Chosen(Event, clause="T7"):
    """The viewer's own prediction."""

    seat: int
    card: str
    place: int


@frozen
class Followed(Event, clause="T9"):
    """A joust card of the led suit."""

    seat: int
    card: str
    suit: str


@frozen
class Discarded(Event, clause="T9"):
    """A joust card of another suit: the seat has none of the led suit left."""

    seat: int
    card: str
    suit: str


@frozen
class DummyLed(Event, clause="T16"):
    card: str
    suit: str


@frozen
class DummyPlayed(Event, clause="T15"):
    card: str
    suit: str


@frozen
class Ranked(Event, clause="T10"):
    seat: int
    card: str
    place: int


@frozen
class PredictedRight(Event, clause="T10"):
    seat: int
    card: str
    place: int
    points: int


@frozen
class PredictedWrong(Event, clause="T10"):
    seat: int
    card: str
    predicted: int
    place: int


@frozen
class Won(Event, clause="T11", ends="trick"):
    """The strongest card wins the trick and the next lead."""

    seat: int
    card: str


@frozen
class TurnedUp(Event, clause="T17"):
    card: str


@frozen
class Scored(Event, clause="T12", ends="round"):
    """Points of the round: for predictions, for tricks (or for none at all), and the total."""

    seat: int
    round: int
    predictions: int
    tricks: int
    trick_points: int
    points: int
    total: int


@frozen
class Ended(Event, clause="T13", ends="match"):
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def tell(before: Fields, after: Fields) -> Iterator[Event]:
    if is_new_round(before, after):
        yield from tell_deal(after)
        yield from tell_lead(after, 0)
        return
    trick = before.trick
    yield from tell_predictions(before, after, trick)
    yield from tell_jousts(before, after, trick)
    if after.trick > trick:
        yield from tell_trick(after, trick)
        if after.trick == TRICKS:
            yield from tell_round(after)
        else:
            yield from tell_lead(after, after.trick)


def is_new_round(before: Fields, after: Fields) -> bool:
    return after.round > before.round or before.leader[0] < 0


def tell_deal(after: Fields) -> Iterator[Event]:
    yield RoundBegan(after.round + 1, after.dealer)
    if after.viewer != SPECTATOR:
        yield Dealt(after.viewer, hand_texts(after.hand[after.viewer]))
    if after.players == DUMMY:
        yield DummyDealt(tuple(CARD_TEXTS[card] for card in after.laid))


def tell_lead(after: Fields, trick: int) -> Iterator[Event]:
    """The dummy's lead, which comes by itself."""
    card = after.joust[trick][DUMMY]
    if after.players == DUMMY and after.leader[trick] == DUMMY and card != NO_CARD:
        yield DummyLed(CARD_TEXTS[card], CARD_TEXTS[card][0])


def tell_predictions(before: Fields, after: Fields, trick: int) -> Iterator[Event]:
    for seat in range(after.players):
        was, card = before.prediction[trick][seat], after.prediction[trick][seat]
        if was == NO_CARD and card == HIDDEN:
            yield Predicted(seat)
        elif was == NO_CARD and card != NO_CARD:
            yield Chosen(seat, CARD_TEXTS[card], predicted_place(card) + 1)


def tell_jousts(before: Fields, after: Fields, trick: int) -> Iterator[Event]:
    """The joust cards that are new, clockwise from the leader."""
    leader = after.leader[trick]
    led = card_text(after.joust[trick][leader])
    for seat in (*range(leader, SEATS), *range(leader)):
        card = after.joust[trick][seat]
        if card != NO_CARD and before.joust[trick][seat] == NO_CARD:
            yield joust_event(after, seat, CARD_TEXTS[card], led or "", seat == leader)


def joust_event(after: Fields, seat: int, card: str, led: str, leads: bool) -> Event:
    if after.players == DUMMY and seat == DUMMY:
        return DummyPlayed(card, card[0])
    if leads:
        return Led(seat, card, card[0])
    return Followed(seat, card, led[0]) if card[0] == led[0] else Discarded(seat, card, led[0])


def tell_trick(after: Fields, number: int) -> Iterator[Event]:
    trick = finished_trick(after, number)
    for place in range(1, SEATS + 1):
        seat = trick.places.index(place)
        yield Ranked(seat, trick.jousts[seat], place)
    for seat, card in enumerate(trick.predictions):
        if trick.right[seat]:
            yield PredictedRight(seat, card, trick.places[seat], trick.points[seat])
        else:
            yield PredictedWrong(seat, card, trick.predicted_places[seat], trick.places[seat])
    yield Won(trick.winner, trick.jousts[trick.winner])
    if after.players == DUMMY:
        yield TurnedUp(CARD_TEXTS[after.pile[number]])


def tell_round(after: Fields) -> Iterator[Event]:
    for seat in range(after.players):
        tricks = after.won[seat]
        yield Scored(
            seat,
            round=after.round + 1,
            predictions=after.points[seat],
            tricks=tricks,
            trick_points=after.trick_points[seat],
            points=after.sheet[after.round][seat],
            total=after.scores[seat],
        )
    if after.winners:
        yield Ended(after.winners, after.scores[: after.players])
