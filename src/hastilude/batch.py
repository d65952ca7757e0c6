"""Many matches of one game in one array, stepped together: NumPy in, NumPy out.

>>> import hastilude
>>> from hastilude.batch import Batch
>>> batch = Batch(hastilude.load("tornei"), size=4, seed=1)
>>> batch.step(batch.random_actions())
>>> batch.turn
array([1, 1, 1, 1], dtype=int8)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.core import rules
from hastilude.core.bits import Bits, has
from hastilude.core.calls import start_at
from hastilude.core.chance import SeededChance
from hastilude.core.errors import IllegalAction, OptionError
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, pick
from hastilude.core.rules import WORK, Cards


class Batch:
    """`size` matches. Every step updates these arrays in place; each has one row per match:

    `turn` is the seat to act, `legal` its actions as a bit set, `encodings` what it may know (see
    the game's `layout`), and `done` whether the step ended the match. A match that ended starts
    again at once; `scores` and `wins` (1 for the winner, divided if shared) hold the result of the
    last match that ended in each row.

    Seats with simultaneous choices act one by one; later seats do not see the earlier choices.
    """

    def __init__(self, game: Game, size: int, seed: int) -> None:
        if type(size) is not int or size < 1:
            raise OptionError.of("batch_size", value=size)
        self.game = game
        self.turn = np.zeros(size, np.int8)
        self.legal = np.zeros(size, np.uint64)
        self.encodings = np.zeros((size, game.layout.size), np.uint8)
        self.done = np.zeros(size, np.bool_)
        self.scores = np.zeros((size, game.seats), np.int16)
        self.wins = np.zeros((size, game.seats), np.float32)
        self._rng = SeededChance(seed).rng
        self._states = np.zeros(size, game.state)
        self._scratch = np.zeros(2, game.state)  # the start of every match, and a redacted state
        self._work = np.zeros(WORK, np.int8)
        start_at(self._scratch, np.array(game.option_numbers, dtype=np.int64))
        begin_all(self._states, self._scratch, self._rng, self._work)
        self._observe()

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each match. IllegalAction names the first one that is not legal;
        nothing changes then."""
        chosen = np.asarray(actions)
        if chosen.shape != self.turn.shape or not np.issubdtype(chosen.dtype, np.integer):
            raise IllegalAction.of("batch_actions", size=len(self.turn))
        chosen = chosen.astype(np.int64, copy=False)
        wrong = first_illegal(self.legal, chosen)
        if wrong >= 0:
            raise IllegalAction.of("batch_illegal", match=wrong, value=int(chosen[wrong]))
        step_all(
            self._states, self._scratch, self.turn, chosen, self._rng, self._work,
            self.done, self.scores, self.wins,
        )  # fmt: skip
        self._observe()

    def masks(self) -> npt.NDArray[np.bool_]:
        """`legal` as an array of booleans: one row per match, one column per action."""
        actions = np.arange(self.game.num_actions, dtype=np.uint64)
        return (self.legal[:, None] >> actions & np.uint64(1)).astype(np.bool_)

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A legal action for every match, drawn from the batch's own generator."""
        actions = np.empty(len(self.turn), np.int64)
        pick_all(self.legal, self._rng, actions)
        return actions

    def _observe(self) -> None:
        observe_all(self._states, self._scratch, self.turn, self.legal, self.encodings)


@kernel
def begin_all(states: Any, scratch: Any, rng: Rng, work: Cards) -> None:
    for i in range(len(states)):
        states[i] = scratch[0]
        deal_due(states[i], rng, work)


@kernel
def first_illegal(legal: npt.NDArray[Bits], actions: npt.NDArray[np.int64]) -> int:
    for i in range(len(actions)):
        if not 0 <= actions[i] < 64 or not has(legal[i], actions[i]):  # noqa: PLR2004  # a word
            return i
    return -1


@kernel
def step_all(
    states: Any,
    scratch: Any,
    turn: npt.NDArray[np.int8],
    actions: npt.NDArray[np.int64],
    rng: Rng,
    work: Cards,
    done: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int16],
    wins: npt.NDArray[np.float32],
) -> None:
    for i in range(len(states)):
        rules.apply(states[i], int(turn[i]), actions[i])
        if rules.chance_due(states[i]):
            deal_due(states[i], rng, work)
        done[i] = rules.turn(states[i]) < 0
        if done[i]:
            read_result(states[i], scores[i], wins[i])
            states[i] = scratch[0]
            deal_due(states[i], rng, work)


@kernel
def read_result(s: Any, scores: npt.NDArray[np.int16], wins: npt.NDArray[np.float32]) -> None:
    winners = rules.winners(s)
    count = 0
    for seat in range(len(scores)):
        count += winners >> seat & 1
    for seat in range(len(scores)):
        scores[seat] = rules.score(s, seat)
        wins[seat] = (winners >> seat & 1) / count


@kernel
def observe_all(
    states: Any,
    scratch: Any,
    turn: npt.NDArray[np.int8],
    legal: npt.NDArray[Bits],
    encodings: npt.NDArray[np.uint8],
) -> None:
    for i in range(len(states)):
        seat = rules.turn(states[i])
        turn[i] = seat
        legal[i] = rules.legal(states[i], seat)
        rules.redact(states[i], seat, scratch[1])
        rules.encode(scratch[1], encodings[i])


@kernel
def pick_all(legal: npt.NDArray[Bits], rng: Rng, actions: npt.NDArray[np.int64]) -> None:
    for i in range(len(legal)):
        actions[i] = pick(rng, legal[i])
