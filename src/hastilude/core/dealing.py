"""Deals unseen cards to places, some of which are known to lack some suits."""

from hastilude.core.kernel import kernel
from hastilude.core.random import Rng, below, draw, shuffle
from hastilude.core.rules import Cards

# The parts of the scratch memory (`rules.WORK` cells) that `deal_unseen` reads and writes.
CARDS, SUITS, ALLOWED, FREE, DEALT = 0, 72, 144, 216, 288

MOST_DEALS = 1_000_000  # a few are enough; so many mean that the known facts are contradictory


@kernel
def deal_unseen(rng: Rng, work: Cards, size: int, suits: int) -> None:
    """Deal `size` cards to as many places, every possible deal equally likely.

    The caller fills `work`: at CARDS the cards, grouped by suit; at SUITS the suit of each; at
    ALLOWED for each place the bit set of suits that it may hold. The card of each place ends
    up at DEALT.

    Dealing suit by suit to random free places would favour deals that leave later suits little
    choice. So a deal is accepted with a probability in proportion to the number of choices it had;
    otherwise dealing starts again. That makes all deals equally likely. Suits that every place may
    hold are dealt last and need no such care; without known voids it is a plain shuffle.
    """
    cards, suit_of = work[CARDS:], work[SUITS:]
    allowed, free, dealt = work[ALLOWED:], work[FREE:], work[DEALT:]
    bound_suits = 0
    for place in range(size):
        bound_suits |= ~allowed[place]
    bound_suits &= (1 << suits) - 1
    for _ in range(MOST_DEALS):
        for place in range(size):
            dealt[place] = -1
        kept = True
        given = 0
        earlier = 0  # the suits dealt so far
        while kept and earlier != bound_suits:
            suit = _tightest(allowed, size, suits, bound_suits & ~earlier)
            first = 0
            while first < size and suit_of[first] != suit:
                first += 1
            many = 0
            while first + many < size and suit_of[first + many] == suit:
                many += 1
            kept = _give_suit(rng, cards[first:], many, suit, earlier, given, work, size)
            given += many
            earlier |= 1 << suit
        if kept:
            break
    else:
        raise ValueError("no deal fits what is known")
    # The remaining cards may go anywhere.
    left = 0
    for card in range(size):
        if not (bound_suits >> suit_of[card]) & 1:
            free[left] = cards[card]
            left += 1
    shuffle(rng, free, left)
    for place in range(size):
        if dealt[place] < 0:
            left -= 1
            dealt[place] = free[left]


@kernel
def _tightest(allowed: Cards, size: int, suits: int, among: int) -> int:
    """The suit that the fewest places may hold."""
    best, fewest = -1, size + 1
    for suit in range(suits):
        if (among >> suit) & 1:
            places = 0
            for place in range(size):
                places += (allowed[place] >> suit) & 1
            if places < fewest:
                best, fewest = suit, places
    return best


@kernel
def _give_suit(
    rng: Rng, cards: Cards, many: int, suit: int, earlier: int, given: int, work: Cards, size: int
) -> bool:
    """Deal a suit's cards to random places; False if dealing must start again."""
    allowed, free, dealt = work[ALLOWED:], work[FREE:], work[DEALT:]
    choices, most, elsewhere = 0, 0, 0
    for place in range(size):
        if (allowed[place] >> suit) & 1:
            most += 1
            if dealt[place] < 0:
                free[choices] = place
                choices += 1
        elif allowed[place] & earlier:
            elsewhere += 1
    # The most places that could be free for this suit, however the earlier suits were dealt.
    most -= max(0, given - elsewhere)
    if choices < many:
        return False
    likelihood = 1.0
    for k in range(many):
        likelihood *= (choices - k) / (most - k)
    if likelihood < 1.0 and draw(rng) * 2.0**-64 >= likelihood:
        return False
    for k in range(many):
        other = k + below(rng, choices - k)
        free[k], free[other] = free[other], free[k]
        dealt[free[k]] = cards[k]
    return True
