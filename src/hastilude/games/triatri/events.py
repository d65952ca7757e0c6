"""TriATri: what happened, told from the difference of two redacted states."""

from collections.abc import Iterator
from dataclasses import dataclass

from hastilude.core.events import Event
from hastilude.core.rules import SPECTATOR, Fields
from hastilude.games.triatri.notation import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    EXCHANGE_TEXT,
    hand_texts,
)
from hastilude.games.triatri.rules import (
    BEATEN_BY,
    BID,
    BY_CIRCLE,
    BY_FOURTH,
    COLOURS,
    DEAL,
    DRAW,
    EARLY_END,
    EXCHANGE,
    HAND,
    INSTANT_WIN,
    NAME,
    NOTHING,
    OVER,
    PAIR_POINTS,
    SET_POINTS,
    TRICKS,
    UNDECIDED,
    colour_of,
    number_of,
    sort_gems,
)
from hastilude.games.triatri.view import cards_aside, score_of

# --- the bid for the start ----------------------------------------------------------------------

CHAPTERS = ("bid", "trick", "round", "match")  # the shortest first


@dataclass(frozen=True)
class RoundBegan(Event, clause="A3"):
    """Every player has so many cards; so many lie aside."""

    round: int
    size: int
    aside: int


@dataclass(frozen=True)
class Dealt(Event, clause="A3"):
    """The viewer's own cards."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class BidMade(Event, clause="A5"):
    """Somebody else's bid lies face down."""

    seat: int


@dataclass(frozen=True)
class OwnBid(Event, clause="A5"):
    """The viewer's own bid."""

    seat: int
    card: str


@dataclass(frozen=True)
class BidRevealed(Event, clause="A5"):
    seat: int
    card: str
    number: int


@dataclass(frozen=True)
class TakenBack(Event, clause="A5"):
    """All bids count the same: they go back to the hands, and all bid again."""

    number: int


@dataclass(frozen=True)
class NeverDecided(Event, clause="A5"):
    """The third bid in a row that decides nothing: it is discarded, the start will be drawn."""

    number: int


@dataclass(frozen=True)
class StartByNumber(Event, clause="A5", ends="bid"):
    seat: int
    card: str
    number: int


@dataclass(frozen=True)
class StartByColour(Event, clause="A5", ends="bid"):
    """Two share the highest number."""

    seat: int
    card: str
    number: int
    colour: str
    beaten: str


@dataclass(frozen=True)
class StartByFourth(Event, clause="A5", ends="bid"):
    """The three others share a number."""

    seat: int
    card: str
    number: int


@dataclass(frozen=True)
class StartDrawn(Event, clause="A5", ends="bid"):
    seat: int


# --- a trick ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GemFromSupply(Event, clause="A6"):
    """`left`: gems of this colour that stay in the supply."""

    seat: int
    gem: str
    left: int


@dataclass(frozen=True)
class GemOfOwn(Event, clause="A6"):
    """`left`: gems of this colour that the seat keeps."""

    seat: int
    gem: str
    left: int


@dataclass(frozen=True)
class Followed(Event, clause="A7"):
    """A card of the gem's colour."""

    seat: int
    card: str
    number: int
    gem: str


@dataclass(frozen=True)
class PlayedFreely(Event, clause="A7"):
    """A card of another colour: the seat has none of the gem's colour left."""

    seat: int
    card: str
    number: int
    gem: str


@dataclass(frozen=True)
class ExchangePlayed(Event, clause="A7"):
    seat: int
    card: str


@dataclass(frozen=True)
class Doubled(Event, clause="A8"):
    """The colour beats that of `against`, the card that lies in front of the `previous` seat."""

    seat: int
    card: str
    number: int
    worth: int
    colour: str
    beaten: str
    previous: int
    against: str


@dataclass(frozen=True)
class Quadrupled(Event, clause="A8"):
    """Likewise, for a 2."""

    seat: int
    card: str
    number: int
    worth: int
    colour: str
    beaten: str
    previous: int
    against: str


@dataclass(frozen=True)
class ExchangeFirst(Event, clause="A9"):
    """An exchange card played first has nothing to change places with."""

    seat: int


@dataclass(frozen=True)
class Swapped(Event, clause="A9"):
    """The card worth most goes from its `owner` to the seat, the exchange card to the owner."""

    seat: int
    owner: int
    card: str
    worth: int


@dataclass(frozen=True)
class SwappedNothing(Event, clause="A9"):
    """There were only exchange cards on the table."""

    seat: int


@dataclass(frozen=True)
class WonByWorth(Event, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    gem: str


@dataclass(frozen=True)
class WonByColour(Event, clause="A10", ends="trick"):
    """Cards of two colours are worth most; one of the colour that beats the other wins."""

    seat: int
    card: str
    worth: int
    colour: str
    beaten: str
    gem: str


@dataclass(frozen=True)
class WonByColourLater(Event, clause="A10", ends="trick"):
    """Likewise, and there were several of that colour: the later player wins."""

    seat: int
    card: str
    worth: int
    colour: str
    beaten: str
    gem: str


@dataclass(frozen=True)
class WonLaterOneColour(Event, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    colour: str
    gem: str


@dataclass(frozen=True)
class WonLaterThreeColours(Event, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    gem: str


@dataclass(frozen=True)
class WonLaterExchange(Event, clause="A10", ends="trick"):
    """Nothing but exchange cards was played."""

    seat: int
    gem: str


@dataclass(frozen=True)
class StartsNext(Event, clause="A11"):
    seat: int


# --- the end ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundOver(Event, clause="A11", ends="round"):
    round: int


@dataclass(frozen=True)
class InstantWin(Event, clause="A12", ends="round"):
    seat: int
    red: int
    blue: int
    green: int


@dataclass(frozen=True)
class EarlyEnd(Event, clause="A13", ends="round"):
    """The supply has no gem of this colour left."""

    gem: str


@dataclass(frozen=True)
class NoGems(Event, clause="A14"):
    """There is nothing to score."""

    seat: int


@dataclass(frozen=True)
class ScoredSets(Event, clause="A14"):
    """So many sets of one gem of every colour."""

    seat: int
    sets: int
    points: int


@dataclass(frozen=True)
class ScoredPairs(Event, clause="A14"):
    """So many pairs of different colours, after the sets."""

    seat: int
    pairs: int
    points: int


@dataclass(frozen=True)
class ScoredLeft(Event, clause="A14"):
    """So many gems left after that, each worth the number of such gems in the supply."""

    seat: int
    left: int
    gem: str
    supply: int
    points: int


@dataclass(frozen=True)
class Scored(Event, clause="A14", ends="round"):
    """All points of a seat, and its gems, which may break a tie."""

    seat: int
    points: int
    gems: int


@dataclass(frozen=True)
class EndedAtOnce(Event, clause="A12", ends="match"):
    winner: int
    scores: tuple[int, ...]


@dataclass(frozen=True)
class EndedByPoints(Event, clause="A15", ends="match"):
    winner: int
    scores: tuple[int, ...]


@dataclass(frozen=True)
class EndedByGems(Event, clause="A15", ends="match"):
    """Several have the most points; one of them has more gems than the others."""

    winner: int
    scores: tuple[int, ...]
    gems: int


@dataclass(frozen=True)
class EndedShared(Event, clause="A15", ends="match"):
    """These have the most points, and equally many gems."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    gems: int


# --- telling ------------------------------------------------------------------------------------


def tell(before: Fields, after: Fields) -> Iterator[Event]:
    if before.phase == DEAL:
        yield from tell_deal(after)
    elif before.phase == DRAW:
        yield StartDrawn(after.first[1])
    elif before.phase == BID:
        yield from tell_bid(before, after)
    elif before.phase == NAME:
        yield tell_gem(after)
    else:
        yield from tell_play(before, after)


def tell_deal(after: Fields) -> Iterator[Event]:
    yield RoundBegan(after.round, HAND, cards_aside(after.players))
    if after.viewer != SPECTATOR:
        yield Dealt(after.viewer, hand_texts(after.hand[after.viewer]))


def tell_bid(before: Fields, after: Fields) -> Iterator[Event]:
    attempt = before.attempt
    revealed = after.phase != BID or after.attempt > attempt
    (seat,) = before.pending if revealed else set(before.pending) - set(after.pending)
    if seat == after.viewer:
        yield OwnBid(seat, CARD_TEXTS[after.bid[attempt][seat]])
    else:
        yield BidMade(seat)
    if revealed:
        bids = after.bid[attempt][: after.players]
        for bidder, card in enumerate(bids):
            yield BidRevealed(bidder, CARD_TEXTS[card], number_of(card))
        yield tell_start(after, bids)


def tell_start(after: Fields, bids: list[int]) -> Event:
    if after.decided == UNDECIDED:
        outcome = NeverDecided if after.phase == DRAW else TakenBack
        return outcome(number_of(bids[0]))
    seat = after.first[1]
    card = bids[seat]
    text, number = CARD_TEXTS[card], number_of(card)
    if after.decided == BY_CIRCLE:
        return StartByColour(seat, text, number, *beating(colour_of(card)))
    if after.decided == BY_FOURTH:
        return StartByFourth(seat, text, number_of(bids[seat - 1]))
    return StartByNumber(seat, text, number)


def beating(colour: int) -> tuple[str, str]:
    """A colour and the one that it beats (A4)."""
    return COLOUR_LETTERS[colour], COLOUR_LETTERS[BEATEN_BY.tolist().index(colour)]


def tell_gem(after: Fields) -> Event:
    seat, colour = after.first[after.trick], after.gem[after.trick]
    gem = COLOUR_LETTERS[colour]
    if after.own[after.trick]:
        return GemOfOwn(seat, gem, after.gems[seat][colour])
    return GemFromSupply(seat, gem, after.supply[colour])


def tell_play(before: Fields, after: Fields) -> Iterator[Event]:
    trick = before.trick
    (seat,) = before.pending
    card, gem = after.played[trick][seat], after.gem[trick]
    if card == EXCHANGE:
        yield ExchangePlayed(seat, EXCHANGE_TEXT)
        yield tell_exchange(before, after, seat)
    else:
        played = Followed if colour_of(card) == gem else PlayedFreely
        yield played(seat, CARD_TEXTS[card], number_of(card), COLOUR_LETTERS[gem])
        yield from tell_worth(after, trick, seat)
    if after.trick > trick:
        yield tell_winner(after, trick)
        yield from tell_what_follows(after, trick)


def tell_exchange(before: Fields, after: Fields, seat: int) -> Event:
    trick = before.trick
    if seat == before.first[trick]:
        return ExchangeFirst(seat)
    card, worth = after.lies[trick][seat], after.worth[trick][seat]
    if card == EXCHANGE:
        return SwappedNothing(seat)
    owner = before.lies[trick].index(card)
    return Swapped(seat, owner, CARD_TEXTS[card], worth)


def tell_worth(after: Fields, trick: int, seat: int) -> Iterator[Event]:
    """A8, if the card is worth more than its number."""
    card, worth = after.lies[trick][seat], after.worth[trick][seat]
    number = number_of(card)
    if worth > number:
        previous = (seat - 1) % after.players
        more = Doubled if worth == 2 * number else Quadrupled
        yield more(
            seat, CARD_TEXTS[card], number, worth,
            *beating(colour_of(card)), previous, CARD_TEXTS[after.lies[trick][previous]],
        )  # fmt: skip


def tell_winner(after: Fields, trick: int) -> Event:
    """A10: the winner, and why."""
    seat = after.winner[trick]
    card, worth = after.lies[trick][seat], after.worth[trick][seat]
    text, gem, colour = CARD_TEXTS[card], COLOUR_LETTERS[after.gem[trick]], colour_of(card)
    equals = [
        colour_of(other)
        for other, other_worth in zip(after.lies[trick], after.worth[trick], strict=True)
        if other != NOTHING and other_worth == worth
    ]
    if card == EXCHANGE:
        return WonLaterExchange(seat, gem)
    if len(equals) == 1:
        return WonByWorth(seat, text, worth, gem)
    if len(set(equals)) == 1:
        return WonLaterOneColour(seat, text, worth, COLOUR_LETTERS[colour], gem)
    if len(set(equals)) == COLOURS:
        return WonLaterThreeColours(seat, text, worth, gem)
    won = WonByColour if equals.count(colour) == 1 else WonByColourLater
    return won(seat, text, worth, *beating(colour), gem)


def tell_what_follows(after: Fields, trick: int) -> Iterator[Event]:
    """After a trick: the next one, the end of the round, the end of the match."""
    if after.ending == INSTANT_WIN:
        winner = after.winner[trick]
        yield InstantWin(winner, *after.gems[winner])
    elif after.ending == EARLY_END:
        yield EarlyEnd(COLOUR_LETTERS[after.supply.index(0)])
    elif trick == TRICKS:
        yield RoundOver(after.round)
    else:
        yield StartsNext(after.winner[trick])
    if after.phase == OVER:
        for seat in range(after.players):
            yield from tell_score(after, seat)
        yield tell_result(after, trick)


def tell_score(after: Fields, seat: int) -> Iterator[Event]:
    """A14, step by step."""
    sets, pairs, left, colour = sort_gems(*after.gems[seat])
    if not any(after.gems[seat]):
        yield NoGems(seat)
    if sets:
        yield ScoredSets(seat, sets, SET_POINTS * sets)
    if pairs:
        yield ScoredPairs(seat, pairs, PAIR_POINTS * pairs)
    if left:
        supply = after.supply[colour]
        yield ScoredLeft(seat, left, COLOUR_LETTERS[colour], supply, left * supply)
    yield Scored(seat, score_of(after.gems[seat], after.supply), sum(after.gems[seat]))


def tell_result(after: Fields, trick: int) -> Event:
    seats = range(after.players)
    scores = tuple(score_of(after.gems[seat], after.supply) for seat in seats)
    if after.ending == INSTANT_WIN:
        return EndedAtOnce(after.winner[trick], scores)
    first = [seat for seat in seats if scores[seat] == max(scores)]
    if len(first) == 1:
        return EndedByPoints(first[0], scores)
    gems = max(sum(after.gems[seat]) for seat in first)
    winners = tuple(seat for seat in first if sum(after.gems[seat]) == gems)
    if len(winners) == 1:
        return EndedByGems(winners[0], scores, gems)
    return EndedShared(winners, scores, gems)
