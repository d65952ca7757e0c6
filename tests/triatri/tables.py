"""TriATri matches that begin with chosen cards, and an oracle for the points."""

import random
from collections import Counter
from itertools import chain, combinations

import hastilude
from hastilude.games.triatri import rules
from hastilude.games.triatri.notation import ACTION_TEXTS

EXCHANGE_CARDS = {2: 2, 3: 1, 4: 3}


def pack(players):
    """The pack, as in A2."""
    numbers = range(2, {2: 7, 3: 8, 4: 9}[players])
    return [f"{c}{n}" for c in "RBG" for n in numbers] + ["X"] * EXCHANGE_CARDS[players]


def deal(*hands):
    """A deal in which the seats hold at least these cards.

    The rest is dealt in the order R2 to X, so tests should name all cards that matter.
    """
    named = [hand.split() for hand in hands]
    rest = Counter(pack(len(hands)))
    rest.subtract(chain(*named))
    assert min(rest.values()) >= 0, "a card is dealt twice"
    fillers = iter(list(rest.elements()))
    full = [hand + [next(fillers) for _ in range(6 - len(hand))] for hand in named]
    return ["deal", {"hands": full, "aside": list(fillers)}]


def table(*hands, chance=(), **options):
    """A match with `deal`, then the other chance events."""
    game = hastilude.load("triatri", players=len(hands), **options)
    return game.new(chance=[deal(*hands), *chance])


class Driver:
    """A chance driver with these deals, one per round. If the start player is drawn by lot, it is
    `seat`, and the other seats follow in descending order."""

    def __init__(self, deals, seat):
        self.deals, self.seat = iter(deals), seat

    def order(self, due, cards):
        if due == rules.DEAL:
            _, values = next(self.deals)
            dealt = chain(*values["hands"], values["aside"])
            cards[:] = [ACTION_TEXTS.index(card) for card in dealt]
        else:
            cards[:] = sorted(cards, key=lambda seat: (seat != self.seat, -seat))


def play(match, moves):
    """Plays written like `1:R5 0:supply:B`."""
    for move in moves.split():
        seat, action = move.split(":", 1)
        match.play(int(seat), action)
    return match


def bid(match, cards):
    """A card of each seat, in the order of the seats."""
    for seat, card in enumerate(cards.split()):
        match.play(seat, card)
    return match


def trick(match, gem, cards):
    """The start player names the gem, then all play these cards in turn."""
    match.play(match.turn, gem)
    for card in cards.split():
        match.play(match.turn, card)
    return match


def points(gems, supply):
    """The points by A14, computed by removing one set and one pair of gems at a time."""
    gems, total = Counter(gems), 0
    while all(gems[colour] for colour in "RBG"):
        gems.subtract("RBG")
        total += 1
    for pair in combinations("RBG", 2):
        while all(gems[colour] for colour in pair):
            gems.subtract(pair)
            total -= 2
    return total + sum(gems[colour] * supply[colour] for colour in "RBG")


# --- the rules again, implemented differently ---------------------------------------------------

BEATS = {"R": "G", "G": "B", "B": "R"}  # A4


def number(card):
    return 0 if card == "X" else int(card[1:])


def start_player(bids):
    """A5: the seat that the bids make the start player, None if they decide nothing."""
    numbers = [number(card) for card in bids]
    if len(bids) == 4:
        for seat in range(4):
            others = {numbers[other] for other in range(4) if other != seat}
            if len(others) == 1 and numbers[seat] not in others:
                return seat
    best = [seat for seat, many in enumerate(numbers) if many == max(numbers)]
    if len(best) == 2:
        best = [a for a in best for b in best if BEATS.get(bids[a][0]) == bids[b][0]]
    return best[0] if len(best) == 1 else None


def outcome(cards):
    """A8 to A10: for cards in the order played, where each is, its worth, and who wins."""
    lies = []
    for place, card in enumerate(cards):
        if card == "X" and place:
            dearest = max(range(place), key=lambda other: (lies[other][1], other))
            lies.append(lies[dearest])
            lies[dearest] = ("X", 0)
        else:
            doubled = place and BEATS.get(card[0]) == lies[place - 1][0][0]
            factor = (4 if number(card) == 2 else 2) if doubled else 1
            lies.append((card, factor * number(card)))
    most = max(worth for _, worth in lies)
    best = [place for place, (_, worth) in enumerate(lies) if worth == most]
    colours = {lies[place][0][0] for place in best}
    if len(colours) == 2:
        best = [place for place in best if BEATS[lies[place][0][0]] in colours]
    return lies, best[-1]


def staged(texts, **options):
    """A match whose first trick is played with these cards, from seat 0 on: its gem and the other
    cards are chosen so that this is legal and seat 0 is the start player."""
    cards = texts.split()
    for seed in range(500):
        for gem in "RBG":
            match = _try_to_stage(cards, gem, random.Random(seed), options)
            if match:
                return match
    raise AssertionError(f"no deal was found in which {texts} can be played")


def _try_to_stage(cards, gem, choose, options):
    follow = [card[0] in (gem, "X") for card in cards]
    hands = _hands_with(cards, gem, follow, choose)
    try:
        match = table(*map(" ".join, hands), **options)
        for seat, (_, *spare) in enumerate(hands):
            spare.sort(key=number, reverse=seat == 0)
            strays = [] if follow[seat] else [card for card in spare if card[0] == gem]
            match.play(seat, [*strays, *spare][0])
        match.play(0, f"supply:{gem}")
        for seat, card in enumerate(cards):
            match.play(seat, card)
    except hastilude.IllegalAction:
        return None
    return match


def _hands_with(cards, gem, follow, choose):
    """Hands in which those who do not follow have at most one card of the gem's colour if
    possible, which they can bid."""
    rest = Counter(pack(len(cards)))
    rest.subtract(cards)
    fillers = [*rest.elements()]
    choose.shuffle(fillers)
    hands = [[card] for card in cards]

    def fill(seat, size, suitable):
        for card in [*filter(suitable, fillers)][: size - len(hands[seat])]:
            hands[seat].append(card)
            fillers.remove(card)

    strays = [seat for seat, follows in enumerate(follow) if not follows]
    for seat in strays:
        fill(seat, 5, lambda card: card[0] != gem)
    for seat in range(len(cards)):
        if seat not in strays:
            fill(seat, 6, lambda card: card[0] == gem)
    for seat in range(len(cards)):
        fill(seat, 6, lambda card: True)
    return hands
