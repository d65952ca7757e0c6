"""King's Tournament: what happened, told from the difference of two redacted states."""

from collections.abc import Iterator
from typing import Any, TypeVar

from hastilude.core.bits import numbers
from hastilude.core.events import Event
from hastilude.core.frozen import frozen
from hastilude.games.kings_tournament.cards import BLANK, BLOCK
from hastilude.games.kings_tournament.notation import CARD_TEXTS, card_texts, pile_texts
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DECK,
    DISCARD,
    HAND,
    JOUST,
    LEAD,
    LINE,
    NEW_GAME,
    SEATS,
    Fields,
)
from hastilude.games.kings_tournament.view import (
    Joust,
    Pair,
    deck_size,
    last_joust,
    last_pair,
    seat_or_none,
)

T = TypeVar("T", bound=Event)

CHAPTERS = ("turn", "joust", "game", "match")  # the shortest first


@frozen
class GameBegan(Event, clause="K3"):
    game: int
    best_of: int


@frozen
class Shuffled(Event, clause="K3"):
    seat: int
    count: int


@frozen
class Reshuffled(Event, clause="K13"):
    """The discard pile becomes a new deck, in the middle of a draw."""

    seat: int
    count: int


@frozen
class DrewForJoust(Event, clause="K4"):
    seat: int
    count: int
    left: int


@frozen
class DrewForMelee(Event, clause="K9"):
    seat: int
    count: int
    left: int


@frozen
class Drawn(Event, clause="K15"):
    """What the viewer drew."""

    seat: int
    cards: tuple[str, ...]


@frozen
class Placed(Event, clause="K5"):
    """The viewer's own choice for a place in the line, not revealed yet."""

    seat: int
    card: str
    beat: int


@frozen
class PutAside(Event, clause="K6"):
    """The viewer's own choice of a discard, not revealed yet (option stepwise)."""

    seat: int
    card: str


@frozen
class Ready(Event, clause="K6"):
    """A seat has finished its choice."""

    seat: int


@frozen
class Discarded(Event, clause="K6"):
    """The cards of a joust that are not played are seen."""

    seat: int
    cards: tuple[str, ...]


@frozen
class Revealed(Event, clause="K6"):
    """Both cards of a beat."""

    beat: int
    seat: int
    card: str
    other: int
    other_card: str


@frozen
class _Facing(Event, clause="K2"):
    """Two cards that face each other: first the one that is worth more, or the block."""

    seat: int
    card: str
    worth: int
    other: int
    other_card: str
    other_worth: int
    margin: int


@frozen
class _FacingInLine(_Facing, clause="K2"):
    """`needed` is the margin that decides a joust."""

    beat: int
    needed: int


@frozen
class PairBlocked(_FacingInLine, clause="K2"):
    """A pair of a joust that ties because of a block."""


@frozen
class PairOfDoubles(_FacingInLine, clause="K2"):
    """A pair of a joust that ties because both are double strikes."""


@frozen
class PairClose(_FacingInLine, clause="K7"):
    """A pair with too small a margin."""


@frozen
class PairDecided(_FacingInLine, clause="K7"):
    """The pair that decides a joust."""


@frozen
class PairIgnored(_FacingInLine, clause="K7"):
    """A pair that comes after the one that decided."""


@frozen
class Unhorsed(Event, clause="K8", ends="joust"):
    loser: int
    winner: int


@frozen
class Undecided(Event, clause="K8", ends="joust"):
    number: int


@frozen
class Led(Event, clause="K10"):
    seat: int
    card: str


@frozen
class Answered(Event, clause="K10"):
    seat: int
    card: str


@frozen
class Blocked(_Facing, clause="K2", ends="turn"):
    """A turn that ties because of a block."""


@frozen
class Doubles(_Facing, clause="K2", ends="turn"):
    """A turn that ties because both are double strikes."""


@frozen
class Missed(_Facing, clause="K12", ends="turn"):
    """A turn with too small a margin."""


@frozen
class Hit(_Facing, clause="K12"):
    """A blow; what it does comes next."""


@frozen
class Dismounted(Event, clause="K12", ends="turn"):
    loser: int


@frozen
class Defeated(Event, clause="K12", ends="turn"):
    loser: int


@frozen
class MountedFirst(Event, clause="K11"):
    """Who reveals first: the only mounted knight."""

    leader: int


@frozen
class StrongerFirst(Event, clause="K11"):
    """Who reveals first: whose card was worth more."""

    leader: int


@frozen
class SameFirst(Event, clause="K11"):
    """Who reveals first after a tie: the same as before."""

    leader: int


@frozen(kw_only=True)
class _GameOver(Event, clause="K14"):
    """A game with its number of jousts, who lost the last of them (None: nobody), and the hits of
    each player in the melee."""

    game: int
    jousts: int
    unhorsed: int | None
    hits: tuple[int, ...]


@frozen(kw_only=True)
class GameWon(_GameOver, clause="K14", ends="game"):
    winner: int
    won: int


@frozen(kw_only=True)
class GameDrawn(_GameOver, clause="K16", ends="game"):
    reveals: int


@frozen
class Ended(Event, clause="K14", ends="match"):
    winners: tuple[int, ...]
    scores: tuple[int, ...]


@frozen
class EndedDrawn(Event, clause="K16", ends="match"):
    """So many games passed that both win."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    games: int


def tell(before: Fields, after: Fields) -> Iterator[Event]:
    if before.due:
        yield from tell_shuffle(before, after)
    elif before.phase == LEAD:
        yield tell_lead(before, after)
    elif before.phase == ANSWER:
        yield from tell_turn(before, after)
    else:
        yield from tell_choice(before, after)
    yield from tell_draws(before, after)


# --- decks and draws ----------------------------------------------------------------------------


def tell_shuffle(before: Fields, after: Fields) -> Iterator[Event]:
    seat = before.due - 1
    if before.phase != NEW_GAME:
        yield Reshuffled(seat, DECK - before.held[seat])
        return
    if seat == 0:
        yield GameBegan(after.game, after.best_of)
    yield Shuffled(seat, DECK)


def tell_draws(before: Fields, after: Fields) -> Iterator[Event]:
    if before.phase == NEW_GAME and before.due == 1:
        return  # the cards of the game before are put together again
    for seat in range(SEATS):
        # A shuffled deck begins after the cards that its owner still held.
        top = before.held[seat] if before.due == seat + 1 else before.top[seat]
        count = after.top[seat] - top
        if count:
            drew = DrewForMelee if after.phase == LEAD else DrewForJoust
            yield drew(seat, count, deck_size(after, seat))
            if seat == after.viewer:
                held = before.hand[seat] if before.due else 0
                yield Drawn(seat, pile_texts(after.hand[seat] - held))


# --- the joust ----------------------------------------------------------------------------------


def tell_choice(before: Fields, after: Fields) -> Iterator[Event]:
    viewer = after.viewer
    if after.jousts == before.jousts and after.held == before.held:  # nothing is revealed yet
        if viewer >= 0 and after.chosen[viewer] > before.chosen[viewer]:
            place = before.chosen[viewer]
            yield own_choice(before, viewer, after.choice[viewer][place])
        if after.waiting != before.waiting:
            yield Ready(*numbers(before.waiting & ~after.waiting))
        return
    (seat,) = numbers(before.waiting)  # the other had finished
    if seat == viewer:
        yield own_choice(before, seat, last_choice(before, after, seat))
    yield Ready(seat)
    yield from tell_reveal(before, after)


def own_choice(before: Fields, seat: int, card: int) -> Event:
    if before.phase == DISCARD:
        return PutAside(seat, CARD_TEXTS[card])
    beat = LINE - before.held[seat] if before.phase == BEAT else before.chosen[seat]
    return Placed(seat, CARD_TEXTS[card], beat + 1)


def last_choice(before: Fields, after: Fields, seat: int) -> int:
    """The choice that was revealed as soon as it was made."""
    if before.phase == JOUST:
        return after.line[seat][LINE - 1]
    if before.phase == BEAT:
        return after.line[seat][LINE - before.held[seat]]
    first, second = after.aside[seat]
    return second if before.choice[seat][0] == first else first


def tell_reveal(before: Fields, after: Fields) -> Iterator[Event]:
    if before.phase != BEAT:
        for seat in range(SEATS):
            yield Discarded(seat, card_texts(after.aside[seat]))
    scored = after.jousts > before.jousts
    if before.phase != DISCARD:
        first = LINE - before.held[0] if before.phase == BEAT else 0
        for beat in range(first, LINE if scored else first + 1):
            one, other = (CARD_TEXTS[after.line[seat][beat]] for seat in range(SEATS))
            yield Revealed(beat + 1, 0, one, 1, other)
    if scored:
        yield from tell_joust(before, after)


def tell_joust(before: Fields, after: Fields) -> Iterator[Event]:
    joust = last_joust(after)
    for beat in range(LINE, 0, -1):
        yield pair_event(joust, beat, after.joust_margin)
    if joust.winner is None:
        yield Undecided(after.jousts)
    else:
        yield Unhorsed(1 - joust.winner, joust.winner)
    if is_game_over(before, after):
        yield from tell_game(before, after)
    elif joust.winner is not None:
        yield MountedFirst(joust.winner)


def pair_event(joust: Joust, beat: int, needed: int) -> Event:
    pair = joust.pairs[beat - 1]
    close = by_tie(pair, PairBlocked, PairOfDoubles, PairClose)
    kind = {"decides": PairDecided, "ignored": PairIgnored}.get(joust.fates[beat - 1], close)
    return kind(*facing(pair), beat, needed)


def by_tie(pair: Pair, blocked: type[T], doubles: type[T], worths: type[T]) -> type[T]:
    """Which of three events tells of the pair: a block ties, two doubles tie, or worths count."""
    return {"block": blocked, "doubles": doubles}.get(pair.tie or "", worths)


def facing(pair: Pair) -> tuple[int, str, int, int, str, int, int]:
    """The values of `_Facing`."""
    ahead = pair.winner if pair.winner is not None else int(pair.cards[1] == CARD_TEXTS[BLOCK])
    behind = 1 - ahead
    return (
        ahead, pair.cards[ahead], pair.worths[ahead],
        behind, pair.cards[behind], pair.worths[behind],
        pair.margin,
    )  # fmt: skip


# --- the melee ----------------------------------------------------------------------------------


def tell_lead(before: Fields, after: Fields) -> Event:
    seat = before.leader
    return Led(seat, CARD_TEXTS[after.melee[seat][HAND - before.held[seat]]])


def tell_turn(before: Fields, after: Fields) -> Iterator[Event]:
    pair = last_pair(after)
    seat = 1 - before.leader
    yield Answered(seat, pair.cards[seat])
    if pair.hit and pair.winner is not None:
        yield Hit(*facing(pair))
        loser = 1 - pair.winner
        yield Defeated(loser) if after.fallen == loser else Dismounted(loser)
    else:
        yield by_tie(pair, Blocked, Doubles, Missed)(*facing(pair))
    if is_game_over(before, after):
        yield from tell_game(before, after)
    elif after.mounted:
        yield MountedFirst(after.leader)
    elif pair.winner is not None:
        yield StrongerFirst(after.leader)
    else:
        yield SameFirst(after.leader)


# --- games --------------------------------------------------------------------------------------


def is_game_over(before: Fields, after: Fields) -> bool:
    return after.won != before.won or after.drawn != before.drawn


def tell_game(before: Fields, after: Fields) -> Iterator[Event]:
    story: dict[str, Any] = {
        "game": after.game,
        "jousts": after.jousts,
        "unhorsed": seat_or_none(after.unhorsed),
        "hits": after.hits,
    }
    if after.fallen == BLANK:
        yield GameDrawn(**story, reveals=after.reveals)
    else:
        winner = 1 - after.fallen
        yield GameWon(**story, winner=winner, won=after.won[winner])
    if len(after.winners) == SEATS:
        yield EndedDrawn(after.winners, after.scores, after.game)
    elif after.winners:
        yield Ended(after.winners, after.scores)
