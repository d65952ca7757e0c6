"""King's Tournament: what a seat may know, for people and their clients."""

from functools import cache, lru_cache

import numpy as np

from hastilude.core.frozen import frozen
from hastilude.core.rules import SPECTATOR
from hastilude.games.kings_tournament.cards import (
    BLANK,
    MARGIN,
    are_doubles,
    is_blocked,
    worth,
)
from hastilude.games.kings_tournament.notation import CARD_TEXTS, card_texts, pile_of, pile_texts
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    BEAT,
    DECK,
    HAND,
    WANTED,
    Fields,
    Rows,
    deciding_beat,
    games_to_win,
    hits,
)

PHASES = ("new_game", "joust", "discard", "beat", "lead", "answer", "over")
JOUSTS = ("committed", "stepwise")  # option `joust`
MOUNTED = ((False, False), (True, False), (False, True), (True, True))  # by the set of seats


@frozen
class Pair:
    """Two cards that faced each other, and their worths, by seat. `winner` is worth more.

    Where a block or two double strikes tie, no worth is defined; both are given as 0. `tie` is
    "block", "doubles", "equal" or None. `hit`: the margin is enough for a hit in the melee.
    """

    cards: tuple[str, ...]
    worths: tuple[int, ...]
    margin: int
    winner: int | None
    hit: bool
    tie: str | None


@frozen
class Joust:
    """A scored joust: the pairs from first to third, and which of them (1 to 3) decided it.

    `fates` say what became of each pair: "close" (it could not decide), "decides", or "ignored"
    because a later one decides.
    """

    discards: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]
    deciding: int | None
    winner: int | None
    fates: tuple[str, ...]


@frozen
class Turn:
    """A turn of the melee: who revealed first, and the two cards."""

    leader: int
    pair: Pair


@frozen
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards their texts.

    `choice` is the viewer's own hidden choice so far; `chosen` says who has finished a choice that
    the other player has not. `line` and `aside` are the revealed cards of the current joust (option
    stepwise), `led` is the card that waits for an answer, `turns` the melee since the last draw.
    `unseen` has the rest of each player's cards: neither face up nor held by the viewer. `sure` are
    cards that everybody knows to be in a hand (K13).

    `wanted` is how many cards each pending seat chooses now, `to_win` how many games win the match.
    `hits` are the hits that each player has struck in this game, `unhorsed` is the seat that lost
    its joust. `last` says what was scored last, "joust" or "turn" (None: nothing yet). `fallen` is
    the seat whose knight was defeated, until the next game; `winners` is empty until the match is
    over. `joust_margin` decides a joust (K7), `melee_margin` hits in the melee (K12).
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
    wanted: int
    to_win: int
    hits: tuple[int, ...]
    unhorsed: int | None
    last: str | None
    fallen: int | None
    winners: tuple[int, ...]
    joust_margin: int
    melee_margin: int


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    return View(
        viewer=viewer,
        phase=PHASES[r.phase],
        pending=r.pending,
        best_of=r.best_of,
        joust=JOUSTS[r.stepwise],
        game=r.game,
        scores=r.scores,
        drawn=r.drawn,
        mounted=MOUNTED[r.mounted],
        jousts=r.jousts,
        reveals=r.reveals,
        hand=() if viewer is None else pile_texts(r.hand[viewer]),
        choice=() if viewer is None else card_texts(r.choice[viewer]),
        chosen=(has_chosen(r, 0), has_chosen(r, 1)),
        hand_sizes=r.held,
        deck_sizes=(deck_size(r, 0), deck_size(r, 1)),
        discards=(discard_texts(r, 0), discard_texts(r, 1)),
        unseen=(pile_texts(r.unseen[0]), pile_texts(r.unseen[1])),
        sure=(pile_texts(r.sure[0]), pile_texts(r.sure[1])),
        aside=texts_in_beat(r, r.aside),
        line=texts_in_beat(r, r.line),
        leader=seat_or_none(r.leader),
        led=CARD_TEXTS[on_table(r, r.leader)[0]] if r.phase == ANSWER else None,
        turns=turns_of(r),
        last_joust=None if r.last_line[0][0] == BLANK else last_joust(r),
        last_turn=None
        if r.last_led == BLANK
        else turn_of(r.last_led, *r.last_turn, r.melee_margin),
        wanted=WANTED[r.phase],
        to_win=games_to_win(r.best_of),
        hits=r.hits,
        unhorsed=seat_or_none(r.unhorsed),
        last=last_scored(r),
        fallen=seat_or_none(r.fallen),
        winners=r.winners,
        joust_margin=r.joust_margin,
        melee_margin=r.melee_margin,
    )


def seat_or_none(seat: int) -> int | None:
    return None if seat == BLANK else seat


def last_scored(r: Fields) -> str | None:
    if r.turn_is_last:
        return "turn"
    return None if r.last_line[0][0] == BLANK else "joust"


def has_chosen(r: Fields, seat: int) -> bool:
    """Whether the seat has finished its choice and the other player has not."""
    return r.chosen[seat] == WANTED[r.phase] > 0


def deck_size(r: Fields, seat: int) -> int:
    return DECK - r.top[seat]


def on_table(r: Fields, seat: int) -> tuple[int, ...]:
    """The cards that are face up and not discarded yet."""
    if r.phase == BEAT:
        return r.line[seat]
    if r.phase == ANSWER and seat == r.leader:
        return (r.melee[seat][HAND - 1 - r.held[seat]],)
    return ()


def discard_texts(r: Fields, seat: int) -> tuple[str, ...]:
    return pile_texts(r.seen[seat] - pile_of(on_table(r, seat)))


def texts_in_beat(r: Fields, cards: Rows) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both players' cards of a joust that is being revealed beat by beat."""
    return (card_texts(cards[0]), card_texts(cards[1])) if r.phase == BEAT else ((), ())


def turns_of(r: Fields) -> tuple[Turn, ...]:
    """The melee turns with the current hands."""
    turns = range(HAND - max(r.held))
    return tuple(
        turn_of(r.led[k], r.melee[0][k], r.melee[1][k], r.melee_margin)
        for k in turns
        if r.led[k] != BLANK
    )


@cache
def turn_of(leader: int, first: int, second: int, melee_margin: int) -> Turn:
    return Turn(leader, pair_of(first, second, melee_margin))


def last_pair(r: Fields) -> Pair:
    """The cards of the last melee turn."""
    return pair_of(*r.last_turn, r.melee_margin)


@cache
def pair_of(first: int, second: int, melee_margin: int) -> Pair:
    """The cards of seat 0 and seat 1 facing each other (K2)."""
    margin = int(MARGIN[first, second])
    return Pair(
        cards=(CARD_TEXTS[first], CARD_TEXTS[second]),
        worths=(worth(first, second), worth(second, first)),
        margin=abs(margin),
        winner=int(margin < 0) if margin else None,
        hit=hits(margin, melee_margin),
        tie=None if margin else why_tied(first, second),
    )


def why_tied(first: int, second: int) -> str:
    if is_blocked(first, second):
        return "block"
    return "doubles" if are_doubles(first, second) else "equal"


def last_joust(r: Fields) -> Joust:
    return joust_of(r.last_line, r.last_aside, r.joust_margin, r.melee_margin)


@lru_cache(maxsize=4096)  # every view until the next joust shows it
def joust_of(line: Rows, aside: Rows, joust_margin: int, melee_margin: int) -> Joust:
    """A joust scored from the third pair to the first (K7)."""
    pairs = tuple(pair_of(*cards, melee_margin) for cards in zip(*line, strict=True))
    deciding = deciding_beat(np.array(line, np.int8), joust_margin)
    decided = deciding != BLANK
    fates = ["ignored" if beat < deciding else "close" for beat in range(len(pairs))]
    if decided:
        fates[deciding] = "decides"
    return Joust(
        discards=tuple(card_texts(cards) for cards in aside),
        pairs=pairs,
        deciding=deciding + 1 if decided else None,
        winner=pairs[deciding].winner if decided else None,
        fates=tuple(fates),
    )
