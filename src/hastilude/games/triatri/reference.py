"""TriATri's reference policy: it values each trick by who would win its gem, and what that changes.

The worth of a gem is its effect on everybody's standing: points (A14), nearness to the instant win
(A12), or the result itself if the trick ends the match (A13). For cards on the table the winner is
computed exactly; seats that still have to play are assumed to hold random unseen cards and to
follow if possible (A7). High cards, twos and exchange cards are saved for better occasions.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.triatri.hidden import gone_from_hand, void_colours
from hastilude.games.triatri.rules import (
    BEATEN_BY,
    BID,
    CHAINS,
    COLOURLESS,
    COLOURS,
    EARLIER,
    EXCHANGE,
    LATER,
    LOWEST,
    NAME,
    NEVER,
    NOTHING,
    NUMBERS,
    OWN,
    ROUNDS,
    SUPPLY,
    TO_WIN,
    TRICKS,
    beats,
    cards_of,
    colour_of,
    legal,
    number_of,
    pack,
    playable,
    points,
    sort_gems,
    without,
    worth_after,
)

WIN = 20.0  # the match, in points
# Nearness to the instant win, in points, by the number of missing gems.
NEARNESS = np.array([0.0, 6.0, 3.0, 1.5, 0.5, 0.0, 0.0])
SUPPLY_USE = 0.2  # gems of a colour that a trick takes from the supply
BEST_RIVAL = 0.5  # the weight of the best of the others; the rest is divided equally
EAGERNESS = 1.0  # how many of a player's legal cards are tried for a winning one
KEEPING = 0.15  # the cost of a card, per unit of its number
KEPT_AS = np.array([6.0, 8.0])  # the numbers that a two and an exchange card count as then
# The worth of starting the first trick, in points, by the number of players: with four, choosing
# the gem is worth a high card, with three it is not.
START = np.array([0.0, 0.0, 2.0, 0.0, 6.0])

# The scratch memory: gems of each seat, the supply, the cards and worths on the table.
GEMS, STOCK, LIES, WORTHS = 0, 12, 16, 20
# From FRACTIONS on, numbers of four bytes: the value to the seat if each seat wins the gem.
FRACTIONS = 32
Fractions: TypeAlias = npt.NDArray[np.float32]

NO_VALUE = -1000.0
MOST_WORTH = 32  # A17: 8, four times
EXCHANGES = np.uint64(0b111 << EXCHANGE)
A_GEM = 1 / 32  # if points are equal, gems decide (A15); there are fewer than 32


def _winning(equal_worth: int, worths: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """The cards that win, if they are worth this, by the worth and colour of the card that wins so
    far (A10, A18)."""
    cards = np.arange(EXCHANGE)
    worth = np.arange(MOST_WORTH + 1)[:, None, None]
    beaten = BEATEN_BY[cards // NUMBERS] == np.arange(COLOURLESS + 1)[:, None]
    wins_ties = (~beaten, np.ones_like(beaten), np.zeros_like(beaten))[equal_worth]
    wins = (worths > worth) | ((worths == worth) & wins_ties)
    # A9: exchange cards take the highest card
    return (wins.astype(np.uint64) << cards.astype(np.uint64)).sum(axis=-1) | EXCHANGES


def _worths(four_times: int, doubled: int) -> npt.NDArray[np.int64]:
    """What each card is worth (A8, A17) after a card of each colour, which may be doubled."""
    cards = np.arange(EXCHANGE)
    numbers = LOWEST + cards % NUMBERS
    many = 4 if four_times == CHAINS and doubled else 2
    factors = np.where((numbers == LOWEST) & (four_times != NEVER), 4, many)
    is_beaten = BEATEN_BY[: COLOURLESS + 1, None] == cards // NUMBERS
    return np.where(is_beaten, factors, 1) * numbers


# The cards that win the trick: by the variants of A17 and A18; whether the card played before is
# doubled, and its colour; worth and colour of the card that wins so far.
WINNING = np.array(
    [
        [
            [[_winning(equal, worths) for worths in _worths(four, doubled)] for doubled in range(2)]
            for equal in range(3)
        ]
        for four in range(3)
    ]
)


@kernel
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    unseen = unseen_by(s, seat)
    if s["phase"] == BID:
        return _bid(s, seat, unseen)
    if s["phase"] == NAME:
        return _name(s, seat, unseen, work)
    gem = int(s["gem"][s["trick"]])
    copy_gems(s, work)
    _judge_outcomes(s, seat, gem, work)
    return best_card(s, seat, gem, legal(s, seat), unseen, KEEPING, work)[1]


# --- the three decisions ------------------------------------------------------------------------


@kernel
def _bid(s: State, seat: int, unseen: Bits) -> int:
    """A5: the bid is always lost, so bid a cheap card, unless starting is worth more."""
    best, chosen = NO_VALUE, NOTHING
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        value = START[s["players"]] * start_chance(s, card, unseen) - KEEPING * kept_as(card)
        if value > best:
            best, chosen = value, card
    return chosen


@kernel
def start_chance(s: State, card: int, unseen: Bits) -> float:
    """The chance that all others bid lower."""
    chance = 1.0
    for _ in range(1, s["players"]):
        chance *= _share(unseen & _below(card), unseen)
    return chance


@kernel
def _name(s: State, seat: int, unseen: Bits, work: Cards) -> int:
    """A6: the gem that is best with the best card to lead for it."""
    best, chosen = NO_VALUE, NOTHING
    rest = legal(s, seat)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        gem = take_gem(s, seat, action, work)
        _judge_outcomes(s, seat, gem, work)
        value = best_card(s, seat, gem, playable(s, seat, gem), unseen, KEEPING, work)[0]
        if value > best:
            best, chosen = value, action
    return chosen


@kernel
def best_card(
    s: State, seat: int, gem: int, cards: Bits, unseen: Bits, keeping: float, work: Cards
) -> tuple[float, int]:
    """A7: the value of the best card to play, and the card, if a card is worth `keeping` per unit
    of its number and the scratch memory has the value of each seat's winning the gem."""
    best, chosen = NO_VALUE, NOTHING
    last = s["trick"] == TRICKS
    rest = cards
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        value = _card_value(s, seat, card, gem, unseen, work)
        if not last:
            value -= keeping * kept_as(card)
        if value > best:
            best, chosen = value, card
    return best, chosen


@kernel
def kept_as(card: int) -> float:
    """Twos can be worth four times as much (A8), and exchange cards take the highest card (A9)."""
    number = number_of(card)
    if number > LOWEST:
        return float(number)
    return float(KEPT_AS[0] if number == LOWEST else KEPT_AS[1])


# --- who wins the trick -------------------------------------------------------------------------


@kernel
def _card_value(s: State, seat: int, card: int, gem: int, unseen: Bits, work: Cards) -> float:
    """The expected value of the trick if the seat plays this card."""
    outcomes = work[FRACTIONS:].view(np.float32)
    players = int(s["players"])
    first = int(s["first"][s["trick"]])
    lay(s, seat, card, work)
    holder = holder_after(s, first, seat, work)
    worth, colour = int(work[WORTHS + holder]), colour_of(work[LIES + holder])
    before, doubled = colour_of(work[LIES + seat]), is_doubled(seat, work)
    value = float(outcomes[holder])
    following = seat + 1 if seat + 1 < players else 0
    while following != first:
        winning = winning_cards(s, worth, colour, before, doubled)
        chance = _win_chance(s, following, winning, gem, unseen)
        value += chance * (float(outcomes[following]) - value)
        before, doubled = gem, 0  # most likely, because most seats can follow
        following = following + 1 if following + 1 < players else 0
    return value


@kernel
def lay(s: State, seat: int, card: int, work: Cards) -> None:
    """A8, A9: put the table in the state after the seat has played the card."""
    players, trick = int(s["players"]), s["trick"]
    first = int(s["first"][trick])
    for other in range(players):
        work[LIES + other] = s["lies"][trick, other]
        work[WORTHS + other] = s["worth"][trick, other]
    work[LIES + seat] = card
    work[WORTHS + seat] = number_of(card)
    if seat == first:
        return
    before = seat - 1 if seat > 0 else players - 1
    if card != EXCHANGE:
        work[WORTHS + seat] = worth_after(s, card, work[LIES + before], work[WORTHS + before])
        return
    dearest = other = first
    while other != seat:
        if work[WORTHS + other] >= work[WORTHS + dearest]:
            dearest = other
        other = other + 1 if other + 1 < players else 0
    work[LIES + seat], work[LIES + dearest] = work[LIES + dearest], work[LIES + seat]
    work[WORTHS + seat], work[WORTHS + dearest] = work[WORTHS + dearest], work[WORTHS + seat]


@kernel
def is_doubled(seat: int, work: Cards) -> int:
    """1 if the card in front of a seat is worth more than its number (A8)."""
    return int(work[WORTHS + seat] > number_of(work[LIES + seat]))


@kernel
def winning_cards(s: State, worth: int, colour: int, before: int, doubled: int) -> Bits:
    """The cards that win against one of this worth and colour, played after a card of the colour
    `before`, which may be doubled."""
    return WINNING[s["four_times"], s["equal_worth"], doubled, before, worth, colour]


@kernel
def holder_after(s: State, first: int, last: int, work: Cards) -> int:
    """A10: who wins if the trick ends with the seat `last`. Comparing one by one also finds the
    latest of three colours."""
    players, variant = int(s["players"]), s["equal_worth"]
    holder = other = first
    while other != last:
        other = other + 1 if other + 1 < players else 0
        worth, best = work[WORTHS + other], work[WORTHS + holder]
        if worth > best or (
            worth == best
            and variant != EARLIER
            and (
                variant == LATER
                or not beats(colour_of(work[LIES + holder]), colour_of(work[LIES + other]))
            )
        ):
            holder = other
    return holder


@kernel
def _win_chance(s: State, seat: int, winning: Bits, gem: int, unseen: Bits) -> float:
    """The chance that a seat which has not played has a winning card, may play it (A7) and does."""
    held = EAGERNESS * float(s["held"][seat])
    followers = unseen & cards_of(gem)
    if void_colours(s, seat) >> gem & 1:
        return _found(winning & unseen & ~followers, unseen & ~followers, held)
    follows = _found(followers, unseen, float(s["held"][seat]))
    playable = followers | unseen & EXCHANGES
    bound = _found(winning & playable, playable, held * _share(playable, unseen))
    free = _found(winning & unseen & ~followers, unseen & ~followers, held)
    return follows * bound + (1.0 - follows) * free


@kernel
def _found(some: Bits, cards: Bits, tries: float) -> float:
    """The chance to find one of `some` among the cards with that many tries, at least one."""
    return 1.0 - (1.0 - _share(some, cards)) ** max(1.0, tries)


@kernel
def _share(some: Bits, cards: Bits) -> float:
    return count(some) / max(1, count(cards))


# --- what a gem is worth ------------------------------------------------------------------------


@kernel
def copy_gems(s: State, work: Cards) -> None:
    for seat in range(s["players"]):
        for colour in range(COLOURS):
            work[GEMS + COLOURS * seat + colour] = s["gems"][seat, colour]
    for colour in range(COLOURS):
        work[STOCK + colour] = s["supply"][colour]


@kernel
def take_gem(s: State, seat: int, action: int, work: Cards) -> int:
    """Copy the gems without the one that an action names (A6); returns its colour."""
    own = action >= OWN
    gem = action - OWN if own else action - SUPPLY
    copy_gems(s, work)
    work[GEMS + COLOURS * seat + gem if own else STOCK + gem] -= 1
    return gem


@kernel
def _judge_outcomes(s: State, seat: int, gem: int, work: Cards) -> None:
    """Compute the value to the seat if each seat wins the gem."""
    outcomes = work[FRACTIONS:].view(np.float32)
    for winner in range(s["players"]):
        work[GEMS + COLOURS * winner + gem] += 1
        outcomes[winner] = _outcome(s, seat, winner, work)
        work[GEMS + COLOURS * winner + gem] -= 1


@kernel
def _outcome(s: State, seat: int, winner: int, work: Cards) -> float:
    if missing_for(winner, work) == 0:  # A12
        return WIN if winner == seat else -WIN
    later = TRICKS - int(s["trick"]) + TRICKS * (ROUNDS - int(s["round"]))
    if min(work[STOCK], work[STOCK + 1], work[STOCK + 2]) == 0:  # A13
        later = 0
    own = _standing(seat, later, work)
    players = int(s["players"])
    best, total = NO_VALUE, 0.0
    for other in range(players):
        if other != seat:
            rival = _standing(other, later, work)
            best = max(best, rival)
            total += rival
    if later == 0:
        return WIN if own > best else -WIN if own < best else 0.0  # A15
    return own - BEST_RIVAL * best - (1.0 - BEST_RIVAL) * total / (players - 1)


@kernel
def _standing(seat: int, later: int, work: Cards) -> float:
    """Points (A14), gems (A15) and nearness to the instant win. Remaining gems will be worth less,
    because the supply shrinks until the end."""
    fire, water, wood = gems_of(seat, work)
    sets, pairs, left, colour = sort_gems(fire, water, wood)
    worth = max(0.0, work[STOCK + colour] - SUPPLY_USE * later)
    standing = points(sets, pairs, 0, 0) + left * worth + A_GEM * (fire + water + wood)
    missing = missing_for(seat, work)
    if missing <= later:
        return standing + NEARNESS[missing]
    return standing


@kernel
def gems_of(seat: int, work: Cards) -> tuple[int, int, int]:
    gems = GEMS + COLOURS * seat
    return int(work[gems]), int(work[gems + 1]), int(work[gems + 2])


@kernel
def missing_for(seat: int, work: Cards) -> int:
    """A12: the number of gems that a seat still needs for the instant win."""
    fire, water, wood = gems_of(seat, work)
    return max(0, TO_WIN - fire) + max(0, TO_WIN - water) + max(0, TO_WIN - wood)


# --- what the seat knows ------------------------------------------------------------------------


@kernel
def unseen_by(s: State, seat: int) -> Bits:
    """A16: the cards that others may hold or that are set aside."""
    cards = without(pack(s["players"]), s["hand"][seat])
    for other in range(s["players"]):
        cards = without(cards, gone_from_hand(s, other))
    return cards


@kernel
def _below(card: int) -> Bits:
    """The cards with a lower number."""
    if card == EXCHANGE:
        return NONE
    column = bit(card % NUMBERS) - ONE
    cards = EXCHANGES
    for colour in range(COLOURS):
        cards |= column << np.uint64(NUMBERS * colour)
    return cards
