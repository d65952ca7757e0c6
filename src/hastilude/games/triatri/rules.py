"""The rules of TriATri: what is legal and what follows. Clauses A1 to A16: RULES.md."""

import numpy as np

from hastilude.core import states
from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.kernel import kernel
from hastilude.core.rules import EVERYTHING, Cards, Numbers, State

FIRE, WATER, WOOD, COLOURLESS = 0, 1, 2, 3
COLOURS = 3
GEMS = 6  # of each colour (A1)
HAND, TRICKS, ROUNDS, BIDS = 6, 5, 3, 3
PAIR = 2  # bids that share the highest number (A5)
TO_WIN = 2  # gems of every colour win at once (A12)
SET_POINTS = 1
PAIR_POINTS = -2  # for two gems of different colours that are in no set (A14)
NOTHING = -1

# Actions: a card of the hand, R2 = 0 to R8, B2 = 7 to B8, G2 = 14 to G8, X; or the gem of a trick,
# from the supply (red, blue, green) or from the player's own gems.
LOWEST = 2  # number in the pack
NUMBERS = 7  # card numbers per colour, whatever the number of players
EXCHANGE = 21
SUPPLY, OWN = 22, 25
NUM_ACTIONS = 28

# The phases; the first two wait for chance, and are the numbers of its events.
DEAL, DRAW, BID, NAME, PLAY, OVER = 1, 2, 3, 4, 5, 6
# What decided a bid (A5): the highest number, the circle, being the fourth beside three, or lot.
UNDECIDED, BY_NUMBER, BY_CIRCLE, BY_FOURTH, BY_DRAW = 0, 1, 2, 3, 4
# The variants; the first of each is the rule or ruling.
TWOS, CHAINS, NEVER = range(3)  # A17: what can be worth four times its number
COLOUR, LATER, EARLIER = range(3)  # A18: what decides between cards of equal worth
ANY_TIME, LAST_RESORT = range(2)  # A19: whether an exchange card may open a trick
# What ended the match: two gems of every colour, a colour run out, the third round.
UNFINISHED, INSTANT_WIN, EARLY_END, LAST_ROUND = 0, 1, 2, 3

STATE = np.dtype(
    [
        ("hand", np.uint64, 4),  # a set of cards: see `with_card`
        ("aside", np.uint64),  # the same; the whole pack before the first deal
        ("held", np.int8, 4),  # number of cards in each hand; a bid is in it until discarded
        ("bid", np.int8, (BIDS, 4)),  # the bids of the round; all but the last decided nothing
        # The tricks of the round are rows 1 to 5. Row 0 is the last trick of the round before, so
        # that the trick last finished is always row `trick` - 1.
        ("gem", np.int8, 1 + TRICKS),  # its colour
        ("own", np.int8, 1 + TRICKS),  # 1: the start player's own, 0: from the supply
        ("first", np.int8, 1 + TRICKS),  # the start player
        ("played", np.int8, (1 + TRICKS, 4)),  # the card of the hand that each seat played
        ("lies", np.int8, (1 + TRICKS, 4)),  # the card now in front of each seat (A9)
        ("worth", np.int8, (1 + TRICKS, 4)),  # what that card is worth (A8)
        ("winner", np.int8, 1 + TRICKS),
        ("gems", np.int8, (4, COLOURS)),
        ("supply", np.int8, COLOURS),
        ("players", np.int8),
        ("four_times", np.int8),
        ("equal_worth", np.int8),
        ("opening_exchange", np.int8),
        ("round", np.int8),  # 1 to 3; 0 before the first deal
        ("attempt", np.int8),  # the row of `bid` that is being made, or that decided
        ("decided", np.int8),
        ("trick", np.int8),  # the row being played: 1 from the deal on, 6 after the last
        ("phase", np.int8),
        ("waiting", np.int8),  # the set of seats that may act
        ("ending", np.int8),
        ("viewer", np.int8),
    ],
    align=True,
)

FACTS = states.facts_type(
    4,
    ("ahead", np.int8),  # the set of seats that would win now; empty if all are equal
    ("known", np.uint64, 4),  # the set of cards that everybody knows to be in each hand (A5)
    ("unseen", np.uint64),  # the set of cards of which the viewer does not know where they are
)


class Fields(states.Fields):
    hand: tuple[int, ...]
    aside: int
    held: tuple[int, ...]
    bid: tuple[tuple[int, ...], ...]
    gem: tuple[int, ...]
    own: tuple[int, ...]
    first: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]
    lies: tuple[tuple[int, ...], ...]
    worth: tuple[tuple[int, ...], ...]
    winner: tuple[int, ...]
    gems: tuple[tuple[int, ...], ...]
    supply: tuple[int, ...]
    players: int
    four_times: int
    equal_worth: int
    opening_exchange: int
    round: int
    attempt: int
    decided: int
    trick: int
    phase: int
    waiting: int
    ending: int
    ahead: int
    known: tuple[int, ...]
    unseen: int


# Tables are arrays, not tuples: numba compiles a look-up in a tuple to branches.
EXCHANGE_CARDS = np.array([0, 0, 2, 1, 3], np.int8)  # in the pack for so many players (A2)
BEATEN_BY = np.array([WATER, WOOD, FIRE, NOTHING], np.int8)  # for each colour, and for none (A4)


def _strongest(colours: int) -> int:
    """The colours of a set that no colour of the set beats; if there are none, the whole set."""
    unbeaten = [
        colour
        for colour, winner in enumerate(BEATEN_BY)
        if colours >> colour & 1 and (winner == NOTHING or not colours >> winner & 1)
    ]
    return sum(1 << colour for colour in unbeaten) or colours


_SETS = range(1 << COLOURS + 1)
# A10: by the variant, the colours that win among equal cards of a set of colours.
STRONGEST = np.array([[*map(_strongest, _SETS)], _SETS, _SETS], np.int8)


# --- cards --------------------------------------------------------------------------------------

# In a set of cards the first exchange card is bit 21, the second 22, the third 23. They are all the
# same, so only their number matters, and bits 0 to 21 are the actions that play the cards.
_EXCHANGES = np.uint64(0b111 << EXCHANGE)
_ACTIONS = np.uint64((1 << EXCHANGE + 1) - 1)
_COLOUR = np.uint64((1 << NUMBERS) - 1)


@kernel
def with_card(cards: Bits, card: int) -> Bits:
    if card == EXCHANGE:
        return cards | (cards & _EXCHANGES) << ONE | bit(EXCHANGE)
    return cards | bit(card)


@kernel
def without(cards: Bits, others: Bits) -> Bits:
    exchanges = (cards & _EXCHANGES) >> np.uint64(count(others & _EXCHANGES)) & _EXCHANGES
    return cards & ~(others | _EXCHANGES) | exchanges


@kernel
def list_cards(cards: Bits, out: Cards) -> int:
    """Write the cards of a set in ascending order; returns how many."""
    size = 0
    while cards != NONE:
        out[size] = min(lowest(cards), EXCHANGE)
        cards &= cards - ONE
        size += 1
    return size


@kernel
def cards_of(colour: int) -> Bits:
    return _COLOUR << np.uint64(NUMBERS * colour)


@kernel
def colour_of(card: int) -> int:
    """The colour of a card; COLOURLESS for an exchange card, which comes after the last colour."""
    return int(card) // NUMBERS


@kernel
def number_of(card: int) -> int:
    """The number of a card; 0 for an exchange card, in a bid (A5) and in a trick (A9)."""
    return 0 if card == EXCHANGE else LOWEST + int(card) % NUMBERS


@kernel
def beats(colour: int, other: int) -> bool:
    """A4; an exchange card has no colour, so it beats nothing and nothing beats it."""
    return bool(BEATEN_BY[other] == colour)


@kernel
def pack(players: int) -> Bits:
    """A2: the numbers from 2 to 6, 7 or 8 in three colours, and the exchange cards."""
    cards = (_EXCHANGES >> np.uint64(3 - EXCHANGE_CARDS[players])) & _EXCHANGES
    for colour in range(COLOURS):
        cards |= _COLOUR >> np.uint64(4 - players) << np.uint64(NUMBERS * colour)
    return cards


# --- the course of a match ----------------------------------------------------------------------


@kernel
def start(s: State, options: Numbers) -> None:
    """Options: players, then the variants A17 to A19."""
    s["players"] = options[0]
    s["four_times"] = options[1]
    s["equal_worth"] = options[2]
    s["opening_exchange"] = options[3]
    s["viewer"] = EVERYTHING
    s["round"] = 0
    s["ending"] = UNFINISHED
    s["aside"] = pack(options[0])
    s["hand"][:] = NONE
    s["held"][:] = 0
    s["gems"][:] = 0
    s["supply"][:] = GEMS
    _clear_round(s)
    _clear_tricks(s, 0)  # including the row of the previous round's last trick
    _await_chance(s, DEAL)


@kernel
def _clear_round(s: State) -> None:
    s["attempt"] = 0
    s["decided"] = UNDECIDED
    s["trick"] = 1
    s["bid"][:] = NOTHING
    _clear_tricks(s, 1)


@kernel
def _clear_tricks(s: State, first: int) -> None:
    s["gem"][first:] = NOTHING
    s["own"][first:] = 0
    s["first"][first:] = NOTHING
    s["winner"][first:] = NOTHING
    s["played"][first:] = NOTHING
    s["lies"][first:] = NOTHING
    s["worth"][first:] = 0


@kernel
def _remember_last_trick(s: State) -> None:
    s["gem"][0] = s["gem"][TRICKS]
    s["own"][0] = s["own"][TRICKS]
    s["first"][0] = s["first"][TRICKS]
    s["winner"][0] = s["winner"][TRICKS]
    for seat in range(4):
        s["played"][0, seat] = s["played"][TRICKS, seat]
        s["lies"][0, seat] = s["lies"][TRICKS, seat]
        s["worth"][0, seat] = s["worth"][TRICKS, seat]


@kernel
def pending(s: State) -> int:
    return int(s["waiting"])


@kernel
def turn(s: State) -> int:
    return lowest(np.uint64(s["waiting"])) if s["waiting"] else NOTHING


@kernel
def chance_due(s: State) -> int:
    return int(s["phase"]) if s["phase"] <= DRAW else 0


@kernel
def _await_chance(s: State, due: int) -> None:
    s["phase"] = due
    s["waiting"] = 0


@kernel
def _await_all(s: State) -> None:
    s["phase"] = BID
    s["waiting"] = (1 << s["players"]) - 1


@kernel
def undealt(s: State, due: int, cards: Cards) -> int:
    """The pack for a deal; the seats for drawing the start player by lot."""
    if due == DEAL:
        return list_cards(pack(s["players"]), cards)
    for seat in range(s["players"]):
        cards[seat] = seat
    return int(s["players"])


@kernel
def deal(s: State, due: int, order: Cards) -> None:
    if due == DRAW:
        s["decided"] = BY_DRAW
        _begin_trick(s, order[0])
    else:
        _remember_last_trick(s)
        _clear_round(s)
        s["round"] += 1
        _deal_hands(s, order)
        _await_all(s)


@kernel
def _deal_hands(s: State, order: Cards) -> None:
    """A3: six cards for the first seat, six for the next, and so on; the rest is set aside."""
    players = int(s["players"])
    for seat in range(players):
        s["hand"][seat] = _gather(order, HAND * seat, HAND * (seat + 1))
        s["held"][seat] = HAND
    s["aside"] = _gather(order, HAND * players, count(pack(players)))


@kernel
def _gather(order: Cards, begin: int, end: int) -> Bits:
    cards = NONE
    for place in range(begin, end):
        cards = with_card(cards, order[place])
    return cards


@kernel
def legal(s: State, seat: int) -> Bits:
    if not s["waiting"] >> seat & 1:
        return NONE
    if s["phase"] == NAME:
        return _gems_to_name(s, seat)
    if s["phase"] == PLAY:
        return playable(s, seat, s["gem"][s["trick"]])
    return s["hand"][seat] & _ACTIONS


@kernel
def playable(s: State, seat: int, gem: int) -> Bits:
    """A7: the cards that a seat may play for a gem; X is always allowed, never forced."""
    cards: Bits = s["hand"][seat] & _ACTIONS
    if s["opening_exchange"] == LAST_RESORT and seat == s["first"][s["trick"]]:
        cards = _without_exchange(cards)
    followers = cards & cards_of(gem)
    return cards if followers == NONE else followers | cards & bit(EXCHANGE)


@kernel
def _without_exchange(cards: Bits) -> Bits:
    """A19: X only if there is no other card."""
    others = cards & ~bit(EXCHANGE)
    return cards if others == NONE else others


@kernel
def _gems_to_name(s: State, seat: int) -> Bits:
    """A6: a gem from the supply, or one of the player's own."""
    actions = NONE
    for colour in range(COLOURS):
        if s["supply"][colour] > 0:
            actions |= bit(SUPPLY + colour)
        if s["gems"][seat, colour] > 0:
            actions |= bit(OWN + colour)
    return actions


@kernel
def apply(s: State, seat: int, action: int) -> None:
    if s["phase"] == PLAY:
        _play(s, seat, action)
    elif s["phase"] == NAME:
        _name_gem(s, seat, action)
    else:
        _bid(s, seat, action)


# --- the bid for the start ----------------------------------------------------------------------


@kernel
def _bid(s: State, seat: int, card: int) -> None:
    s["bid"][s["attempt"], seat] = card
    s["waiting"] &= ~(1 << seat)
    if s["waiting"] == 0:
        _reveal_bids(s)


@kernel
def _reveal_bids(s: State) -> None:
    starter, decided = _bid_winner(s)
    if starter == NOTHING and s["attempt"] < BIDS - 1:
        s["attempt"] += 1  # A5: the cards go back to the hands, and all bid again
        _await_all(s)
        return
    _discard_bids(s)
    if starter == NOTHING:
        _await_chance(s, DRAW)
    else:
        s["decided"] = decided
        _begin_trick(s, starter)


@kernel
def _bid_winner(s: State) -> tuple[int, int]:
    """A5: the start player, NOTHING if the bids decide nothing, and what decided."""
    highest = _highest_bidders(s)
    if count(highest) == 1:
        return lowest(highest), BY_NUMBER
    if count(highest) == PAIR:
        return _circle_winner(s, highest), BY_CIRCLE
    others = (bit(s["players"]) - ONE) & ~highest
    return (NOTHING, UNDECIDED) if others == NONE else (lowest(others), BY_FOURTH)


@kernel
def _highest_bidders(s: State) -> Bits:
    """The seats that share the highest number.

    Three equal low numbers need no special case: the fourth seat, which then starts, is highest.
    """
    bids = s["bid"][s["attempt"]]
    highest, seats = -1, NONE
    for seat in range(s["players"]):
        number = number_of(bids[seat])
        if number > highest:
            highest, seats = number, NONE
        if number == highest:
            seats |= bit(seat)
    return seats


@kernel
def _circle_winner(s: State, pair: Bits) -> int:
    """Of two seats, the one whose colour beats the other's; NOTHING for two exchange cards."""
    bids = s["bid"][s["attempt"]]
    first = lowest(pair)
    second = lowest(pair & ~bit(first))
    if bids[first] == EXCHANGE:
        return NOTHING
    return first if beats(colour_of(bids[first]), colour_of(bids[second])) else second


@kernel
def _discard_bids(s: State) -> None:
    for seat in range(s["players"]):
        _leave_hand(s, seat, s["bid"][s["attempt"], seat])


@kernel
def _leave_hand(s: State, seat: int, card: int) -> None:
    s["hand"][seat] = without(s["hand"][seat], bit(card))
    s["held"][seat] -= 1


# --- a trick ------------------------------------------------------------------------------------


@kernel
def _begin_trick(s: State, starter: int) -> None:
    s["first"][s["trick"]] = starter
    s["phase"] = NAME
    s["waiting"] = 1 << starter


@kernel
def _name_gem(s: State, seat: int, action: int) -> None:
    own = action >= OWN
    colour = action - OWN if own else action - SUPPLY
    s["gem"][s["trick"]] = colour
    s["own"][s["trick"]] = own
    if own:
        s["gems"][seat, colour] -= 1
    else:
        s["supply"][colour] -= 1
    s["phase"] = PLAY  # and the same seat plays first (A7)


@kernel
def _play(s: State, seat: int, card: int) -> None:
    _leave_hand(s, seat, card)
    s["played"][s["trick"], seat] = card
    _lay(s, seat, card)
    following = seat + 1 if seat + 1 < s["players"] else 0
    if following == s["first"][s["trick"]]:
        _finish_trick(s)
    else:
        s["waiting"] = 1 << following


@kernel
def _lay(s: State, seat: int, card: int) -> None:
    lies, worth = s["lies"][s["trick"]], s["worth"][s["trick"]]
    lies[seat] = card
    worth[seat] = number_of(card)
    if seat == s["first"][s["trick"]]:
        return
    if card != EXCHANGE:
        before = seat - 1 if seat > 0 else s["players"] - 1
        worth[seat] = worth_after(s, card, lies[before], worth[before])
    else:
        dearest = _dearest(s, seat)
        lies[seat], lies[dearest] = lies[dearest], lies[seat]
        worth[seat], worth[dearest] = worth[dearest], worth[seat]


@kernel
def worth_after(s: State, card: int, before: int, worth_before: int) -> int:
    """A8: double after a card that its colour beats, a 2 then four times."""
    number = number_of(card)
    if not beats(colour_of(card), colour_of(before)):
        return number
    if number == LOWEST:
        return (2 if s["four_times"] == NEVER else 4) * number
    chained = s["four_times"] == CHAINS and worth_before > number_of(before)
    return (4 if chained else 2) * number


@kernel
def factor_of(card: int, worth: int) -> int:
    """A8: how many times its number a card is worth."""
    number = number_of(card)
    return worth // number if number else 1


@kernel
def _dearest(s: State, seat: int) -> int:
    """A9: the seat of the highest card that was played before `seat`; the latest of equal ones."""
    worth = s["worth"][s["trick"]]
    other = dearest = int(s["first"][s["trick"]])
    while other != seat:
        if worth[other] >= worth[dearest]:
            dearest = other
        other = other + 1 if other + 1 < s["players"] else 0
    return dearest


@kernel
def most_worth(worth: Cards) -> int:
    """A10: what the dearest card of a trick is worth; where no card lies, there is 0."""
    return int(max(worth[0], worth[1], worth[2], worth[3]))


@kernel
def _trick_winner(s: State) -> int:
    """A10: the highest card; if equal, the strongest colour; if still equal, the latest. A18 has
    the variants."""
    lies, worth = s["lies"][s["trick"]], s["worth"][s["trick"]]
    players = int(s["players"])
    most, colours = most_worth(worth), 0
    for seat in range(players):
        if worth[seat] == most:
            colours |= 1 << colour_of(lies[seat])
    strongest = STRONGEST[s["equal_worth"], colours]
    seat = int(s["first"][s["trick"]])
    winner = seat
    for _ in range(players):
        if worth[seat] == most and strongest >> colour_of(lies[seat]) & 1:
            winner = seat
            if s["equal_worth"] == EARLIER:
                return winner
        seat = seat + 1 if seat + 1 < players else 0
    return winner


@kernel
def _finish_trick(s: State) -> None:
    trick = int(s["trick"])
    winner = _trick_winner(s)
    s["winner"][trick] = winner
    s["gems"][winner, s["gem"][trick]] += 1
    s["trick"] = trick + 1
    ending = _ending(s, trick, winner)
    if ending != UNFINISHED:
        s["ending"] = ending
        s["phase"] = OVER
        s["waiting"] = 0
    elif trick == TRICKS:
        _await_chance(s, DEAL)
    else:
        _begin_trick(s, winner)


@kernel
def _ending(s: State, trick: int, winner: int) -> int:
    """What ends the match after a trick. Only the trick's winner can have an instant win."""
    gems, supply = s["gems"][winner], s["supply"]
    if min(gems[FIRE], gems[WATER], gems[WOOD]) >= TO_WIN:
        return INSTANT_WIN
    if min(supply[FIRE], supply[WATER], supply[WOOD]) == 0:
        return EARLY_END
    return LAST_ROUND if trick == TRICKS and s["round"] == ROUNDS else UNFINISHED


# --- the result ---------------------------------------------------------------------------------


@kernel
def score(s: State, seat: int) -> int:
    """A14, with the current gems and supply."""
    gems = s["gems"][seat]
    sets, pairs, left, colour = sort_gems(gems[FIRE], gems[WATER], gems[WOOD])
    return points(sets, pairs, left, s["supply"][colour])


@kernel
def points(sets: int, pairs: int, left: int, in_supply: int) -> int:
    return SET_POINTS * sets + PAIR_POINTS * pairs + left * int(in_supply)


@kernel
def sort_gems(fire: int, water: int, wood: int) -> tuple[int, int, int, int]:
    """A14: the number of sets, of pairs and of remaining gems, and the colour of those.

    Sets use up the rarest colour, pairs the next; the remaining gems are of the commonest.
    """
    least, most = min(fire, water, wood), max(fire, water, wood)
    middle = fire + water + wood - least - most
    colour = FIRE if fire == most else WATER if water == most else WOOD
    return int(least), int(middle - least), int(most - middle), colour


@kernel
def gem_count(s: State, seat: int) -> int:
    gems = s["gems"][seat]
    return int(gems[FIRE]) + int(gems[WATER]) + int(gems[WOOD])


@kernel
def winners(s: State) -> int:
    if s["phase"] != OVER:
        return 0
    if s["ending"] == INSTANT_WIN:
        return 1 << int(s["winner"][s["trick"] - 1])
    return _best(s)


@kernel
def ahead(s: State) -> int:
    """Who would win by points and gems as they are now; nobody if all are equal."""
    best = _best(s)
    return 0 if best == (1 << s["players"]) - 1 else best


@kernel
def _best(s: State) -> int:
    """The set of seats that share the best standing."""
    best, found = _standing(s, 0), 0
    for seat in range(s["players"]):
        standing = _standing(s, seat)
        if standing > best:
            best, found = standing, 0
        if standing == best:
            found |= 1 << seat
    return found


@kernel
def _standing(s: State, seat: int) -> int:
    """A15: points, then gems, as one number to compare (there are fewer than 32 gems)."""
    return 32 * score(s, seat) + gem_count(s, seat)
