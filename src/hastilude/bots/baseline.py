"""The yardstick: plain information-set tree search, which never changes.

Hidden cards are dealt at random, rollouts are random, and nothing is known about a game but its
rules. So a lead over it at equal time is what knowledge and better methods are worth. It shares
no code of the search with the other bots, and `tests/bots/test_baseline.py` holds its choices
fixed: improve other bots, not this one.

`yardstick.py` of a game may say where a simulation ends and what that is worth to a seat;
otherwise it ends with the match, and the victory is worth 1.
"""

from collections.abc import Sequence
from functools import cache
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.budget import now, read_budget, spend
from hastilude.bots.tree import EMPTY, Tree, find_or_add, forget, new_tree
from hastilude.core import rules
from hastilude.core.bits import NONE, ONE, Bits, bit, count, lowest
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.hooks import Hooks
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, generator, mixed, pick
from hastilude.core.rules import SPECTATOR, WORK, Cards, State
from hastilude.games.registry import part_of

EXPLORATION = 0.5
NODES = 20_000
LONGEST_PATH = 512
MOST_SEATS = 4

YARDSTICK = Hooks("the functions of the yardstick", optional=True)


@YARDSTICK.hook
def ended(s: State) -> bool:
    """Whether a simulation ends here."""
    return rules.pending(s) == 0 and rules.chance_due(s) == 0


@YARDSTICK.hook
def result(s: State, seat: int) -> float:
    """What the end of a simulation is worth to a seat, from 0 to 1."""
    found = rules.winners(s)
    return 1.0 / count(np.uint64(found)) if found >> seat & 1 else 0.0


@cache
def load_yardstick(name: str, state: np.dtype[np.void]) -> None:
    if yardstick := part_of(name, "yardstick"):
        YARDSTICK.provide(state, yardstick)


def read_budgets(details: Sequence[str]) -> dict[str, Any]:
    """The budget of a name like `baseline:50ms`; OptionError says what is allowed."""
    budgets = [read_budget(detail) for detail in details]
    for detail, budget in zip(details, budgets, strict=True):
        if budget is None:
            raise OptionError.of("bot_setting", setting=detail, known=("50ms", "400"))
    return dict(budgets[-1] or {}) if budgets else {}


class Memory(NamedTuple):
    states: Any  # the simulated state, and one redacted for the seat to act
    words: npt.NDArray[np.uint64]  # the same bytes as words
    own: npt.NDArray[np.uint64]  # a hash of each seat's choices since the root
    work: Cards
    tree: Tree
    # The choices of a simulation that nodes made.
    nodes: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]


def new_memory(game: Game) -> Memory:
    load_yardstick(game.name, game.state)
    states = np.zeros(2, game.state)
    return Memory(
        states=states,
        words=states.view(np.uint64).reshape(2, -1),
        own=np.zeros(MOST_SEATS, np.uint64),
        work=np.zeros(WORK, np.int8),
        tree=new_tree(NODES, game.num_actions),
        nodes=np.zeros(LONGEST_PATH, np.int64),
        actions=np.zeros(LONGEST_PATH, np.int64),
        seats=np.zeros(LONGEST_PATH, np.int64),
    )


class BaselineBot:
    """The same seed and number of simulations give the same choices.

    With `open_cards` it gets true states instead of redacted ones.
    """

    open_cards = False

    def __init__(
        self, game: Game, seed: int, simulations: int = 2000, milliseconds: float | None = None
    ) -> None:
        self.milliseconds = milliseconds
        self._simulations = simulations
        self._rng = generator(seed)
        self._memory = new_memory(game)
        self._visits = np.zeros(game.num_actions, np.int64)

    def choose(self, known: Any, seat: int) -> int:
        begun = now()
        memory, visits, rng = self._memory, self._visits, self._rng
        visits[:] = 0
        forget(memory.tree)

        def simulate_some(some: int) -> None:
            simulate(known, seat, some, self.open_cards, memory, visits, rng)

        if not forced(known, seat, visits):
            spend(self._simulations, self.milliseconds, begun, simulate_some)
        return int(visits.argmax())


@kernel
def forced(known: Any, seat: int, visits: npt.NDArray[np.int64]) -> bool:
    """Whether there is only one legal action; then it gets the visit."""
    actions = rules.legal(known[0], seat)
    if count(actions) > 1:
        return False
    visits[lowest(actions)] = 1
    return True


@kernel
def simulate(
    known: Any,
    seat: int,
    simulations: int,
    open_cards: bool,
    memory: Any,
    visits: npt.NDArray[np.int64],
    rng: Rng,
) -> None:
    """Run simulations from the same knowledge; adds to `visits` of the root's actions."""
    s = memory.states[0]
    for _ in range(simulations):
        memory.states[0] = known[0]
        if not open_cards:
            rules.determinize(s, rng, memory.work)
        length = descend(seat, memory, rng)
        while not ended(s):
            if rules.chance_due(s):
                deal_due(s, rng, memory.work)
            else:
                player = rules.turn(s)
                rules.apply(s, player, pick(rng, rules.legal(s, player)))
        learn(length, memory)
        visits[memory.actions[0]] += 1


@kernel
def descend(seat: int, memory: Any, rng: Rng) -> int:
    """Choose by the nodes of the tree, up to the first new node; returns how many were passed."""
    s, tree = memory.states[0], memory.tree
    memory.own[:] = NONE
    length = 0
    while length < LONGEST_PATH and not ended(s):
        if rules.chance_due(s):
            deal_due(s, rng, memory.work)
            continue
        # Of seats that choose simultaneously, the searching seat comes first: the others cannot
        # see its choice.
        player = seat if rules.pending(s) >> seat & 1 else rules.turn(s)
        actions = rules.legal(s, player)
        action, fresh = lowest(actions), False
        if count(actions) > 1:  # a single action needs no node
            known = tree.used[0]
            node = find_or_add(tree, knowledge(s, player, seat, memory))
            if node == EMPTY:
                break
            fresh = tree.used[0] > known
            action = choose(tree, node, actions, rng)
            memory.nodes[length], memory.actions[length] = node, action
            memory.seats[length] = player
            length += 1
        memory.own[player] = mixed(memory.own[player] ^ np.uint64(action + 1))
        rules.apply(s, player, action)
        if fresh:
            break
    return length


@kernel
def knowledge(s: State, player: int, seat: int, memory: Any) -> np.uint64:
    """A hash of the searching seat's view; of another seat, what everybody has seen and its own
    choices since the root."""
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
def choose(tree: Any, node: int, actions: Bits, rng: Rng) -> int:
    """The action with the best upper bound; untried actions come first. How often an action was
    available counts, not how often its node was visited (Cowling, Powley and Whitehouse)."""
    untried = NONE
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
        mean = tree.values[node, action] / tries
        bound = mean + EXPLORATION * sqrt(log(tree.available[node, action]) / tries)
        if bound > best:
            best, found = bound, action
    return pick(rng, untried) if untried != NONE else found


@kernel
def learn(length: int, memory: Any) -> None:
    """Update each node with the result of the seat that chose there."""
    tree = memory.tree
    for step in range(length):
        node, action = memory.nodes[step], memory.actions[step]
        tree.visits[node, action] += 1
        tree.values[node, action] += result(memory.states[0], memory.seats[step])
