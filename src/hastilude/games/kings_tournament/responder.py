"""A player that is trained to beat the blueprint, with which every melee of the search begins. The
more it wins, the easier the strategy is to exploit.

- In a melee it plays the best card against what the blueprint would play (`best_response`).
- The chance to win after the hand is estimated from the cards that both will draw on average: a
  price for each, and for each pair of a card of one player and a card of the other. The prices are
  learned: the responder plays games against the blueprint, the prices are fitted to the results,
  and so on.
- Jousts are played like the search plays them: no line gains anything against an equilibrium.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from hastilude import bots
from hastilude.bots import Bot
from hastilude.core.bits import count
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator, pick
from hastilude.core.rules import WORK, Cards, State, apply, chance_due, legal, turn
from hastilude.core.uncounted import uncounted
from hastilude.games.kings_tournament.best_response import (
    STATES,
    Memory,
    believe,
    best_card,
    new_memory,
    state_after,
    thin_out,
)
from hastilude.games.kings_tournament.blueprint import blueprint
from hastilude.games.kings_tournament.cards import EMPTY as NO_CARDS
from hastilude.games.kings_tournament.cards import KINDS, Pile, kinds, lowest_card, size
from hastilude.games.kings_tournament.joust import choose_line
from hastilude.games.kings_tournament.melee import LEADS, Floats, Shares
from hastilude.games.kings_tournament.prospects import FACTORS, choose, drawn_next
from hastilude.games.kings_tournament.rules import (
    ANSWER,
    HAND,
    HIT,
    JOUST,
    LEAD,
    NEW_GAME,
    SEATS,
    STATE,
    set_out,
)

VICTIM = "blueprint"  # the name of what it is trained against
OPTIONS = ("best_of=1",)  # of the games to measure it in, unless others are chosen

ROUND = 250  # games
TRAINING_HANDS = 50  # the most hands of the other that a choice considers while training
PLAYING_HANDS = 200
DOUBT = 0.35  # about the cards of others than the blueprint; as in `duel`
JOUST_ROUNDS = 3  # like a search with so few simulations
ELSEWHERE = "search:250"  # chooses the other cards: of jousts one card at a time
LONGEST = 32  # hands of a game that are learned from

PAIRS = KINDS * KINDS
ALL_FACTORS = FACTORS + PAIRS  # the responder's cards, the other's, 1, and the pairs of cards
CAUTION = 40.0  # how many games count for the prices at the beginning; for pairs it is more
CAUTION_PAIRS = 400.0

# What is learned from a game: the state and the factors that each hand began with.
NOTES = np.dtype(
    [
        ("hands", np.int64),
        ("state", np.int64, LONGEST),
        ("factors", np.float64, (LONGEST, ALL_FACTORS)),
    ]
)


class Learned(NamedTuple):
    """The prices by state and factor, from so many games of which a share was won."""

    prices: Floats
    games: int
    share: float

    @property
    def digest(self) -> str:
        return blake2b(self.prices.tobytes(), digest_size=4).hexdigest()


class Scratch(NamedTuple):
    states: Any
    notes: Any
    own: Floats  # how many of its cards the responder will draw
    slopes: Floats  # what each card of the other adds to the chance, by state
    squares: Floats
    products: Floats
    work: Cards


def new_scratch() -> Scratch:
    return Scratch(
        states=np.zeros(2, STATE),
        notes=np.zeros(1, NOTES),
        own=np.zeros(KINDS),
        slopes=np.zeros((STATES, KINDS + 1)),
        squares=np.zeros((STATES, ALL_FACTORS, ALL_FACTORS)),
        products=np.zeros((STATES, ALL_FACTORS)),
        work=np.zeros(WORK, np.int8),
    )


# --- training -------------------------------------------------------------------------------------


def train(game: Game, seed: int, shares: Shares | None = None) -> Iterator[Learned]:
    """Learn for ever; yields what is known at the beginning and after each round. OptionError for
    a variant of the melee, which the strategy was not learned for."""
    if game.options["melee_margin"] != HIT:
        raise OptionError.of("exploit_variant", option="melee_margin", value=HIT)
    known = blueprint()
    victim = known.shares if shares is None else shares
    memory, scratch, rng = new_memory(victim), new_scratch(), generator(seed)
    scratch.states[0] = np.frombuffer(game.new(seed=0).state, STATE)[0]
    prior = first_prices(known.prices)
    learned, won = Learned(prior, 0, 0.5), 0
    while True:
        yield learned
        won += play_games(ROUND, victim, learned.prices, TRAINING_HANDS, memory, scratch, rng)
        games = learned.games + ROUND
        learned = Learned(fitted(prior, scratch.squares, scratch.products), games, won / games)


def first_prices(leader_prices: Floats) -> Floats:
    """The responder's prices, from those of `prospects` for the player who reveals first."""
    prices = np.zeros((STATES, ALL_FACTORS))
    for mounted in range(2):
        leads, follows = (prices[state_after(mounted, leads)] for leads in (True, False))
        leads[:FACTORS] = leader_prices[mounted]
        follows[:KINDS] = -leader_prices[mounted, KINDS : 2 * KINDS]
        follows[KINDS : 2 * KINDS] = -leader_prices[mounted, :KINDS]
        follows[FACTORS - 1] = 1.0 - leader_prices[mounted, FACTORS - 1]
    return prices


def fitted(prior: Floats, squares: Floats, products: Floats) -> Floats:
    """Least squares, with caution about prices that are far from those at the beginning."""
    caution = np.diag([CAUTION] * FACTORS + [CAUTION_PAIRS] * PAIRS)
    changes = [
        np.linalg.solve(squares[k] + caution, products[k] - squares[k] @ prior[k])
        for k in range(STATES)
    ]
    return prior + np.array(changes)


@kernel
def play_games(
    games: int,
    shares: Shares,
    prices: Floats,
    most: int,
    memory: Any,
    scratch: Any,
    rng: Rng,
) -> int:
    """Play games against a strategy and add up what least squares need; returns how many were won.

    Lines of jousts are random: what matters is which cards are left for the melee.
    """
    shares, prices, memory, scratch, rng = uncounted((shares, prices, memory, scratch, rng))
    s, notes, won = scratch.states[1], scratch.notes[0], 0
    for number in range(games):
        seat = number % SEATS
        begin_game(s, scratch, rng)
        notes["hands"] = 0
        while s["fallen"] < 0:
            player = turn(s)
            if not in_melee(s):
                card = pick(rng, legal(s, player))
            else:
                if s["held"][0] == s["held"][1] == HAND and notes["hands"] < LONGEST:
                    note_hand(s, seat, notes)
                if player == seat:
                    card = respond(s, seat, prices, 0.0, most, memory, scratch, rng)
                else:
                    card = by_strategy(s, player, shares, rng)
            apply(s, player, card)
            if s["fallen"] < 0 and chance_due(s):
                deal_due(s, rng, scratch.work)
        result = s["fallen"] != seat
        won += int(result)
        for hand in range(notes["hands"]):
            state = notes["state"][hand]
            add_result(
                notes["factors"][hand], result, scratch.squares[state], scratch.products[state]
            )
    return won


@kernel
def begin_game(s: State, scratch: Any, rng: Rng) -> None:
    scratch.states[1] = scratch.states[0]
    s["phase"] = NEW_GAME
    s["due"] = 1
    set_out(s)
    deal_due(s, rng, scratch.work)


@kernel
def in_melee(s: State) -> bool:
    return s["phase"] == LEAD or s["phase"] == ANSWER


@kernel
def by_strategy(r: State, seat: int, shares: Shares, rng: Rng) -> int:
    led = LEADS
    if r["phase"] == ANSWER:
        led = int(r["melee"][1 - seat, HAND - int(r["held"][seat])])
    return choose(r["hand"][seat], led, int(r["mounted"] != 0), shares, rng)


@kernel
def note_hand(s: State, seat: int, notes: Any) -> None:
    """Keep the state and the factors before the hands were drawn."""
    hand = notes["hands"]
    notes["hands"] = hand + 1
    notes["state"][hand] = state_after(int(s["mounted"] != 0), s["leader"] == seat)
    factors = notes["factors"][hand]
    for player in range(SEATS):
        deck = s["kept"][player]  # K13: all of the deck, if there was a reshuffle
        if deck == NO_CARDS:
            deck = s["total"] - s["seen"][player]
        first = 0 if player == seat else KINDS
        count_draws(deck, s["total"], factors[first : first + KINDS])
    factors[FACTORS - 1] = 1.0
    for own in range(KINDS):
        for other in range(KINDS):
            factors[FACTORS + KINDS * own + other] = factors[own] * factors[KINDS + other]


@kernel
def count_draws(deck: Pile, total: Pile, draws: Floats) -> None:
    """How many cards of each kind the next hand has on average."""
    cards = size(deck)
    for kind in range(KINDS):
        draws[kind] = drawn_next(deck, cards, total, kind)


@kernel
def add_result(factors: Floats, result: bool, squares: Floats, products: Floats) -> None:
    for i in range(ALL_FACTORS):
        if result:
            products[i] += factors[i]
        if factors[i] != 0.0:
            for j in range(ALL_FACTORS):
                squares[i, j] += factors[i] * factors[j]


# --- choosing -------------------------------------------------------------------------------------


@kernel
def respond(
    r: State,
    seat: int,
    prices: Floats,
    doubt: float,
    most: int,
    memory: Any,
    scratch: Any,
    rng: Rng,
) -> int:
    """The best card against the strategy, with at most so many hands of the other."""
    if count(kinds(r["hand"][seat])) == 1:
        return lowest_card(r["hand"][seat])
    hands = believe(r, seat, doubt, memory)
    if hands == 0:  # the strategy would never have played this
        hands = believe(r, seat, 1.0, memory)
    hands = thin_out(hands, most, rng, memory)
    look_ahead(r, seat, hands, prices, memory, scratch)
    return best_card(r, seat, hands, memory)


@kernel
def look_ahead(r: State, seat: int, hands: int, prices: Floats, memory: Any, scratch: Any) -> None:
    """The chances to win after the present hand, for each hand of the other."""
    own, slopes, total = scratch.own, scratch.slopes, r["total"]
    count_draws(total - r["seen"][seat] - r["hand"][seat], total, own)
    for state in range(STATES):
        price, slope = prices[state], slopes[state]
        slope[KINDS] = price[FACTORS - 1]
        for i in range(KINDS):
            slope[KINDS] += price[i] * own[i]
        for j in range(KINDS):
            slope[j] = price[KINDS + j]
            for i in range(KINDS):
                slope[j] += price[FACTORS + KINDS * i + j] * own[i]
    unseen = total - r["seen"][1 - seat]
    cards = size(unseen) - int(r["held"][1 - seat])
    for place in range(hands):
        hand = memory.hands[place]["hand"]
        deck, ends = unseen - memory.numbered[hand]["pile"], memory.ends[hand]
        for state in range(STATES):
            ends[state] = slopes[state, KINDS]
        for kind in range(KINDS):
            drawn = drawn_next(deck, cards, total, kind)
            for state in range(STATES):
                ends[state] += slopes[state, kind] * drawn
        for state in range(STATES):
            ends[state] = min(max(ends[state], 0.0), 1.0)


class Mind:
    """What a trained responder uses in every match; other processes make their own memory."""

    def __init__(self, learned: Learned, shares: Shares | None = None, doubt: float = 0.0) -> None:
        self.learned, self.doubt = learned, doubt
        self._shares = shares
        self._memory: tuple[Memory, Scratch] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_memory": None}

    def choose(self, redacted: Any, seat: int, rng: Rng) -> int:
        if self._memory is None:
            shares = blueprint().shares if self._shares is None else self._shares
            self._memory = new_memory(shares), new_scratch()
        return respond_at(
            redacted, seat, self.learned.prices, self.doubt, PLAYING_HANDS, *self._memory, rng
        )

    def __call__(self, game: Game, seed: int) -> Bot:
        return ResponderBot(game, seed, self)


@kernel
def respond_at(
    redacted: Any,
    seat: int,
    prices: Floats,
    doubt: float,
    most: int,
    memory: Any,
    scratch: Any,
    rng: Rng,
) -> int:
    return respond(redacted[0], seat, prices, doubt, most, memory, scratch, rng)


@kernel
def by_strategy_at(redacted: Any, seat: int, shares: Shares, rng: Rng) -> int:
    return by_strategy(redacted[0], seat, shares, rng)


class _Jouster:
    """Chooses what is not a melee card."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, self._seed = game, seed
        self._rng = generator(seed)
        self._other: Bot | None = None

    def choose(self, redacted: Any, seat: int) -> int:
        r = redacted[0]
        if r["phase"] in (LEAD, ANSWER):
            return self._melee_card(redacted, seat)
        if r["phase"] == JOUST:
            return choose_line(redacted, seat, self._rng, JOUST_ROUNDS)[int(r["chosen"][seat])]
        if self._other is None:
            self._other = bots.make(ELSEWHERE, self._game, self._seed)
        return self._other.choose(redacted, seat)

    def _melee_card(self, redacted: Any, seat: int) -> int:
        raise NotImplementedError


class ResponderBot(_Jouster):
    def __init__(self, game: Game, seed: int, mind: Mind) -> None:
        super().__init__(game, seed)
        self._mind = mind

    def _melee_card(self, redacted: Any, seat: int) -> int:
        return self._mind.choose(redacted, seat, self._rng)


class Victim(_Jouster):
    """Plays melees by a strategy, without thinking."""

    def __init__(self, game: Game, seed: int, shares: Shares | None = None) -> None:
        super().__init__(game, seed)
        self._shares = blueprint().shares if shares is None else shares

    def _melee_card(self, redacted: Any, seat: int) -> int:
        return by_strategy_at(redacted, seat, self._shares, self._rng)
