"""TriATri: what happened, told from the difference of two redacted states."""

from collections.abc import Iterator

from hastilude.core.events import Event
from hastilude.core.frozen import frozen
from hastilude.core.rules import SPECTATOR
from hastilude.games.triatri.notation import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    EXCHANGE_TEXT,
    hand_texts,
)
from hastilude.games.triatri.rules import (
    BID,
    BY_CIRCLE,
    BY_FOURTH,
    COLOUR,
    COLOURS,
    DEAL,
    DRAW,
    EARLY_END,
    EXCHANGE,
    HAND,
    INSTANT_WIN,
    LATER,
    LOWEST,
    NAME,
    TRICKS,
    UNDECIDED,
    Fields,
    colour_of,
    factor_of,
    number_of,
)
from hastilude.games.triatri.view import BEATS, cards_aside, tally_of, trick_in

# --- the bid for the start ----------------------------------------------------------------------

CHAPTERS = ("bid", "trick", "score", "round", "match")  # the shortest first


@frozen
class RoundBegan(Event, clause="A3"):
    """Every player has so many cards; so many lie aside."""

    round: int
    size: int
    aside: int


@frozen
class Dealt(Event, clause="A3"):
    """The viewer's own cards."""

    seat: int
    cards: tuple[str, ...]


@frozen
class BidMade(Event, clause="A5"):
    """Somebody else's bid lies face down."""

    seat: int


@frozen
class OwnBid(Event, clause="A5"):
    """The viewer's own bid."""

    seat: int
    card: str


@frozen
class BidRevealed(Event, clause="A5"):
    seat: int
    card: str
    number: int


@frozen
class TakenBack(Event, clause="A5"):
    """All bids count the same: they go back to the hands, and all bid again."""

    number: int


@frozen
class NeverDecided(Event, clause="A5"):
    """The third bid in a row that decides nothing: it is discarded, the start will be drawn."""

    number: int


@frozen
class StartByNumber(Event, clause="A5", ends="bid"):
    seat: int
    card: str
    number: int


@frozen
class StartByColour(Event, clause="A5", ends="bid"):
    """Two share the highest number."""

    seat: int
    card: str
    number: int
    colour: str
    beaten: str


@frozen
class StartByFourth(Event, clause="A5", ends="bid"):
    """The three others share a number."""

    seat: int
    card: str
    number: int


@frozen
class StartDrawn(Event, clause="A5", ends="bid"):
    seat: int


# --- a trick ------------------------------------------------------------------------------------


@frozen(kw_only=True)
class _GemMoved(Event, clause="A14"):
    """A gem leaves the supply or changes hands: what all seats would have scored before, and what
    they would score now."""

    scores_before: tuple[int, ...]
    scores: tuple[int, ...]


@frozen
class GemFromSupply(_GemMoved, clause="A6"):
    """`left`: gems of this colour that stay in the supply."""

    seat: int
    gem: str
    left: int


@frozen
class GemOfOwn(_GemMoved, clause="A6"):
    """`left`: gems of this colour that the seat keeps."""

    seat: int
    gem: str
    left: int


@frozen
class Followed(Event, clause="A7"):
    """A card of the gem's colour."""

    seat: int
    card: str
    number: int
    gem: str


@frozen
class PlayedFreely(Event, clause="A7"):
    """A card of another colour: the seat has none of the gem's colour left."""

    seat: int
    card: str
    number: int
    gem: str


@frozen
class ExchangePlayed(Event, clause="A7"):
    seat: int
    card: str


@frozen
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


@frozen
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


@frozen
class Redoubled(Event, clause="A17"):
    """Likewise, for a card after one that was doubled itself (option four_times)."""

    seat: int
    card: str
    number: int
    worth: int
    colour: str
    beaten: str
    previous: int
    against: str


@frozen
class ExchangeFirst(Event, clause="A9"):
    """An exchange card played first has nothing to change places with."""

    seat: int


@frozen
class Swapped(Event, clause="A9"):
    """The card worth most goes from its `owner` to the seat, the exchange card to the owner."""

    seat: int
    owner: int
    card: str
    worth: int


@frozen
class SwappedNothing(Event, clause="A9"):
    """There were only exchange cards on the table."""

    seat: int


@frozen
class WonByWorth(_GemMoved, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    gem: str


@frozen
class WonByColour(_GemMoved, clause="A10", ends="trick"):
    """Cards of two colours are worth most; one of the colour that beats the other wins."""

    seat: int
    card: str
    worth: int
    colour: str
    beaten: str
    gem: str


@frozen
class WonByColourLater(_GemMoved, clause="A10", ends="trick"):
    """Likewise, and there were several of that colour: the later player wins."""

    seat: int
    card: str
    worth: int
    colour: str
    beaten: str
    gem: str


@frozen
class WonLaterOneColour(_GemMoved, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    colour: str
    gem: str


@frozen
class WonLaterThreeColours(_GemMoved, clause="A10", ends="trick"):
    seat: int
    card: str
    worth: int
    gem: str


@frozen
class WonLaterExchange(_GemMoved, clause="A10", ends="trick"):
    """Nothing but exchange cards was played."""

    seat: int
    gem: str


@frozen
class WonLater(_GemMoved, clause="A18", ends="trick"):
    """Several cards are worth most, and the later player wins (option equal_worth)."""

    seat: int
    card: str
    worth: int
    gem: str


@frozen
class WonEarlier(_GemMoved, clause="A18", ends="trick"):
    """Likewise, and the earlier player wins."""

    seat: int
    card: str
    worth: int
    gem: str


@frozen
class StartsNext(Event, clause="A11"):
    seat: int


# --- the end ------------------------------------------------------------------------------------


@frozen
class RoundOver(Event, clause="A11", ends="round"):
    round: int


@frozen
class InstantWin(Event, clause="A12", ends="round"):
    seat: int
    red: int
    blue: int
    green: int


@frozen
class EarlyEnd(Event, clause="A13", ends="round"):
    """The supply has no gem of this colour left."""

    gem: str


@frozen
class NoGems(Event, clause="A14"):
    """There is nothing to score."""

    seat: int


@frozen
class ScoredSets(Event, clause="A14"):
    """So many sets of one gem of every colour."""

    seat: int
    sets: int
    points: int


@frozen
class ScoredPairs(Event, clause="A14"):
    """So many pairs of different colours, after the sets."""

    seat: int
    pairs: int
    points: int


@frozen
class ScoredLeft(Event, clause="A14"):
    """So many gems left after that, each worth the number of such gems in the supply."""

    seat: int
    left: int
    gem: str
    supply: int
    points: int


@frozen
class Scored(Event, clause="A14", ends="score"):
    """All points of a seat, and its gems, which may break a tie."""

    seat: int
    points: int
    gems: int


@frozen
class EndedAtOnce(Event, clause="A12", ends="match"):
    winner: int
    scores: tuple[int, ...]


@frozen
class EndedByPoints(Event, clause="A15", ends="match"):
    winner: int
    scores: tuple[int, ...]


@frozen
class EndedByGems(Event, clause="A15", ends="match"):
    """Several have the most points; one of them has more gems than the others."""

    winner: int
    scores: tuple[int, ...]
    gems: int


@frozen
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
        yield tell_gem(before, after)
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


def tell_start(after: Fields, bids: tuple[int, ...]) -> Event:
    if after.decided == UNDECIDED:
        outcome = NeverDecided if after.phase == DRAW else TakenBack
        return outcome(number_of(bids[0]))
    seat = after.first[1]
    card = bids[seat]
    text, number = CARD_TEXTS[card], number_of(card)
    if after.decided == BY_CIRCLE:
        return StartByColour(seat, text, number, text[0], BEATS[text[0]])
    if after.decided == BY_FOURTH:
        return StartByFourth(seat, text, number_of(bids[seat - 1]))
    return StartByNumber(seat, text, number)


def tell_gem(before: Fields, after: Fields) -> Event:
    seat, colour = after.first[after.trick], after.gem[after.trick]
    gem, moved = COLOUR_LETTERS[colour], scores_of(before, after)
    if after.own[after.trick]:
        return GemOfOwn(seat, gem, after.gems[seat][colour], **moved)
    return GemFromSupply(seat, gem, after.supply[colour], **moved)


def scores_of(before: Fields, after: Fields) -> dict[str, tuple[int, ...]]:
    """The values of `_GemMoved`."""
    seats = slice(after.players)
    return {"scores_before": before.scores[seats], "scores": after.scores[seats]}


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
        yield tell_winner(before, after)
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
    card = after.lies[trick][seat]
    factor = factor_of(card, after.worth[trick][seat])
    if factor > 1:
        text, previous = CARD_TEXTS[card], (seat - 1) % after.players
        four_times = Quadrupled if number_of(card) == LOWEST else Redoubled
        more = Doubled if factor == 2 else four_times  # noqa: PLR2004  # as its name says
        yield more(
            seat, text, number_of(card), after.worth[trick][seat], text[0], BEATS[text[0]],
            previous, CARD_TEXTS[after.lies[trick][previous]],
        )  # fmt: skip


def tell_winner(before: Fields, after: Fields) -> Event:
    """A10: the winner, and why."""
    row, moved = before.trick, scores_of(before, after)
    trick, seat, gem = trick_in(after, row), after.winner[row], COLOUR_LETTERS[after.gem[row]]
    highest = [lying.card for lying in trick.lies if lying and lying.highest]
    card, worth = CARD_TEXTS[after.lies[row][seat]], after.worth[row][seat]
    colour, colours = card[0], [equal[0] for equal in highest]
    if len(highest) > 1 and after.equal_worth != COLOUR:
        variant = WonLater if after.equal_worth == LATER else WonEarlier
        return variant(seat, card, worth, gem, **moved)
    if card == EXCHANGE_TEXT:
        return WonLaterExchange(seat, gem, **moved)
    if len(highest) == 1:
        return WonByWorth(seat, card, worth, gem, **moved)
    if len(set(colours)) == 1:
        return WonLaterOneColour(seat, card, worth, colour, gem, **moved)
    if len(set(colours)) == COLOURS:
        return WonLaterThreeColours(seat, card, worth, gem, **moved)
    won = WonByColour if colours.count(colour) == 1 else WonByColourLater
    return won(seat, card, worth, colour, BEATS[colour], gem, **moved)


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
    if after.winners:
        for seat in range(after.players):
            yield from tell_score(after, seat)
        yield tell_result(after)


def tell_score(after: Fields, seat: int) -> Iterator[Event]:
    """A14, step by step."""
    tally = tally_of(after.gems[seat], after.supply)
    if not tally.gems:
        yield NoGems(seat)
    if tally.sets:
        yield ScoredSets(seat, tally.sets, tally.set_points)
    if tally.pairs:
        yield ScoredPairs(seat, tally.pairs, tally.pair_points)
    if tally.left_gem:
        yield ScoredLeft(seat, tally.left, tally.left_gem, tally.each, tally.left_points)
    yield Scored(seat, after.scores[seat], tally.gems)


def tell_result(after: Fields) -> Event:
    scores, winner = after.scores[: after.players], after.winners[0]
    if after.ending == INSTANT_WIN:
        return EndedAtOnce(winner, scores)
    gems = tally_of(after.gems[winner], after.supply).gems
    if len(after.winners) > 1:
        return EndedShared(after.winners, scores, gems)
    if scores.count(scores[winner]) > 1:
        return EndedByGems(winner, scores, gems)
    return EndedByPoints(winner, scores)
