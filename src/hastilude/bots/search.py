"""Information-set Monte Carlo tree search for every game, completely compiled.

A simulation deals the hidden cards (see `hindsight`), goes down the tree, adds a node, plays by a
policy until the state is settled, and updates every node on its path with the result of the seat
that chose there. Seats with simultaneous choices choose one after another.

Why this works with hidden cards:

- A node stands for what the seat to act knows: for the searching seat its whole view, for another
  seat what everybody has seen and its own choices since the search began. So no node can react to a
  choice that is hidden from its seat.
- The hidden cards differ between simulations, and so do the legal actions of other seats. The
  exploration of an action depends on how often it was available (after Cowling, Powley and
  Whitehouse).
- If the instinct of a game (see `knowledge`) promises something for each action, a new node of the
  searching seat needs no rollout: it begins with these promises, and the best is the result.
- If a game has foresight, a rollout ends before the state is settled.
- Every seat maximizes its own worth. With the probability `trust` of the game's outlook, other
  seats play by the policy instead: then they need no nodes, and the search looks further ahead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.budget import Budget, now, read_budget, spend
from hastilude.bots.hindsight import DEAL, Hindsight, imagine, look_back, new_hindsight
from hastilude.bots.knowledge import (
    MATCH,
    NO_MIND,
    SCORE,
    Worths,
    foreseen,
    instinct,
    load_bots,
    load_mind,
    promises,
    prospect,
    reference,
    settled,
    worth,
)
from hastilude.bots.tree import EMPTY, find_or_add, forget, new_tree
from hastilude.core import rules
from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator, mixed, pick, unit
from hastilude.core.rules import SPECTATOR, WORK, Cards, State
from hastilude.core.uncounted import uncounted

AIMS = {"match": MATCH, "score": SCORE}
RANDOM, REFERENCE, INSTINCT = range(3)
ROLLOUTS = {"random": RANDOM, "reference": REFERENCE, "instinct": INSTINCT}
SWITCHES = ("mixing", "blind")
CURIOSITY = 0.2  # the part of a mixed choice that is spread evenly
LONGEST_PATH = 512
MOST_SEATS = 4
WIDENING = 4  # below the root, n actions are tried after 4 (n - 1)² visits


@dataclass(frozen=True)
class Settings:
    """The settings of a search. Its budget is `simulations`, or `milliseconds` if given."""

    simulations: int = 2000
    milliseconds: float | None = None
    rollout: str = "instinct"
    aim: str = "match"
    mixing: bool = False  # choose simultaneous actions by regret matching instead of by bounds
    carelessness: float = 0.0  # with a loss of this size, an action is chosen e times less often
    nodes: int = 20_000
    blind: bool = False  # whether to ignore what the others' play says about their cards


def read_settings(details: Sequence[str]) -> Settings:
    """The settings of a name like `search:50ms:score`; OptionError says what is allowed."""
    changes: dict[str, Any] = {}
    for detail in details:
        if budget := read_budget(detail):
            changes |= budget
        elif detail in AIMS:
            changes["aim"] = detail
        elif detail in ROLLOUTS:
            changes["rollout"] = detail
        elif detail in SWITCHES:
            changes[detail] = True
        else:
            known = ("50ms", "400", *AIMS, *ROLLOUTS, *SWITCHES)
            raise OptionError.of("bot_setting", setting=detail, known=known)
    return Settings(**changes)


class How(NamedTuple):
    """The settings that the kernels need."""

    aim: int
    rollout: int
    mixing: bool
    exploration: float
    trust: float
    mind: Any = NO_MIND  # see `load_mind`
    guided: float = 0.0
    faith: int = 0


class Memory(NamedTuple):
    """The memory that a simulation uses."""

    states: Any  # the simulated state, and one redacted for the seat to act
    words: npt.NDArray[np.uint64]  # the same bytes as words
    own: npt.NDArray[np.uint64]  # a hash of each seat's choices since the root
    work: Cards
    hindsight: Hindsight
    worths: Worths  # of each action, by instinct
    grain: Worths  # what a small difference is worth in the searched position; 0 without instinct


def new_memory(game: Game) -> Memory:
    states = np.zeros(2, game.state)
    return Memory(
        states=states,
        words=states.view(np.uint64).reshape(2, -1),
        own=np.zeros(MOST_SEATS, np.uint64),
        work=np.zeros(WORK, np.int8),
        hindsight=new_hindsight(game.state),
        worths=np.zeros(game.num_actions),
        grain=np.zeros(1),
    )


class SearchBot:
    """Chooses by search. The same seed and number of simulations give the same choices."""

    def __init__(self, game: Game, seed: int, settings: Settings) -> None:
        outlook = load_bots(game)
        self._solve = outlook.solver() if outlook.solver else None
        self.settings = settings
        self.milliseconds = settings.milliseconds
        self._rng = generator(seed)
        self._tree = new_tree(settings.nodes, game.num_actions)
        self._path = new_path()
        self._memory = new_memory(game)
        self._how = How(
            AIMS[settings.aim],
            ROLLOUTS[settings.rollout],
            settings.mixing,
            outlook.exploration,
            outlook.trust if settings.rollout != "random" else 0.0,
            load_mind(game),
            outlook.guided,
            outlook.faith,
        )

    def choose(self, redacted: Any, seat: int) -> int:
        if self._solve:
            budget = Budget(self.settings.simulations, self.milliseconds, now())
            action = self._solve(redacted, seat, self._rng, budget)
            if action is not None:
                return int(action)
        visits = self.think(redacted, seat)
        if self.settings.mixing and simultaneous_at(redacted):
            share = CURIOSITY * visits.sum() / np.count_nonzero(visits)
            return pick_by_weight(np.maximum(visits - share, 0.0), self._rng)
        if self.settings.carelessness == 0 or self._tree.used[0] == 0:
            return int(visits.argmax())
        return pick_by_weight(np.exp(-self.losses() / self.settings.carelessness), self._rng)

    def think(self, redacted: Any, seat: int) -> npt.NDArray[np.int64]:
        """How often the search chose each action."""
        begun = now()
        visits = np.zeros(self._tree.visits.shape[1], np.int64)
        forget(self._tree)
        if forced_at(redacted, seat, visits):
            return visits
        if not self.settings.blind:
            look_back(redacted, self._memory.hindsight)
        tree, path, memory = self._tree, self._path, self._memory

        def simulate_some(some: int) -> None:
            simulate(redacted, seat, some, tree, path, memory, self._how, visits, self._rng)

        spend(self.settings.simulations, self.settings.milliseconds, begun, simulate_some)
        return visits

    def losses(self) -> Worths:
        """How far each action was behind the best in the last search with more than one; infinite
        if untried. In points where instinct says what a point is worth, otherwise in worth."""
        visits, values = self._tree.visits[0], self._tree.values[0]
        means = np.full(len(visits), -np.inf)
        np.divide(values, visits, out=means, where=visits > 0)
        return (means.max() - means) / (self._memory.grain[0] or 1.0)

    @property
    def expectation(self) -> float:
        """The mean worth of the simulations in the last search with more than one action."""
        return float(self._tree.values[0].sum() / self._tree.visits[0].sum())


@kernel
def forced_at(redacted: Any, seat: int, visits: npt.NDArray[np.int64]) -> bool:
    """Whether there is only one legal action; then it gets the visit."""
    actions = rules.legal(redacted[0], seat)
    if count(actions) > 1:
        return False
    visits[lowest(actions)] = 1
    return True


@kernel
def simultaneous_at(redacted: Any) -> bool:
    return count(np.uint64(rules.pending(redacted[0]))) > 1


@kernel
def pick_by_weight(weights: npt.NDArray[np.float64], rng: Rng) -> int:
    left = weights.sum() * unit(rng)
    chosen = 0
    for action in range(len(weights)):
        if weights[action] > 0 and left >= 0:
            chosen = action
            left -= weights[action]
    return chosen


class Path(NamedTuple):
    """The choices that nodes made in one simulation: which, by whom, and among what."""

    nodes: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    offers: npt.NDArray[np.uint64]
    chances: npt.NDArray[np.float64]  # the probability of a mixed choice; 0 if not mixed


def new_path() -> Path:
    return Path(
        nodes=np.empty(LONGEST_PATH, np.int64),
        actions=np.empty(LONGEST_PATH, np.int64),
        seats=np.empty(LONGEST_PATH, np.int64),
        offers=np.empty(LONGEST_PATH, np.uint64),
        chances=np.empty(LONGEST_PATH),
    )


@kernel
def simulate(
    redacted: Any,
    seat: int,
    simulations: int,
    tree: Any,
    path: Any,
    memory: Any,
    how: Any,
    visits: npt.NDArray[np.int64],
    rng: Rng,
) -> None:
    """Run simulations from the same knowledge; adds to `visits` of the root's actions."""
    redacted, tree, path, memory, how, rng = uncounted((redacted, tree, path, memory, how, rng))
    for _ in range(simulations):
        imagine(redacted, seat, memory.hindsight, rng, memory.work)
        memory.states[0] = memory.hindsight.worlds[DEAL]
        length, promised = descend(seat, tree, path, memory, how, rng)
        if promised < 0.0:
            roll_out(memory.states[0], how, rng, memory.work)
        learn(tree, path, length, promised, memory, how)
        if length:
            visits[path.actions[0]] += 1


@kernel
def descend(seat: int, tree: Any, path: Any, memory: Any, how: Any, rng: Rng) -> tuple[int, float]:
    """Choose and play by the nodes of the tree, up to the first new node.

    Returns how many nodes, and what the position there promises the seat, or -1.
    """
    s = memory.states[0]
    memory.own[:] = NONE
    length = 0
    while length < LONGEST_PATH and not at_end(s, how.rollout):
        if rules.chance_due(s):
            deal_due(s, rng, memory.work)
        # Of seats that choose simultaneously, the searching seat comes first: the search begins in
        # its node, and the others cannot see its choice.
        player = seat if rules.pending(s) >> seat & 1 else rules.turn(s)
        actions = rules.legal(s, player)
        action = lowest(actions)
        fresh = False
        mixing = how.mixing and count(np.uint64(rules.pending(s))) > 1
        if player != seat and not mixing and unit(rng) < how.trust:
            action = policy(s, player, how, rng, memory.work)
        elif count(actions) > 1:  # a single action needs no node
            node = find_or_add(tree, knowledge(s, player, seat, memory))
            if node == EMPTY:
                break
            fresh = is_fresh(tree, node, actions)
            chance = 0.0
            if fresh and player == seat and how.rollout == INSTINCT and not mixing:
                best = believe(s, seat, tree, node, actions, memory, how, length)
                if best >= 0.0 and length:
                    return length, best
                fresh = best < 0.0
            if mixing:
                action, chance = choose_mixed(tree, node, actions, rng)
            elif fresh and length and how.rollout != RANDOM:
                action = policy(s, player, how, rng, memory.work)
            else:
                guided = player == seat and memory.grain[0] > 0.0
                exploration = how.guided * memory.grain[0] if guided else how.exploration
                narrow = length > 0 and how.rollout != RANDOM and not guided
                action = choose_by_bound(tree, node, actions, exploration, narrow, rng)
            path.nodes[length], path.actions[length], path.seats[length] = node, action, player
            path.offers[length], path.chances[length] = actions, chance
            length += 1
        memory.own[player] = mixed(memory.own[player] ^ np.uint64(action + 1))
        rules.apply(s, player, action)
        if fresh:
            break
    return length, -1.0


@kernel
def believe(
    s: State, seat: int, tree: Any, node: int, actions: Bits, memory: Any, how: Any, length: int
) -> float:
    """Begin a node with what instinct promises for its actions, as if each had been tried `faith`
    times. Returns the best, which replaces a rollout, or -1 if the game has no instinct."""
    grain = promises(s, seat, how.aim, how.mind, memory.worths, memory.work)
    if length == 0:
        memory.grain[0] = grain
    if grain == 0.0:
        return -1.0
    best = 0.0
    rest = actions
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        tree.visits[node, action] = how.faith
        tree.values[node, action] = how.faith * memory.worths[action]
        best = max(best, memory.worths[action])
    return best


@kernel
def learn(tree: Any, path: Any, length: int, promised: float, memory: Any, how: Any) -> None:
    """Update each node on the path with the result of the seat that chose there."""
    s = memory.states[0]
    for seat in range(MOST_SEATS):
        got = -1.0
        for step in range(length):
            if path.seats[step] == seat:
                if promised >= 0.0:
                    got = promised
                elif got < 0.0 and how.rollout == INSTINCT:
                    got = prospect(s, seat, how.aim, how.mind, memory.work)
                elif got < 0.0:
                    got = worth(s, seat, how.aim)
                node, action = path.nodes[step], path.actions[step]
                tree.visits[node, action] += 1
                if path.chances[step] == 0.0:
                    tree.values[node, action] += got
                else:
                    regret(tree, node, path.offers[step], action, got, path.chances[step])


@kernel
def knowledge(s: State, player: int, seat: int, memory: Any) -> np.uint64:
    """A hash of what the player knows, as far as the tree distinguishes it."""
    key = np.uint64(player + 1)
    if player == seat:
        rules.redact(s, seat, memory.states[1])
    else:
        rules.redact(s, SPECTATOR, memory.states[1])
        key = mixed(key ^ memory.own[player])
    for k in range(memory.words.shape[1]):
        key = mixed(key ^ memory.words[1, k])
    return key


@kernel
def is_fresh(tree: Any, node: int, actions: Bits) -> bool:
    """Whether no action that is legal now was ever tried at a node."""
    rest = actions
    while rest != NONE:
        if tree.visits[node, lowest(rest)]:
            return False
        rest &= rest - ONE
    return True


@kernel
def choose_by_bound(
    tree: Any, node: int, actions: Bits, exploration: float, narrow: bool, rng: Rng
) -> int:
    """The action with the best upper bound; untried actions come first.

    Below the root, a node first tries the policy's action; others follow only as visits increase.
    Otherwise the other seats would mostly try out bad actions.
    """
    untried, tried, visits = NONE, 0, 0
    best, found = -1.0, 0
    rest = actions
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        tree.available[node, action] += 1
        tries = tree.visits[node, action]
        if tries == 0:
            untried |= bit(action)
            continue
        tried += 1
        visits += tries
        mean = tree.values[node, action] / tries
        bound = mean + exploration * sqrt(np.log(tree.available[node, action]) / tries)
        if bound > best:
            best, found = bound, action
    if untried != NONE and (not narrow or tried * tried * WIDENING <= visits):
        return pick(rng, untried)
    return found


@kernel
def choose_mixed(tree: Any, node: int, actions: Bits, rng: Rng) -> tuple[int, float]:
    """Choose by regret matching: in proportion to positive regret, plus a small part for all.

    The node's values are sums of regret here. Also returns the probability of the choice.
    """
    total, size = 0.0, count(actions)
    rest = actions
    while rest != NONE:
        action = lowest(rest)
        rest &= rest - ONE
        total += max(tree.values[node, action], 0.0)
    left = unit(rng)
    action, chance = 0, 0.0
    rest = actions
    while rest != NONE and left >= 0.0:
        action = lowest(rest)
        rest &= rest - ONE
        share = max(tree.values[node, action], 0.0) / total if total > 0.0 else 1.0 / size
        chance = (1.0 - CURIOSITY) * share + CURIOSITY / size
        left -= chance
    return action, chance


@kernel
def regret(tree: Any, node: int, actions: Bits, action: int, got: float, chance: float) -> None:
    """Add to each action's regret what it might have got, minus what was got.

    What the other actions might have got is unknown and counts as 0. Dividing by the probability of
    the tried action makes that right on average (outcome sampling).
    """
    rest = actions
    while rest != NONE:
        tree.values[node, lowest(rest)] -= got
        rest &= rest - ONE
    tree.values[node, action] += got / chance


@kernel
def roll_out(s: State, how: Any, rng: Rng, work: Cards) -> None:
    """Play by the policy of the search to the end of the simulation."""
    while not at_end(s, how.rollout):
        if rules.chance_due(s):
            deal_due(s, rng, work)
        player = rules.turn(s)
        rules.apply(s, player, policy(s, player, how, rng, work))


@kernel
def at_end(s: State, rollout: int) -> bool:
    return foreseen(s) if rollout == INSTINCT else settled(s)


@kernel
def policy(s: State, player: int, how: Any, rng: Rng, work: Cards) -> int:
    """What a seat without a node plays."""
    if how.rollout == RANDOM:
        return pick(rng, rules.legal(s, player))
    if how.rollout == REFERENCE:
        return reference(s, player, rng, work)
    return instinct(s, player, how.mind, rng, work)


@kernel
def play_on(s: State, rng: Rng, work: Cards) -> None:
    """Play by the reference policy until the state is settled."""
    while not settled(s):
        if rules.chance_due(s):
            deal_due(s, rng, work)
        player = rules.turn(s)
        rules.apply(s, player, reference(s, player, rng, work))
