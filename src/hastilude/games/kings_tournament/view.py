"""King's Tournament: what a seat may know, for people and their clients."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeAlias, TypeVar

from hastilude.core.rules import SPECTATOR, Fields
from hastilude.games.kings_tournament.cards import BLANK, worth
from hastilude.games.kings_tournament.notation import CARD_TEXTS, card_texts, pile_of, pile_texts
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DECK,
    DISCARD,
    HAND,
    JOUST,
    LINE,
    UNHORSING,
)

T = TypeVar("T")
Rows: TypeAlias = tuple[tuple[int, ...], ...]  # cards by seat

PHASES = ("new_game", "joust", "discard", "beat", "lead", "answer", "over")
JOUSTS = ("committed", "stepwise")  # option `joust`


@dataclass(frozen=True)
class Pair:
    """Two cards that faced each other, and their worths, by seat. `winner` is worth more.

    Where a block or two double strikes tie, no worth is defined; both are given as 0.
    """

    cards: tuple[str, ...]
    worths: tuple[int, ...]
    margin: int
    winner: int | None


@dataclass(frozen=True)
class Joust:
    """A scored joust: the pairs from first to third, and which of them (1 to 3) decided it."""

    discards: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]
    deciding: int | None
    winner: int | None


@dataclass(frozen=True)
class Turn:
    """A turn of the melee: who revealed first, and the two cards."""

    leader: int
    pair: Pair


@dataclass(frozen=True)
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards their texts.

    `choice` is the viewer's own hidden choice so far; `chosen` tells who has finished one that
    the other player still owes. `line` and `aside` are the joust under way as far as it was shown
    (option stepwise), `led` the card that waits for an answer, `turns` the melee since the last
    draw. `unseen` counts what is left of each deck: cards that neither lie face up nor are held
    by the viewer. `sure` are cards that everybody can tell to be in a hand (K13).
    """

    viewer: int | None
    phase: str
    pending: tuple[int, ...]
    best_of: int
    joust: str
    game: int
    scores: tuple[int, ...]
    drawn: int
    mounted: tuple[bool, ...]
    jousts: int
    reveals: int
    hand: tuple[str, ...]
    choice: tuple[str, ...]
    chosen: tuple[bool, ...]
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]
    discards: tuple[tuple[str, ...], ...]
    unseen: tuple[tuple[str, ...], ...]
    sure: tuple[tuple[str, ...], ...]
    aside: tuple[tuple[str, ...], ...]
    line: tuple[tuple[str, ...], ...]
    leader: int | None
    led: str | None
    turns: tuple[Turn, ...]
    last_joust: Joust | None
    last_turn: Turn | None


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    return View(
        viewer=viewer,
        phase=PHASES[r.phase],
        pending=r.pending,
        best_of=r.best_of,
        joust=JOUSTS[r.stepwise],
        game=r.game,
        scores=r.won,
        drawn=r.drawn,
        mounted=both(is_mounted, r),
        jousts=r.jousts,
        reveals=r.reveals,
        hand=() if viewer is None else pile_texts(r.hand[viewer]),
        choice=() if viewer is None else card_texts(r.choice[viewer]),
        chosen=both(has_chosen, r),
        hand_sizes=r.held,
        deck_sizes=both(deck_size, r),
        discards=both(discard_texts, r),
        unseen=both(unseen_texts, r),
        sure=both(sure_texts, r),
        aside=both(aside_texts, r),
        line=both(line_texts, r),
        leader=None if r.leader == BLANK else r.leader,
        led=CARD_TEXTS[on_table(r, r.leader)[0]] if r.phase == ANSWER else None,
        turns=turns_of(r),
        last_joust=None if r.last_line[0][0] == BLANK else joust_of(r.last_line, r.last_aside),
        last_turn=None if r.last_led == BLANK else turn_of(r.last_led, *r.last_turn),
    )


def both(tell: Callable[[Fields, int], T], r: Fields) -> tuple[T, T]:
    """What is to tell of a seat, of both."""
    return tell(r, 0), tell(r, 1)


def is_mounted(r: Fields, seat: int) -> bool:
    return bool(r.mounted >> seat & 1)


def has_chosen(r: Fields, seat: int) -> bool:
    """Whether the seat has finished a choice that waits for the other player's."""
    return r.phase in (JOUST, DISCARD, BEAT) and seat not in r.pending


def deck_size(r: Fields, seat: int) -> int:
    return DECK - int(r.top[seat])


def on_table(r: Fields, seat: int) -> tuple[int, ...]:
    """The cards that lie face up and are not discarded yet."""
    if r.phase == BEAT:
        return tuple(r.line[seat])
    if r.phase == ANSWER and seat == r.leader:
        return (r.melee[seat][HAND - 1 - r.held[seat]],)
    return ()


def discard_texts(r: Fields, seat: int) -> tuple[str, ...]:
    return pile_texts(r.seen[seat] - pile_of(on_table(r, seat)))


def unseen_texts(r: Fields, seat: int) -> tuple[str, ...]:
    # The hand and choice of anybody but the viewer are blank here.
    return pile_texts(r.total - r.seen[seat] - r.hand[seat] - pile_of(r.choice[seat]))


def sure_texts(r: Fields, seat: int) -> tuple[str, ...]:
    if not (r.held[seat] and r.kept[seat]):
        return ()
    revealed = [*r.aside[seat], *r.line[seat]] if r.phase == BEAT else r.melee[seat]
    sure = list(pile_texts(r.kept[seat]))
    for card in card_texts(revealed[: HAND - r.held[seat]]):
        if card in sure:
            sure.remove(card)
    return tuple(sure)


def aside_texts(r: Fields, seat: int) -> tuple[str, ...]:
    return card_texts(r.aside[seat]) if r.phase == BEAT else ()


def line_texts(r: Fields, seat: int) -> tuple[str, ...]:
    return card_texts(r.line[seat]) if r.phase == BEAT else ()


def turns_of(r: Fields) -> tuple[Turn, ...]:
    """The melee turns with the hands of now; the turns of the hands before were other ones."""
    turns = range(HAND - max(r.held))
    return tuple(
        turn_of(r.led[k], r.melee[0][k], r.melee[1][k]) for k in turns if r.led[k] != BLANK
    )


@cache
def turn_of(leader: int, first: int, second: int) -> Turn:
    return Turn(leader, pair_of(first, second))


@cache
def pair_of(first: int, second: int) -> Pair:
    """The cards of seat 0 and seat 1 facing each other (K2)."""
    worths = worth(first, second), worth(second, first)
    ahead = worths[0] - worths[1]
    return Pair(
        cards=(CARD_TEXTS[first], CARD_TEXTS[second]),
        worths=worths,
        margin=abs(ahead),
        winner=None if ahead == 0 else int(ahead < 0),
    )


@lru_cache(maxsize=4096)  # every view until the next joust shows it
def joust_of(line: Rows, aside: Rows) -> Joust:
    """A joust scored from the third pair to the first (K7)."""
    pairs = tuple(pair_of(*cards) for cards in zip(*line, strict=True))
    deciding = next((k for k in range(LINE, 0, -1) if pairs[k - 1].margin >= UNHORSING), None)
    return Joust(
        discards=tuple(card_texts(cards) for cards in aside),
        pairs=pairs,
        deciding=deciding,
        winner=pairs[deciding - 1].winner if deciding else None,
    )
