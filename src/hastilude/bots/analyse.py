"""Judges the whole choices of a position, given what the seat to act knows.

All choices are tried on the same sampled deals with the same luck afterwards, so that their
differences are much more certain than each estimate alone. An `Analysis` can be continued: what is
clearly worse is dropped on the way, so that the time goes to the choices that matter. The same seed
and number of samples give the same result, however the samples were divided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.bots.hindsight import DEAL, imagine, look_back, new_hindsight
from hastilude.bots.knowledge import (
    EFFECTS,
    MATCH,
    Choice,
    effect,
    has_shown,
    load_bots,
    reference,
    settled,
    worth,
)
from hastilude.bots.search import play_on
from hastilude.core import rules
from hastilude.core.calls import determinize_at
from hastilude.core.game import Game
from hastilude.core.kernel import kernel
from hastilude.core.match import Rehearsal
from hastilude.core.playout import deal_due
from hastilude.core.random import Rng, draw, generator
from hastilude.core.rules import WORK, Cards, State
from hastilude.core.states import blank

NORMAL_95 = 1.96
CLEAR = 3.0  # standard errors behind the best to be dropped: it is looked at several times
EQUAL = 0.02  # a difference in the chance to win that does not matter
FIRST_LOOK = 256  # samples; fewer might miss results that are rare but matter
MOST_SAMPLES = 16_384
MOST_CHOICES = 128  # in a position with more, only their first actions are judged
NO_ACTION = -1
FIRST_BATCH = 4  # samples before the pace is known
BATCH_SECONDS = 0.02  # between two looks at the clock


@dataclass(frozen=True)
class Candidate:
    """A choice with its estimated results. `margin` is half of the 95 % interval of `win`; `behind`
    is how much less often it wins than the best, with its own margin.

    Choices of the same `group` cannot be told apart; group 0 is the best. `effects` counts what
    came of the choice, in the game's own terms (see `knowledge.effect`), on `samples` deals.
    """

    actions: Choice
    texts: tuple[str, ...]
    win: float
    margin: float
    score: float
    behind: float
    behind_margin: float
    group: int
    samples: int
    effects: tuple[int, ...]


class Results(NamedTuple):
    """What came of each choice (columns) on each deal (rows), and how often it had each effect."""

    wins: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    effects: npt.NDArray[np.int64]


class Trials:
    """Tries choices of a seat on sampled deals: all of them on the same deals, with the same luck.

    `redacted` is from `Match.redacted(seat)`. The empty choice leaves the decision to the policy.
    Every `block` deals in a row are similar (see `hindsight`), which is faster; blocks are
    independent.
    """

    def __init__(
        self,
        game: Game,
        redacted: Any,
        seat: int,
        seed: int,
        aim: int = MATCH,
        block: int = 1,
    ) -> None:
        load_bots(game)
        self._redacted = redacted
        self._seat = seat
        self._aim = aim
        self._block = block
        self._deals = generator(seed)
        self._played, self._work = blank(game.state), np.zeros(WORK, np.int8)
        self._hindsight = new_hindsight(game.state)

    def run(self, choices: Sequence[Choice], samples: int) -> Results:
        """Try the choices on the next so many deals."""
        results = Results(
            np.zeros((samples, len(choices)), np.float32),
            np.zeros((samples, len(choices)), np.float32),
            np.zeros((len(choices), EFFECTS), np.int64),
        )
        judge(
            self._redacted, self._seat, rows_of(choices), *results, self._aim, self._block,
            self._played, self._hindsight, self._deals, generator(0), self._work,
        )  # fmt: skip
        return results


def rows_of(choices: Sequence[Choice]) -> npt.NDArray[np.int64]:
    """The actions of the choices, one row each."""
    rows = np.full((len(choices), max(map(len, choices))), NO_ACTION, np.int64)
    for row, actions in zip(rows, choices, strict=True):
        row[: len(actions)] = actions
    return rows


class Analysis:
    """The choices of a seat, judged on more and more deals. `redacted` is from
    `Match.redacted(seat)`."""

    def __init__(
        self,
        game: Game,
        redacted: Any,
        seat: int,
        seed: int = 0,
        choices: Sequence[Choice] | None = None,
    ) -> None:
        self.samples = 0
        self.choices = choices or list_choices(game, redacted, seat)
        self._game = game
        self._trials = Trials(game, redacted, seat, seed)
        count = len(self.choices)
        self._open = list(range(count))  # choices that are not dropped
        self._counts = np.zeros(count, np.int64)  # samples of each choice, always the first ones
        self._wins = np.zeros((0, count), np.float32)
        self._scores = np.zeros((0, count), np.float32)
        self._effects = np.zeros((count, EFFECTS), np.int64)
        self._pace = 0.0  # seconds per sample, in the last batch
        self._next_look = FIRST_LOOK
        self._decided = False

    @property
    def decided(self) -> bool:
        """Whether more samples would tell nothing that matters: each choice is clearly worse than
        the best, or as good for all purposes."""
        return self._decided or self.samples >= MOST_SAMPLES

    def think(self, seconds: float) -> None:
        """Go on for about this long, or until it is decided; there is always something to show."""
        begun = now = perf_counter()
        while not self.decided and (self.samples == 0 or now - begun < seconds):
            left = max(0.0, seconds - (now - begun))
            some = int(min(left, BATCH_SECONDS) / self._pace) + 1 if self._pace else FIRST_BATCH
            batch_begun, before = now, self.samples
            self.extend(some)
            now = perf_counter()
            self._pace = (now - batch_begun) / (self.samples - before)

    def extend(self, samples: int) -> None:
        """Go on with so many samples, or until it is decided."""
        while samples > 0 and not self.decided:
            some = min(samples, min(self._next_look, MOST_SAMPLES) - self.samples)
            self._sample(some)
            samples -= some
            if self.samples == self._next_look:
                self._look()

    def _sample(self, samples: int) -> None:
        results = self._trials.run([self.choices[k] for k in self._open], samples)
        if len(self._wins) < self._next_look:
            more = self._next_look - len(self._wins), len(self.choices)
            self._wins = np.concatenate((self._wins, np.zeros(more, np.float32)))
            self._scores = np.concatenate((self._scores, np.zeros(more, np.float32)))
        end = self.samples + samples
        self._wins[self.samples : end, self._open] = results.wins
        self._scores[self.samples : end, self._open] = results.scores
        self._effects[self._open] += results.effects
        self.samples = end
        self._counts[self._open] = self.samples

    def _look(self) -> None:
        """Drop what is clearly worse than the best, and see whether anything is left to find out.

        Looks are rare, because each of them could see a difference where there is none.
        """
        self._next_look *= 2
        best = self._best
        self._open = [k for k in self._open if not self._is_worse(best, k, CLEAR)]
        self._decided = all(self._is_equal(best, k) for k in self._open)

    @property
    def _best(self) -> int:
        return self._open[int(self._wins[: self.samples, self._open].mean(axis=0).argmax())]

    def _behind(self, best: int, k: int) -> tuple[float, float]:
        """How much less often a choice wins than another one, and the standard error of that."""
        rows = min(self._counts[best], self._counts[k])
        differences = self._wins[:rows, best].astype(np.float64) - self._wins[:rows, k]
        return float(differences.mean()), standard_error(differences)

    def _is_worse(self, best: int, k: int, certainty: float) -> bool:
        """Whether a choice is behind by enough standard errors, and not just by a trifle."""
        behind, error = self._behind(best, k)
        return behind > certainty * error and not self._is_equal(best, k)

    def _is_equal(self, best: int, k: int) -> bool:
        """Whether the choice is as good as the best for all purposes."""
        behind, error = self._behind(best, k)
        return behind + NORMAL_95 * error <= EQUAL

    def candidates(self) -> list[Candidate]:
        """The choices, best first, in groups of those that cannot be told apart."""
        best = self._best
        behind = [self._behind(best, k)[0] for k in range(len(self.choices))]
        worse = [self._is_worse(best, k, NORMAL_95) for k in range(len(behind))]
        order = sorted(range(len(behind)), key=lambda k: (worse[k], k != best, behind[k]))
        found, group, leader = [], 0, best
        for k in self._without_repeats(order):
            if worse[k] and (group == 0 or self._is_worse(leader, k, NORMAL_95)):
                group, leader = group + 1, k
            found.append(self._candidate(k, best, group))
        return found

    def _without_repeats(self, order: list[int]) -> list[int]:
        """The same actions in another order are the same choice if nothing ever depended on it."""
        kept: dict[tuple[Choice, bytes], int] = {}
        for k in order:
            rows = self._counts[k]
            results = self._wins[:rows, k].tobytes() + self._scores[:rows, k].tobytes()
            kept.setdefault((tuple(sorted(self.choices[k])), results), k)
        return list(kept.values())

    def _candidate(self, k: int, best: int, group: int) -> Candidate:
        rows = int(self._counts[k])
        behind, error = self._behind(best, k)
        actions = self.choices[k]
        return Candidate(
            actions=actions,
            texts=tuple(map(self._game.text, actions)),
            # On fewer deals than the best, a choice may just have met better ones.
            win=float(self._wins[: self.samples, best].mean(dtype=np.float64)) - behind,
            margin=NORMAL_95 * standard_error(self._wins[:rows, k]),
            score=float(self._scores[:rows, k].mean(dtype=np.float64)),
            behind=behind,
            behind_margin=NORMAL_95 * error,
            group=group,
            samples=rows,
            effects=tuple(self._effects[k].tolist()),
        )


def analyse(
    game: Game, redacted: Any, seat: int, samples: int = 400, seed: int = 0
) -> list[Candidate]:
    """The choices of a seat, best first, judged on so many deals, or fewer if that decides it."""
    analysis = Analysis(game, redacted, seat, seed)
    analysis.extend(samples)
    return analysis.candidates()


def list_choices(game: Game, redacted: Any, seat: int) -> list[Choice]:
    """The whole choices that a seat can make; only their first actions if there are too many."""
    states = blank(game.state, 2)
    states[0] = redacted[0]
    # What a seat may choose depends on nothing hidden, but a choice may reveal hidden cards.
    determinize_at(states, 0, generator(0), np.zeros(WORK, np.int8))
    found: list[Choice] = []
    begun: list[Choice] = [()]
    while begun:
        actions = begun.pop()
        rehearsal = Rehearsal(game, states, seat)
        for action in actions:
            rehearsal.play(action)
        if rehearsal.whole:
            found.append(actions)
        else:
            begun += [(*actions, action) for action in reversed(rehearsal.legal())]
        if len(found) > MOST_CHOICES:
            return [(action,) for action in Rehearsal(game, states, seat).legal()]
    return found


def standard_error(observed: npt.NDArray[Any]) -> float:
    """Of the mean of what was observed; of a single observation, anything."""
    if len(observed) < 2:  # noqa: PLR2004  # one has no spread
        return 1.0
    return float(observed.std(ddof=1, dtype=np.float64) / np.sqrt(len(observed)))


@kernel
def judge(
    redacted: Any,
    seat: int,
    choices: npt.NDArray[np.int64],
    wins: npt.NDArray[np.float32],
    scores: npt.NDArray[np.float32],
    effects: npt.NDArray[np.int64],
    aim: int,
    block: int,
    played: Any,
    hindsight: Any,
    deals: Rng,
    rng: Rng,
    work: Cards,
) -> None:
    """Play every choice on every sampled deal to a settled state."""
    for sample in range(wins.shape[0]):
        rng[0] = draw(deals)  # so a deal does not depend on how much was played on the one before
        if sample % block == 0:  # start with a new deal: intervals need independent samples
            look_back(redacted, hindsight)
        imagine(redacted, seat, hindsight, rng, work)
        luck = rng[0]
        for k in range(len(choices)):
            rng[0] = luck
            played[0] = hindsight.worlds[DEAL]
            for place in range(choices.shape[1]):
                if choices[k, place] != NO_ACTION:
                    rules.apply(played[0], seat, choices[k, place])
            play_to_effect(played[0], redacted[0], rng, work)
            effects[k, effect(played[0], redacted[0], seat)] += 1
            play_on(played[0], rng, work)
            wins[sample, k] = worth(played[0], seat, aim)
            scores[sample, k] = rules.score(played[0], seat)


@kernel
def play_to_effect(s: State, before: State, rng: Rng, work: Cards) -> None:
    """Play by the policy until the effect of the choice made in `before` has shown."""
    while not settled(s) and not has_shown(s, before):
        if rules.chance_due(s):
            deal_due(s, rng, work)
        player = rules.turn(s)
        rules.apply(s, player, reference(s, player, rng, work))
