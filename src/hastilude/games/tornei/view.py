"""Tornei: what a seat may know, for people and their clients."""

from dataclasses import dataclass

from hastilude.core.bits import numbers
from hastilude.core.rules import SPECTATOR, Fields
from hastilude.games.tornei.notation import CARD_TEXTS, PLACE_OF_SUIT, card_text
from hastilude.games.tornei.rules import DEAL, DUMMY, NO_CARD, RANKS, SEATS, TRICKS

PHASES = ("deal", "lead", "predict", "play", "over")


@dataclass(frozen=True)
class Trick:
    """A finished trick: joust cards, predictions and places by seat, the winner."""

    leader: int
    jousts: tuple[str, ...]
    predictions: tuple[str, ...]
    places: tuple[int, ...]
    winner: int


@dataclass(frozen=True)
class Board:
    """A player's board: the predictions of this round, right ones above, wrong ones below."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    tricks: int
    points: int


@dataclass(frozen=True)
class Dummy:
    """The dummy's columns, each in the order laid, and the cards of its pile turned up."""

    columns: dict[str, tuple[str, ...]]
    pile: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards their texts."""

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


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    jousts, predictions = on_table(r)
    tricks = tuple(
        trick_of(r.leader[t], r.joust[t], r.prediction[t], r.players) for t in range(r.trick)
    )
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
        hand_sizes=tuple(hand_size(r, seat) for seat in range(r.players)),
        jousts=tuple(card_text(card) for card in jousts),
        predicted=tuple(card != NO_CARD for card in predictions[: r.players]),
        prediction=None if viewer is None else card_text(predictions[viewer]),
        boards=tuple(board_of(r, tricks, seat) for seat in range(r.players)),
        tricks=tricks,
        last_trick=tricks[-1] if tricks else last_of_round_before(r),
        rounds=tuple(tuple(points[: r.players]) for points in r.sheet[: finished_rounds(r)]),
        scores=tuple(r.score[: r.players]),
        dummy=dummy_of(r) if r.players == DUMMY else None,
    )


def on_table(r: Fields) -> tuple[list[int], list[int]]:
    """The joust cards and predictions of the trick that is being played, by seat."""
    if r.trick == TRICKS:
        return [NO_CARD] * SEATS, [NO_CARD] * SEATS
    return r.joust[r.trick], r.prediction[r.trick]


def hand_texts(hand: int) -> tuple[str, ...]:
    """Strongest card first, as people sort them."""
    return tuple(CARD_TEXTS[card] for card in reversed(numbers(hand)))


def hand_size(r: Fields, seat: int) -> int:
    put_down = [row[seat] for row in (*r.joust, *r.prediction)]
    return 0 if r.phase == DEAL else RANKS - sum(card != NO_CARD for card in put_down)


def trick_of(leader: int, jousts: list[int], predictions: list[int], players: int) -> Trick:
    places = tuple(sum(other > card for other in jousts) + 1 for card in jousts)
    return Trick(
        leader=leader,
        jousts=tuple(CARD_TEXTS[card] for card in jousts),
        predictions=tuple(CARD_TEXTS[card] for card in predictions[:players]),
        places=places,
        winner=places.index(1),
    )


def last_of_round_before(r: Fields) -> Trick | None:
    if r.last_leader < 0:
        return None
    return trick_of(r.last_leader, r.last_joust, r.last_prediction, r.players)


def board_of(r: Fields, tricks: tuple[Trick, ...], seat: int) -> Board:
    shown = [(trick.predictions[seat], trick.places[seat]) for trick in tricks]
    return Board(
        right=tuple(card for card, place in shown if PLACE_OF_SUIT[card[0]] == place),
        wrong=tuple(card for card, place in shown if PLACE_OF_SUIT[card[0]] != place),
        tricks=r.won[seat],
        points=r.points[seat],
    )


def finished_rounds(r: Fields) -> int:
    return int(r.round) + (r.trick == TRICKS)


def dummy_of(r: Fields) -> Dummy:
    left = [CARD_TEXTS[card] for card in r.laid if card in numbers(r.hand[DUMMY])]
    return Dummy(
        columns={suit: tuple(card for card in left if card[0] == suit) for suit in PLACE_OF_SUIT},
        pile=tuple(CARD_TEXTS[card] for card in r.pile if card != NO_CARD),
    )
