"""What each action is roughly worth in TriATri: who wins the trick is judged as by the reference
policy, and what that means for the match as by the network of `prospects`.

The network of `prospects` learned from players who take the best of these estimates. Instinct
corrects them.
"""

import numpy as np

from hastilude.core.bits import NONE, ONE, Bits, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import Cards, State
from hastilude.games.triatri.prospects import (
    COUNTS,
    SEATS,
    UNKNOWN,
    Mind,
    begin,
    chance_of,
    final_share,
)
from hastilude.games.triatri.reference import (
    FRACTIONS,
    GEMS,
    LIES,
    NO_VALUE,
    STOCK,
    WORTHS,
    _win_chance,
    copy_gems,
    holder_after,
    is_doubled,
    kept_as,
    lay,
    missing_for,
    start_chance,
    take_gem,
    unseen_by,
    winning_cards,
)
from hastilude.games.triatri.rules import (
    BID,
    COLOURS,
    NAME,
    NUM_ACTIONS,
    ROUNDS,
    TRICKS,
    colour_of,
    legal,
    playable,
)

KEEPING = 0.005  # the cost of a card, in chances to win per unit of its number
BIDDING = 0.006  # the same when it is bid
USUAL = 5.0  # the number of a usual card, whose cost is in the chances of `prospects`

# The scratch memory, after that of `prospects`: for each action its estimate in eight bytes; then,
# in four, each seat's chance to win the trick, counted from the seat to act, and the same once more
# for a card that is being judged.
ESTIMATES = 304
CHANCES = ESTIMATES + 8 * NUM_ACTIONS
JUDGED = SEATS * NUM_ACTIONS
END = CHANCES + 4 * (JUDGED + SEATS)


@kernel
def best_estimate(s: State, seat: int, mind: Mind, work: Cards) -> int:
    """The action with the best estimate, the first of equal ones."""
    estimate(s, seat, unseen_by(s, seat), mind, work)
    estimates = work[ESTIMATES:CHANCES].view(np.float64)
    rest = legal(s, seat)
    best = lowest(rest)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        if estimates[action] > estimates[best]:
            best = action
    return best


@kernel
def estimate(s: State, seat: int, unseen: Bits, mind: Mind, work: Cards) -> float:
    """Write the estimate of each legal action, and the chances to win the trick; for a bid only the
    chance to start. Returns what makes estimates a chance to win the match when it is added."""
    if s["phase"] == BID:
        return _estimate_bids(s, seat, unseen, mind, work)
    if s["phase"] == NAME:
        _estimate_gems(s, seat, unseen, mind, work)
    else:
        _estimate_cards(s, seat, unseen, mind, work)
    return 0.0 if s["trick"] == TRICKS else KEEPING * USUAL


@kernel
def _estimate_bids(s: State, seat: int, unseen: Bits, mind: Mind, work: Cards) -> float:
    """A5: starting is worth what it adds to the chance to win."""
    estimates = work[ESTIMATES:CHANCES].view(np.float64)
    chances = work[CHANCES:END].view(np.float32)
    players = int(s["players"])
    copy_gems(s, work)
    begin(mind, players, TRICKS * (int(s["round"]) - 1), work)
    gain, starting = 0.0, 0.0
    for starter in range(players):
        chance = chance_of(mind, players, seat, starter, 0, 0, work)
        gain += chance if starter == seat else -chance / (players - 1)
        starting += chance if starter == seat else 0.0
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        chances[SEATS * card : SEATS * (card + 1)] = 0.0
        start = start_chance(s, card, unseen)
        chances[SEATS * card] = start
        estimates[card] = gain * start - BIDDING * kept_as(card)
    return starting - gain + BIDDING * USUAL


@kernel
def _estimate_gems(s: State, seat: int, unseen: Bits, mind: Mind, work: Cards) -> None:
    """A6: a gem is as good as the best card to lead for it."""
    estimates = work[ESTIMATES:CHANCES].view(np.float64)
    chances = work[CHANCES:END].view(np.float32)
    rest = legal(s, seat)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        gem = take_gem(s, seat, action, work)
        judge_ends(mind, s, seat, gem, work)
        estimates[action] = NO_VALUE
        cards = playable(s, seat, gem)
        while cards != NONE:
            card = lowest(cards)
            cards &= cards - ONE
            value = _card_value(s, seat, card, gem, unseen, JUDGED, work)
            if value > estimates[action]:
                estimates[action] = value
                for k in range(SEATS):
                    chances[SEATS * action + k] = chances[JUDGED + k]


@kernel
def _estimate_cards(s: State, seat: int, unseen: Bits, mind: Mind, work: Cards) -> None:
    estimates = work[ESTIMATES:CHANCES].view(np.float64)
    gem = int(s["gem"][s["trick"]])
    copy_gems(s, work)
    judge_ends(mind, s, seat, gem, work)
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        estimates[card] = _card_value(s, seat, card, gem, unseen, SEATS * card, work)


@kernel
def _card_value(
    s: State, seat: int, card: int, gem: int, unseen: Bits, at: int, work: Cards
) -> float:
    """What a card is worth to the seat, after `judge_ends`; writes the chances to win the trick."""
    outcomes = work[FRACTIONS:].view(np.float32)
    chances = work[CHANCES:END].view(np.float32)
    players = int(s["players"])
    first = int(s["first"][s["trick"]])
    lay(s, seat, card, work)
    holder = holder_after(s, first, seat, work)
    worth, colour = int(work[WORTHS + holder]), colour_of(work[LIES + holder])
    before, doubled = colour_of(work[LIES + seat]), is_doubled(seat, work)
    chances[at : at + SEATS] = 0.0
    chances[at + seats_after(seat, holder, players)] = 1.0
    value = float(outcomes[holder])
    following = seat + 1 if seat + 1 < players else 0
    while following != first:
        winning = winning_cards(s, worth, colour, before, doubled)
        chance = _win_chance(s, following, winning, gem, unseen)
        value += chance * (float(outcomes[following]) - value)
        for k in range(players):
            chances[at + k] *= np.float32(1.0 - chance)
        chances[at + seats_after(seat, following, players)] += np.float32(chance)
        before, doubled = gem, 0  # most likely, because most seats can follow
        following = following + 1 if following + 1 < players else 0
    if s["trick"] < TRICKS:
        value -= KEEPING * kept_as(card)
    return value


@kernel
def seats_after(seat: int, other: int, players: int) -> int:
    """How many seats after this one the other sits."""
    return int(other) - seat if other >= seat else int(other) - seat + players


@kernel
def judge_ends(mind: Mind, s: State, seat: int, gem: int, work: Cards) -> None:
    """Work out the seat's chance to win the match if each seat wins the gem."""
    outcomes = work[FRACTIONS:].view(np.float32)
    players = int(s["players"])
    time = TRICKS * (int(s["round"]) - 1) + int(s["trick"])
    over = time == TRICKS * ROUNDS or min(work[STOCK], work[STOCK + 1], work[STOCK + 2]) == 0
    if not over:
        begin(mind, players, time, work)
    for winner in range(players):
        cell = COLOURS * winner + gem
        held = int(work[GEMS + cell])
        work[GEMS + cell] = held + 1
        if missing_for(winner, work) == 0:  # A12
            outcomes[winner] = 1.0 if winner == seat else 0.0
        elif over:
            outcomes[winner] = final_share(players, seat, work)
        else:
            starter = UNKNOWN if s["trick"] == TRICKS else winner
            before = COUNTS * cell + held
            outcomes[winner] = chance_of(mind, players, seat, starter, before + 1, before, work)
        work[GEMS + cell] = held
