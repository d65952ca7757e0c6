"""Tornei: what a seat may know, for people and their clients."""

from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np

from hastilude.core.bits import numbers
from hastilude.core.frozen import frozen
from hastilude.core.game import Suit
from hastilude.core.rules import SPECTATOR
from hastilude.core.states import seats_of
from hastilude.games.tornei.notation import CARD_TEXTS, SUIT_LETTERS, card_text
from hastilude.games.tornei.rules import (
    DUMMY,
    LAID,
    NO_CARD,
    RANKS,
    SEATS,
    TRICKS,
    Fields,
    is_right,
    place,
    predicted_place,
    prediction_points,
)

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]
Finished: TypeAlias = tuple[int, int, Row, Rows, Rows, Row]  # what `tricks_of` takes

PHASES = ("deal", "lead", "predict", "play", "over")


@frozen
class Trick:
    """A finished trick: joust cards, predictions and places by seat, the winner.

    `predicted_places` are the places that were predicted, `right` says whether they were right, and
    `points` what each player got for it. `round` and `number` count from 1.
    """

    leader: int
    jousts: tuple[str, ...]
    predictions: tuple[str, ...]
    places: tuple[int, ...]
    winner: int
    predicted_places: tuple[int, ...]
    right: tuple[bool, ...]
    points: tuple[int, ...]
    round: int
    number: int


@frozen
class Board:
    """A player's board: the predictions of this round, right ones above, wrong ones below.

    `points` are for the predictions. `trick_points` and `total` say what the tricks would count and
    what the whole score would be if the round ended now.
    """

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    tricks: int
    points: int
    trick_points: int
    total: int


@frozen
class Dummy:
    """The dummy's columns, each in the order dealt, and the cards turned up from its pile.

    `pile_left` is the number of cards still face down, `tricks` the number of tricks it has won.
    """

    columns: dict[str, tuple[str, ...]]
    pile: tuple[str, ...]
    pile_left: int
    tricks: int


@frozen
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards their texts.

    `ahead` are the seats with the most points so far, including those for predictions in this
    round; `winners` is empty until the match is over. `suit_places` has the place that each suit
    predicts.
    """

    viewer: int | None
    players: int
    phase: str
    pending: tuple[int, ...]
    round: int
    dealer: int
    trick: int
    leader: int
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    jousts: tuple[str | None, ...]
    predicted: tuple[bool, ...]
    prediction: str | None
    boards: tuple[Board, ...]
    tricks: tuple[Trick, ...]
    last_trick: Trick | None
    rounds: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    dummy: Dummy | None
    ahead: tuple[int, ...]
    winners: tuple[int, ...]
    suit_places: dict[str, int]


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    jousts, predictions = on_table(r)
    finished = finished_of(r)
    tricks = tricks_of(*finished)
    return View(
        viewer=viewer,
        players=r.players,
        phase=PHASES[r.phase],
        pending=r.pending,
        round=r.round + 1,
        dealer=r.dealer,
        trick=min(r.trick + 1, TRICKS),
        leader=r.leader[min(r.trick, TRICKS - 1)],
        hand=() if viewer is None else hand_texts(r.hand[viewer]),
        hand_sizes=r.held[: r.players],
        jousts=texts_of(jousts),
        predicted=tuple(card != NO_CARD for card in predictions[: r.players]),
        prediction=None if viewer is None else card_text(predictions[viewer]),
        boards=boards_of(finished, r.won, r.points, r.trick_points, r.total),
        tricks=tricks,
        last_trick=tricks[-1] if tricks else last_of_round_before(r),
        rounds=tuple(points[: r.players] for points in r.sheet[: finished_rounds(r)]),
        scores=r.scores[: r.players],
        dummy=dummy_of(r.hand[DUMMY], r.laid, r.pile, r.won[DUMMY]) if r.players == DUMMY else None,
        ahead=seats_of(r.ahead),
        winners=r.winners,
        suit_places=suit_places(),
    )


@cache
def suit_places() -> dict[str, int]:
    """The place that each suit predicts (T7), strongest suit first."""
    suits = reversed([*enumerate(SUIT_LETTERS)])
    return {letter: predicted_place(RANKS * suit) + 1 for suit, letter in suits}


def on_table(r: Fields) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The joust cards and predictions of the trick that is being played, by seat."""
    if r.trick == TRICKS:
        return (NO_CARD,) * SEATS, (NO_CARD,) * SEATS
    return r.joust[r.trick], r.prediction[r.trick]


# Most parts of a view are as in the views before, so they are made once. Each depends only on what
# it is given, and that comes from what the viewer may know.


@lru_cache(maxsize=4096)
def texts_of(cards: Row) -> tuple[str | None, ...]:
    return tuple(card_text(card) for card in cards)


@lru_cache(maxsize=4096)
def hand_texts(hand: int) -> tuple[str, ...]:
    """Strongest card first, as people sort them."""
    return tuple(CARD_TEXTS[card] for card in reversed(numbers(hand)))


def finished_of(r: Fields) -> Finished:
    """The tricks of this round so far, as they are in the state."""
    done = slice(r.trick)
    return (r.round, r.players, r.leader[done], r.joust[done], r.prediction[done], r.place_points)


@lru_cache(maxsize=4096)
def tricks_of(
    round: int, players: int, leaders: Row, jousts: Rows, predictions: Rows, place_points: Row
) -> tuple[Trick, ...]:
    played = zip(leaders, jousts, predictions, strict=True)
    return tuple(
        trick_of((round + 1, number), leader, joust, made[:players], place_points)
        for number, (leader, joust, made) in enumerate(played, 1)
    )


def finished_trick(r: Fields, number: int) -> Trick:
    """A trick of this round, counted from 0."""
    predictions = r.prediction[number][: r.players]
    when = r.round + 1, number + 1
    return trick_of(when, r.leader[number], r.joust[number], predictions, r.place_points)


@lru_cache(maxsize=4096)
def trick_of(when: Row, leader: int, jousts: Row, predictions: Row, place_points: Row) -> Trick:
    cards = np.array(jousts, np.int8)
    places = [int(place(cards, seat)) for seat in range(SEATS)]
    points = np.array(place_points, np.int8)
    made = [*zip(predictions, places, strict=False)]  # the dummy makes none (T7)
    return Trick(
        leader=leader,
        jousts=tuple(CARD_TEXTS[card] for card in jousts),
        predictions=tuple(CARD_TEXTS[card] for card in predictions),
        places=tuple(taken + 1 for taken in places),
        winner=places.index(0),  # T11
        predicted_places=tuple(predicted_place(card) + 1 for card in predictions),
        right=tuple(is_right(card, taken) for card, taken in made),
        points=tuple(prediction_points(points, card, taken) for card, taken in made),
        round=when[0],
        number=when[1],
    )


def last_of_round_before(r: Fields) -> Trick | None:
    if r.last_leader < 0:
        return None
    predictions = r.last_prediction[: r.players]
    when = r.round, TRICKS
    return trick_of(when, r.last_leader, r.last_joust, predictions, r.place_points)


@lru_cache(maxsize=4096)
def boards_of(
    finished: Finished, won: Row, points: Row, trick_points: Row, total: Row
) -> tuple[Board, ...]:
    _, players, *_ = finished
    tricks = tricks_of(*finished)
    return tuple(
        Board(
            right=tuple(trick.predictions[seat] for trick in tricks if trick.right[seat]),
            wrong=tuple(trick.predictions[seat] for trick in tricks if not trick.right[seat]),
            tricks=won[seat],
            points=points[seat],
            trick_points=trick_points[seat],
            total=total[seat],
        )
        for seat in range(players)
    )


def tracker_of(r: Fields) -> tuple[Suit, ...]:
    """All cards, strongest first (T2). The dummy's columns lie open, so they have been seen."""
    hand = 0 if r.viewer == SPECTATOR else r.hand[r.viewer]
    return tuple(
        Suit(
            letter,
            tuple(
                (CARD_TEXTS[card][1:], where(card, hand, r.seen))
                for card in range(RANKS * (suit + 1) - 1, RANKS * suit - 1, -1)
            ),
        )
        for suit, letter in reversed([*enumerate(SUIT_LETTERS)])
    )


def where(card: int, hand: int, seen: int) -> str:
    if hand >> card & 1:
        return "hand"
    return "seen" if seen >> card & 1 else "unseen"


def finished_rounds(r: Fields) -> int:
    return r.round + (r.trick == TRICKS)


@lru_cache(maxsize=4096)
def dummy_of(hand: int, laid: Row, pile: Row, tricks: int) -> Dummy:
    left = [CARD_TEXTS[card] for card in laid if card in numbers(hand)]
    shown = tuple(CARD_TEXTS[card] for card in pile if card != NO_CARD)
    return Dummy(
        columns={suit: tuple(card for card in left if card[0] == suit) for suit in suit_places()},
        pile=shown,
        pile_left=LAID - len(shown),
        tricks=tricks,
    )
