"""King's Tournament: what a seat may know, for people and their clients."""

from dataclasses import dataclass
from functools import cache

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
    SEATS,
    UNHORSING,
)

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
    seats = range(SEATS)
    return View(
        viewer=viewer,
        phase=PHASES[r.phase],
        pending=r.pending,
        best_of=r.best_of,
        joust=JOUSTS[r.stepwise],
        game=r.game,
        scores=tuple(r.won),
        drawn=r.drawn,
        mounted=tuple(is_mounted(r, seat) for seat in seats),
        jousts=r.jousts,
        reveals=r.reveals,
        hand=() if viewer is None else pile_texts(r.hand[viewer]),
        choice=() if viewer is None else card_texts(r.choice[viewer]),
        chosen=tuple(has_chosen(r, seat) for seat in seats),
        hand_sizes=tuple(r.held),
        deck_sizes=tuple(DECK - top for top in r.top),
        discards=tuple(pile_texts(r.seen[seat] - pile_of(on_table(r, seat))) for seat in seats),
        unseen=tuple(unseen_texts(r, seat) for seat in seats),
        sure=tuple(sure_texts(r, seat) for seat in seats),
        aside=tuple(card_texts(r.aside[seat]) if r.phase == BEAT else () for seat in seats),
        line=tuple(card_texts(r.line[seat]) if r.phase == BEAT else () for seat in seats),
        leader=None if r.leader == BLANK else r.leader,
        led=card_texts(on_table(r, r.leader))[0] if r.phase == ANSWER else None,
        turns=turns_of(r),
        last_joust=None if r.last_line[0][0] == BLANK else joust_of(r),
        last_turn=None if r.last_led == BLANK else turn_of(r.last_led, *r.last_turn),
    )


def is_mounted(r: Fields, seat: int) -> bool:
    return bool(r.mounted >> seat & 1)


def has_chosen(r: Fields, seat: int) -> bool:
    """Whether the seat has finished a choice that waits for the other player's."""
    return r.phase in (JOUST, DISCARD, BEAT) and seat not in r.pending


def on_table(r: Fields, seat: int) -> list[int]:
    """The cards that lie face up and are not discarded yet."""
    if r.phase == BEAT:
        return list(r.line[seat])
    if r.phase == ANSWER and seat == r.leader:
        return [r.melee[seat][HAND - 1 - r.held[seat]]]
    return []


def unseen_texts(r: Fields, seat: int) -> tuple[str, ...]:
    # The hand and choice of anybody but the viewer are blank here.
    return pile_texts(r.total - r.seen[seat] - r.hand[seat] - pile_of(r.choice[seat]))


def sure_texts(r: Fields, seat: int) -> tuple[str, ...]:
    if not r.held[seat]:
        return ()
    revealed = [*r.aside[seat], *r.line[seat]] if r.phase == BEAT else r.melee[seat]
    sure = list(pile_texts(r.kept[seat]))
    for card in card_texts(revealed[: HAND - r.held[seat]]):
        if card in sure:
            sure.remove(card)
    return tuple(sure)


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


def joust_of(r: Fields) -> Joust:
    """The last joust, scored from the third pair to the first (K7)."""
    pairs = tuple(pair_of(*cards) for cards in zip(*r.last_line, strict=True))
    deciding = next((k for k in range(LINE, 0, -1) if pairs[k - 1].margin >= UNHORSING), None)
    return Joust(
        discards=tuple(card_texts(cards) for cards in r.last_aside),
        pairs=pairs,
        deciding=deciding,
        winner=pairs[deciding - 1].winner if deciding else None,
    )
