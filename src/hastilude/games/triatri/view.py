"""TriATri: what a seat may know (A16), for people and their clients."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from hastilude.core.bits import count
from hastilude.core.rules import SPECTATOR, Fields
from hastilude.games.triatri.notation import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    SOURCES,
    card_text,
    colour_text,
    hand_texts,
)
from hastilude.games.triatri.rules import (
    BID,
    BY_CIRCLE,
    BY_DRAW,
    BY_FOURTH,
    BY_NUMBER,
    DEAL,
    DRAW,
    EARLY_END,
    HAND,
    INSTANT_WIN,
    LAST_ROUND,
    NAME,
    NOTHING,
    OVER,
    PLAY,
    TRICKS,
    number_of,
    pack,
    points,
    sort_gems,
)

Row: TypeAlias = tuple[int, ...]

PHASES = {DEAL: "deal", DRAW: "draw", BID: "bid", NAME: "name", PLAY: "play", OVER: "over"}
DECISIONS = {BY_NUMBER: "number", BY_CIRCLE: "circle", BY_FOURTH: "fourth", BY_DRAW: "draw"}
ENDINGS = {INSTANT_WIN: "instant_win", EARLY_END: "early_end", LAST_ROUND: "last_round"}


@dataclass(frozen=True)
class Lying:
    """The card that lies in front of a seat, what it is worth, and how many times its number."""

    card: str
    worth: int
    factor: int


@dataclass(frozen=True)
class Trick:
    """A trick, finished or on the table: its gem (`source`: "supply" or "own") and, by seat, the
    card played from the hand and the one that lies there since; they differ after an exchange."""

    start: int
    gem: str | None
    source: str | None
    played: tuple[str | None, ...]
    lies: tuple[Lying | None, ...]
    winner: int | None


@dataclass(frozen=True)
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards and colours texts.

    A bid is among the cards held until it is discarded. Of `bids`, revealed in this round, all but
    the one that decided went back to the hands; `known` are the cards shown so that are still
    there. `table` is the trick being played. `scores` are by the gems and the supply of now.
    """

    viewer: int | None
    players: int
    phase: str
    pending: tuple[int, ...]
    round: int
    trick: int
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    aside: int
    has_bid: tuple[bool, ...]
    bid: str | None
    bids: tuple[tuple[str, ...], ...]
    decided: str | None
    known: tuple[tuple[str, ...], ...]
    gems: tuple[dict[str, int], ...]
    supply: dict[str, int]
    table: Trick | None
    tricks: tuple[Trick, ...]
    last_trick: Trick | None
    scores: tuple[int, ...]
    ending: str | None


def view_of(r: Fields) -> View:
    viewer = None if r.viewer == SPECTATOR else r.viewer
    seats = range(r.players)
    return View(
        viewer=viewer,
        players=r.players,
        phase=PHASES[r.phase],
        pending=r.pending,
        round=r.round,
        trick=min(r.trick, TRICKS),
        hand=() if viewer is None else hand_texts(r.hand[viewer]),
        hand_sizes=tuple(r.held[: r.players]),
        aside=cards_aside(r.players) if r.round else 0,
        has_bid=tuple(r.phase == BID and seat not in r.pending for seat in seats),
        bid=None if viewer is None or r.phase != BID else card_text(r.bid[r.attempt][viewer]),
        bids=tuple(bid_texts(r, attempt) for attempt in revealed_bids(r)),
        decided=DECISIONS.get(r.decided),
        known=tuple(known_cards(r, seat) for seat in seats),
        gems=tuple(by_colour(r.gems[seat]) for seat in seats),
        supply=by_colour(r.supply),
        table=trick_in(r, r.trick) if r.phase in (NAME, PLAY) else None,
        tricks=tuple(trick_in(r, row) for row in range(1, r.trick)),
        last_trick=trick_in(r, r.trick - 1) if r.winner[r.trick - 1] != NOTHING else None,
        scores=tuple(score_of(r.gems[seat], r.supply) for seat in seats),
        ending=ENDINGS.get(r.ending),
    )


def cards_aside(players: int) -> int:
    return count(pack(players)) - HAND * players


def revealed_bids(r: Fields) -> range:
    """The rows of `bid` that everybody has seen."""
    if r.phase == BID:
        return range(r.attempt)
    return range(r.attempt + 1 if r.round else 0)


def bid_texts(r: Fields, attempt: int) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in r.bid[attempt][: r.players])


def known_cards(r: Fields, seat: int) -> tuple[str, ...]:
    """The cards of bids taken back that have not left the hand since (A5).

    Never two exchange cards: only with two players do they go back, one to each.
    """
    shown = {bids[seat] for bids in r.bid[: r.attempt]}
    gone = {cards[seat] for cards in r.played[1:]}
    if r.phase != BID:
        gone.add(r.bid[r.attempt][seat])
    return tuple(CARD_TEXTS[card] for card in sorted(shown - gone))


def by_colour(gems: Row) -> dict[str, int]:
    return dict(zip(COLOUR_LETTERS, gems, strict=True))


def trick_in(r: Fields, row: int) -> Trick:
    played, lies, worths = (cards[row][: r.players] for cards in (r.played, r.lies, r.worth))
    return trick_of(r.first[row], r.gem[row], r.own[row], played, lies, worths, r.winner[row])


@lru_cache(maxsize=4096)  # every view of a round shows the same tricks
def trick_of(
    first: int, gem: int, own: int, played: Row, lies: Row, worths: Row, winner: int
) -> Trick:
    return Trick(
        start=first,
        gem=colour_text(gem),
        source=None if gem == NOTHING else SOURCES[own],
        played=tuple(card_text(card) for card in played),
        lies=tuple(lying(card, worth) for card, worth in zip(lies, worths, strict=True)),
        winner=None if winner == NOTHING else winner,
    )


def lying(card: int, worth: int) -> Lying | None:
    if card == NOTHING:
        return None
    number = number_of(card)
    return Lying(CARD_TEXTS[card], worth, worth // number if number else 1)


@lru_cache(maxsize=4096)
def score_of(gems: Row, supply: Row) -> int:
    sets, pairs, left, colour = sort_gems(*gems)
    return points(sets, pairs, left, supply[colour])
