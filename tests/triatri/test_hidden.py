"""What a seat may know of TriATri, and the sampling of the rest, against counting by hand.

The oracle knows nothing of voids or of bids taken back: it deals the unseen cards in every way,
each exchange card a card of its own, and keeps the deals in which all that was seen is legal.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import hastilude
from hastilude.core.bits import has
from hastilude.core.playout import deal_due
from hastilude.core.random import generator, pick
from hastilude.core.rules import EVERYTHING, SPECTATOR, WORK
from hastilude.games.triatri import hidden, rules
from hastilude.games.triatri.notation import ACTION_TEXTS as TEXTS
from hastilude.games.triatri.rules import NOTHING

STATE = hastilude.load("triatri").state


def actions(texts: str) -> list[int]:
    return [TEXTS.index(text) for text in texts.split()]


def full_pack(players: int) -> list[int]:
    cards = np.zeros(WORK, np.int8)
    return cards[: rules.list_cards(rules.pack(players), cards)].tolist()


@dataclass
class Position:
    """A round so far: the hands dealt, what was played, and others' bids not yet revealed."""

    hands: list[str]
    plays: list[tuple[int, str]]
    secret_bids: list[tuple[int, str]] = field(default_factory=list)

    @property
    def players(self) -> int:
        return len(self.hands)

    def state(self) -> Any:
        hands = [actions(hand) for hand in self.hands]
        aside = Counter(full_pack(self.players)) - Counter(chain(*hands))
        s = replay(self.players, [*hands, list(aside.elements())], self.plays + self.secret_bids)
        assert s is not None, "the position plays an illegal card"
        return s


def replay(players: int, deal: list[list[int]], plays: list[tuple[int, str]]) -> Any:
    """The state after these plays from this deal; None if one of them was not legal."""
    states = np.zeros(1, STATE)
    rules.start(states[0], np.array([players, 0, 0, 0]))
    rules.deal(states[0], rules.DEAL, np.array([*chain(*deal)], np.int8))
    for seat, text in plays:
        (action,) = actions(text)
        if not has(rules.legal(states[0], seat), action):
            return None
        rules.apply(states[0], seat, action)
    return states[0]


def redacted(s: Any, viewer: int) -> Any:
    result = np.zeros(1, STATE)
    hidden.redact(s, viewer, result[0])
    return result[0]


def world(s: Any) -> tuple[Any, ...]:
    """All that is hidden, as something to count."""
    return (*s["hand"].tolist(), int(s["aside"]), *s["bid"][s["attempt"]].tolist())


# --- the oracle ---------------------------------------------------------------------------------


def possible_worlds(position: Position, viewer: int) -> Counter[tuple[Any, ...]]:
    """Every world that agrees with what the viewer saw, with the number of ways to deal it."""
    s = position.state()
    others = [seat for seat in range(position.players) if seat != viewer]
    known = [actions(hand) for hand in position.hands]
    for seat in others:
        known[seat] = gone(s, seat)
    pool = told_apart(Counter(full_pack(position.players)) - Counter(chain(*known)))
    worlds: Counter[tuple[Any, ...]] = Counter()
    for *unseen, aside in ways_to_deal(pool, [6 - len(known[seat]) for seat in others]):
        deal = [list(hand) for hand in known]
        for seat, cards in zip(others, unseen, strict=True):
            deal[seat] += map(int, cards)
        worlds += secret_choices(position, [*deal, [int(card) for card in aside]])
    return worlds


def told_apart(cards: Counter[int]) -> list[float]:
    """The cards as a list; copies of X differ by a fraction, which `int` drops again."""
    return [card + copy / 10 for card, copies in cards.items() for copy in range(copies)]


def gone(s: Any, seat: int) -> list[int]:
    cards = s["played"][1:, seat].tolist()
    if s["phase"] != rules.BID:
        cards.append(int(s["bid"][s["attempt"], seat]))
    return [card for card in cards if card != NOTHING]


def ways_to_deal(cards: list[float], sizes: list[int]) -> Iterator[list[tuple[float, ...]]]:
    if not sizes:
        yield [tuple(cards)]
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in ways_to_deal(rest, sizes[1:]):
            yield [hand, *others]


def secret_choices(position: Position, deal: list[list[int]]) -> Counter[tuple[Any, ...]]:
    """The worlds of one deal: one for each way to make the bids that the viewer cannot see."""
    secret = [seat for seat, _ in position.secret_bids]
    worlds: Counter[tuple[Any, ...]] = Counter()
    if replay(position.players, deal, position.plays) is None:
        return worlds
    for cards in product(*(deal[seat] for seat in secret)):
        bids = [(seat, TEXTS[card]) for seat, card in zip(secret, cards, strict=True)]
        s = replay(position.players, deal, position.plays + bids)
        worlds[world(s)] += 1
    return worlds


def sampled_worlds(s: Any, viewer: int, samples: int) -> Counter[tuple[Any, ...]]:
    known = redacted(s, viewer)
    rng, work, states = generator(7), np.zeros(WORK, np.int8), np.zeros(1, STATE)
    worlds: Counter[tuple[Any, ...]] = Counter()
    for _ in range(samples):
        states[0] = known
        hidden.determinize(states[0], rng, work)
        worlds[world(states[0])] += 1
    return worlds


# --- positions ----------------------------------------------------------------------------------


def in_turn(first: int, players: int, gem: str, cards: str) -> list[tuple[int, str]]:
    """A trick: the gem that the start player names, then a card of each seat."""
    seats = [(first + place) % players for place in range(players)]
    return [(first, gem), *zip(seats, cards.split(), strict=True)]


def bids(cards: str) -> list[tuple[int, str]]:
    return list(enumerate(cards.split()))


THREE_REBID = Position(
    ["R5 R2 B2 B3 G2 R7", "B5 R3 B4 G4 G6 X", "G5 R4 B6 G3 B7 R6"],
    [
        *bids("R5 B5 G5"),
        *bids("R2 B4 G3"),
        *in_turn(1, 3, "supply:R", "R3 R4 R7"),
        *in_turn(0, 3, "supply:B", "B2 X B6"),
    ],
)
TWO_REBID = Position(
    ["X R2 R3 B4 G5 G6", "X R4 B2 B5 G3 R6"],
    [
        *bids("X X"),
        *bids("R2 B2"),
        *in_turn(1, 2, "supply:G", "G3 G5"),
        *in_turn(0, 2, "supply:B", "B4 B5"),
    ],
)
TWO_REBID_GONE = Position(  # the exchange card once seen has been discarded since
    TWO_REBID.hands,
    [*bids("X X"), *bids("R2 X"), *in_turn(0, 2, "supply:G", "G6 G3")],
)
TWO_VOID = Position(
    ["R2 R3 B3 B4 G5 G6", "R4 B2 B5 R6 R5 X"],
    [*bids("R2 R4"), *in_turn(1, 2, "supply:G", "B5 G5"), *in_turn(0, 2, "own:G", "G6 X")],
)
FOUR_HANDS = [
    "R2 R3 B2 B3 G2 G8",
    "R4 R5 R6 B4 X X",
    "B5 B6 B7 G3 G4 X",
    "R7 R8 G5 G6 G7 B8",
]
FOUR_VOIDS = Position(
    FOUR_HANDS,
    [
        *bids("G8 R4 B5 B8"),
        *in_turn(0, 4, "supply:R", "R2 R5 B6 R7"),
        *in_turn(2, 4, "supply:G", "G3 G5 G2 B4"),
    ],
)
FOUR_LATER = Position(
    FOUR_HANDS, [*FOUR_VOIDS.plays, *in_turn(3, 4, "supply:B", "G6 B2 X B7"), (2, "supply:R")]
)
SECRET_BID = Position(["R2 R3 B4 G5 G6 B6", "X X R4 B2 B5 G3"], [], [(1, "X")])
SECRET_SECOND_BID = Position(TWO_REBID.hands, bids("X X"), [(1, "R4")])


@pytest.mark.parametrize(
    ("position", "viewer"),
    [
        pytest.param(THREE_REBID, 0, id="three players after a rebid"),
        pytest.param(THREE_REBID, 1, id="three players after a rebid, seen by another"),
        pytest.param(TWO_REBID, 0, id="two players after a rebid"),
        pytest.param(TWO_REBID, SPECTATOR, id="two players after a rebid, seen by a spectator"),
        pytest.param(TWO_REBID_GONE, 0, id="two players, the card of the first bid discarded"),
        pytest.param(TWO_VOID, 0, id="two players, a void, and an exchange card that says nothing"),
        pytest.param(FOUR_VOIDS, 0, id="four players, two voids"),
        pytest.param(FOUR_VOIDS, 1, id="four players, void oneself"),
        pytest.param(FOUR_LATER, 3, id="four players, three voids, a gem named"),
        pytest.param(SECRET_BID, 0, id="a secret bid"),
        pytest.param(SECRET_SECOND_BID, 0, id="a secret bid after a rebid"),
    ],
)
def test_A16_every_possible_deal_is_sampled_equally_often(position: Position, viewer: int) -> None:
    worlds = possible_worlds(position, viewer)
    sampled = sampled_worlds(position.state(), viewer, samples=max(2_000, 12 * len(worlds)))
    assert world(position.state()) in worlds
    assert set(sampled) <= set(worlds)
    scale = sampled.total() / worlds.total()
    counted = [sampled[w] for w in worlds]
    assert chisquare(counted, [scale * ways for ways in worlds.values()]).pvalue > 1e-4


# --- any position -------------------------------------------------------------------------------


def random_states(players: int, matches: int) -> Iterator[Any]:
    """Every state of some random matches where somebody may act, and the last of each."""
    rng, work, states = generator(players), np.zeros(WORK, np.int8), np.zeros(1, STATE)
    for _ in range(matches):
        rules.start(states[0], np.array([players, 0, 0, 0]))
        deal_due(states[0], rng, work)
        while seats := rules.pending(states[0]):
            yield states[0]
            seat = pick(rng, np.uint64(seats))  # bids are made in any order
            rules.apply(states[0], seat, pick(rng, rules.legal(states[0], seat)))
            deal_due(states[0], rng, work)
        yield states[0]


def all_cards(s: Any) -> list[int]:
    cards = np.zeros(WORK, np.int8)
    found = []
    for place in [*s["hand"], s["aside"]]:
        found += cards[: rules.list_cards(place, cards)].tolist()
    for seat in range(s["players"]):
        found += gone(s, seat)
    return sorted(found)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sampled_states_are_true_states_that_look_the_same(players: int) -> None:
    rng, work, sample = generator(1), np.zeros(WORK, np.int8), np.zeros(1, STATE)
    for s in random_states(players, matches=20):
        for viewer in range(SPECTATOR, players):
            known = redacted(s, viewer)
            sample[0] = known
            hidden.determinize(sample[0], rng, work)
            assert sample[0]["viewer"] == EVERYTHING
            assert redacted(sample[0], viewer).tobytes() == known.tobytes()
            assert all_cards(sample[0]) == all_cards(s) == full_pack(players)
            assert [int(hand).bit_count() for hand in sample[0]["hand"]] == s["held"].tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_A16_one_knows_what_one_may_do_and_no_card_of_others(players: int) -> None:
    for s in random_states(players, matches=20):
        for viewer in range(players):
            known = redacted(s, viewer)
            assert rules.pending(known) == rules.pending(s)
            assert rules.legal(known, viewer) == rules.legal(s, viewer)
            assert known["aside"] == 0
            assert not any(known["hand"][seat] for seat in range(players) if seat != viewer)


def test_A16_a_bid_shows_nothing_but_that_it_was_made() -> None:
    hands, plays = SECRET_BID.hands, SECRET_BID.plays
    seen = [redacted(Position(hands, plays, [(1, card)]).state(), 0) for card in ("X", "R4")]
    assert seen[0].tobytes() == seen[1].tobytes()
    assert seen[0].tobytes() != redacted(Position(hands, plays).state(), 0).tobytes()
