"""TriATri's instinct: like the reference policy, but each end of a trick is worth what it means for
the match, as far as the network of `prospects` knows.
"""

import numpy as np

from hastilude.bots.knowledge import Worths
from hastilude.core.bits import NONE, ONE, Bits, lowest
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State
from hastilude.games.triatri.prospects import (
    COUNTS,
    UNKNOWN,
    Mind,
    begin,
    chance_of,
    final_share,
    stored,
)
from hastilude.games.triatri.reference import (
    FRACTIONS,
    GEMS,
    NEVER,
    STOCK,
    best_card,
    copy_gems,
    fitting,
    kept_as,
    missing_for,
    start_chance,
    take_gem,
    unseen_by,
)
from hastilude.games.triatri.rules import (
    BID,
    COLOURS,
    NAME,
    NOTHING,
    ROUNDS,
    TRICKS,
    legal,
)

KEEPING = 0.005  # the cost of a card, in chances to win per unit of its number
BIDDING = 0.006  # the same when it is bid


@kernel
def instinct(s: State, seat: int, mind: Mind, rng: Rng, work: Cards) -> int:
    unseen = unseen_by(s, seat)
    if s["phase"] == BID:
        return _bid(mind, s, seat, unseen, work)
    if s["phase"] == NAME:
        return _name(mind, s, seat, unseen, work)
    gem = int(s["gem"][s["trick"]])
    copy_gems(s, work)
    _judge(mind, s, seat, gem, work)
    return best_card(s, seat, gem, legal(s, seat), unseen, KEEPING, work)[1]


@kernel
def _bid(mind: Mind, s: State, seat: int, unseen: Bits, work: Cards) -> int:
    """A5: as the reference bids, but starting is worth what it adds to the chance to win."""
    players = int(s["players"])
    copy_gems(s, work)
    begin(mind, players, TRICKS * (int(s["round"]) - 1), work)
    gain = 0.0
    for starter in range(players):
        chance = chance_of(mind, players, seat, starter, 0, 0, work)
        gain += chance if starter == seat else -chance / (players - 1)
    best, chosen = NEVER, NOTHING
    rest = legal(s, seat)
    while rest != NONE:
        card = lowest(rest)
        rest &= rest - ONE
        value = gain * start_chance(s, card, unseen) - BIDDING * kept_as(card)
        if value > best:
            best, chosen = value, card
    return chosen


@kernel
def _name(mind: Mind, s: State, seat: int, unseen: Bits, work: Cards) -> int:
    """A6: the gem that is best with the best card to lead for it."""
    best, chosen = NEVER, NOTHING
    rest = legal(s, seat)
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        gem = take_gem(s, seat, action, work)
        _judge(mind, s, seat, gem, work)
        value = best_card(s, seat, gem, fitting(s, seat, gem), unseen, KEEPING, work)[0]
        if value > best:
            best, chosen = value, action
    return chosen


@kernel
def _judge(mind: Mind, s: State, seat: int, gem: int, work: Cards) -> None:
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


@kernel
def promises(s: State, seat: int, aim: int, mind: Mind, worths: Worths, work: Cards) -> float:
    """None: what a card promises depends on too much that only playing on can tell."""
    return 0.0


def load(game: Game) -> Mind:
    return stored()[game.seats]
