"""TriATri: what a seat may know (A16), for people and their clients."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from hastilude.core.bits import count
from hastilude.core.frozen import frozen
from hastilude.core.game import Suit
from hastilude.core.rules import SPECTATOR
from hastilude.core.states import seats_of
from hastilude.games.triatri.notation import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    EXCHANGE_TEXT,
    SOURCES,
    card_text,
    colour_text,
    hand_texts,
)
from hastilude.games.triatri.rules import (
    BEATEN_BY,
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
    Fields,
    factor_of,
    most_worth,
    pack,
    points,
    sort_gems,
)

Row: TypeAlias = tuple[int, ...]

PHASES = {DEAL: "deal", DRAW: "draw", BID: "bid", NAME: "name", PLAY: "play", OVER: "over"}
DECISIONS = {BY_NUMBER: "number", BY_CIRCLE: "circle", BY_FOURTH: "fourth", BY_DRAW: "draw"}
ENDINGS = {INSTANT_WIN: "instant_win", EARLY_END: "early_end", LAST_ROUND: "last_round"}
# A4: each colour and the colour that it beats.
BEATS = {
    letter: COLOUR_LETTERS[BEATEN_BY.tolist().index(colour)]
    for colour, letter in enumerate(COLOUR_LETTERS)
}


@frozen
class Lying:
    """The card in front of a seat, its worth, and how many times its number that is.

    `highest`: no card of the trick is worth more.
    """

    card: str
    worth: int
    factor: int
    highest: bool


@frozen
class Trick:
    """A trick, finished or on the table: its gem (`source`: "supply" or "own") and, by seat, the
    card played from the hand and the card there now, which differ after an exchange. `round` and
    `number` count from 1."""

    start: int
    gem: str | None
    source: str | None
    played: tuple[str | None, ...]
    lies: tuple[Lying | None, ...]
    winner: int | None
    round: int
    number: int


@frozen
class Tally:
    """What a seat's gems score with the current supply (A14): sets of all colours, pairs of two,
    and the remaining gems of one colour (`left_gem`; None if there are none), each worth `each`."""

    sets: int
    set_points: int
    pairs: int
    pair_points: int
    left: int
    left_gem: str | None
    each: int
    left_points: int
    gems: int


@frozen
class View:
    """What one seat (None: a spectator) may know. Seats are numbers, cards and colours texts.

    A bid counts as held until it is discarded. Of the `bids` revealed in this round, all but the
    one that decided went back to the hands; `known` are the cards shown that way and still there.
    `table` is the current trick. `scores` are with the current gems and supply, and `tallies` say
    how they come about. `ahead` are the seats that would win now, unless all are equal; `winners`
    is empty until the match is over. `beats` has the colour that each colour beats.
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
    tallies: tuple[Tally, ...]
    ahead: tuple[int, ...]
    winners: tuple[int, ...]
    beats: dict[str, str]


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
        hand_sizes=r.held[: r.players],
        aside=cards_aside(r.players) if r.round else 0,
        has_bid=tuple(r.phase == BID and seat not in r.pending for seat in seats),
        bid=None if viewer is None or r.phase != BID else card_text(r.bid[r.attempt][viewer]),
        bids=tuple(bid_texts(r.bid[attempt][: r.players]) for attempt in revealed_bids(r)),
        decided=DECISIONS.get(r.decided),
        known=tuple(hand_texts(r.known[seat]) for seat in seats),
        gems=tuple(by_colour(r.gems[seat]) for seat in seats),
        supply=by_colour(r.supply),
        table=trick_in(r, r.trick) if r.phase in (NAME, PLAY) else None,
        tricks=tuple(trick_in(r, row) for row in range(1, r.trick)),
        last_trick=trick_in(r, r.trick - 1) if r.winner[r.trick - 1] != NOTHING else None,
        scores=r.scores[: r.players],
        ending=ENDINGS.get(r.ending),
        tallies=tuple(tally_of(r.gems[seat], r.supply) for seat in seats),
        ahead=seats_of(r.ahead),
        winners=r.winners,
        beats=BEATS,
    )


def tracker_of(r: Fields) -> tuple[Suit, ...]:
    """The pack of the round by colour, then the exchange cards, which are all the same."""
    cards = hand_texts(int(pack(r.players)))
    hand = () if r.viewer == SPECTATOR else hand_texts(r.hand[r.viewer])
    unseen = hand_texts(r.unseen)
    places = {}
    for card in dict.fromkeys(cards):
        held, hidden = hand.count(card), unseen.count(card)
        known = cards.count(card) - held - hidden
        places[card] = ["hand"] * held + ["seen"] * known + ["unseen"] * hidden
    return tuple(
        Suit(
            suit,
            tuple(
                (card[1:] or card, place)
                for card in places
                if card[0] == suit
                for place in places[card]
            ),
        )
        for suit in (*COLOUR_LETTERS, EXCHANGE_TEXT)
    )


def cards_aside(players: int) -> int:
    return count(pack(players)) - HAND * players


def revealed_bids(r: Fields) -> range:
    """The rows of `bid` that everybody has seen."""
    if r.phase == BID:
        return range(r.attempt)
    return range(r.attempt + 1 if r.round else 0)


# Most parts of a view are as in the views before, so they are made once. Each depends only on what
# it is given, and that comes from what the viewer may know.


@lru_cache(maxsize=4096)
def bid_texts(bids: Row) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in bids)


@lru_cache(maxsize=4096)
def by_colour(gems: Row) -> dict[str, int]:
    return dict(zip(COLOUR_LETTERS, gems, strict=True))


def trick_in(r: Fields, row: int) -> Trick:
    """The trick in a row of the state; row 0 is the last trick of the round before."""
    when = (r.round, row) if row else (r.round - 1, TRICKS)
    played, lies = r.played[row][: r.players], r.lies[row][: r.players]
    gem = r.gem[row], r.own[row]
    return trick_of(when, r.first[row], gem, played, lies, r.worth[row], r.winner[row])


@lru_cache(maxsize=4096)
def trick_of(
    when: Row, first: int, gem: Row, played: Row, lies: Row, worths: Row, winner: int
) -> Trick:
    colour, own = gem
    most = most_worth(np.array(worths, np.int8))
    return Trick(
        start=first,
        gem=colour_text(colour),
        source=None if colour == NOTHING else SOURCES[own],
        played=tuple(card_text(card) for card in played),
        lies=tuple(lying(card, worth, most) for card, worth in zip(lies, worths, strict=False)),
        winner=None if winner == NOTHING else winner,
        round=when[0],
        number=when[1],
    )


def lying(card: int, worth: int, most: int) -> Lying | None:
    if card == NOTHING:
        return None
    return Lying(CARD_TEXTS[card], worth, factor_of(card, worth), worth == most)


@lru_cache(maxsize=4096)
def tally_of(gems: Row, supply: Row) -> Tally:
    sets, pairs, left, colour = sort_gems(*gems)
    return Tally(
        sets=sets,
        set_points=points(sets, 0, 0, 0),
        pairs=pairs,
        pair_points=points(0, pairs, 0, 0),
        left=left,
        left_gem=COLOUR_LETTERS[colour] if left else None,
        each=supply[colour],
        left_points=points(0, 0, left, supply[colour]),
        gems=sum(gems),
    )
