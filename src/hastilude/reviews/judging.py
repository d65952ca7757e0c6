"""Judges a choice that was made, by what its seat could know.

All choices are tried on the same sampled deals (`bots.analyse.Trials`). The best one is chosen on
some deals and measured on others: whatever looks best on the deals that chose it also was lucky
there, and every other choice would seem to lose a little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from hastilude.bots.analyse import CLEAR, EQUAL, Candidate, Results, Trials, standard_error
from hastilude.bots.knowledge import VICTORY, Advice, Choice, load_advice
from hastilude.core.game import Game
from hastilude.messages import Message
from hastilude.reviews.estimate import BLOCK, DIGITS, Estimate, exactly, in_blocks
from hastilude.reviews.timeline import Made

CHOOSING = 320  # deals that choose the best
MEASURING = 896  # deals that measure what is left
MOST_MEASURED = 8  # choices besides the one that was made
POLICY: Choice = ()  # leaves the choice to the policy


class Label(StrEnum):
    BEST = "best"
    GOOD = "good"  # no loss could be measured
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


# The least loss of winning chance for each label.
LOSSES = {Label.BLUNDER: 0.10, Label.MISTAKE: 0.05, Label.INACCURACY: 0.02}
MARKED = frozenset(LOSSES)


@dataclass(frozen=True)
class Alternative:
    """A choice with its chance to win the match, its expected score, and its loss of winning chance
    against the best. `share` is how often good play makes it, where good play is mixed."""

    texts: tuple[str, ...]
    win: Estimate
    score: Estimate
    loss: Estimate
    share: float | None


@dataclass(frozen=True)
class Decision:
    """A choice that was made after `step` steps of the match. `alternatives` are the best first,
    `played` is the place of the one that was made, and `reasons` say what was wrong with it.
    `offered` is what the best choice gains over the policy's."""

    step: int
    label: Label
    played: int
    alternatives: tuple[Alternative, ...]
    offered: Estimate
    reasons: tuple[Message, ...]

    @property
    def choice(self) -> Alternative:
        return self.alternatives[self.played]


def judge_decision(game: Game, seat: int, made: Made, seeds: tuple[int, int]) -> Decision:
    """Judge a choice; `seeds` are for choosing the best and for measuring."""
    advice = load_advice(game)
    shares = (advice.mix(made.redacted, seat) if advice.mix else None) or {}
    choosing, measuring = (
        Trials(game, made.redacted, seat, seed, VICTORY, BLOCK) for seed in seeds
    )
    if shares:
        order = sorted(shares, key=lambda choice: -shares[choice])
    else:
        order = _promising(made.choices, choosing.run(made.choices, CHOOSING).wins)
    if made.actions not in order:
        order.append(made.actions)
    results = measuring.run([*order, POLICY], MEASURING)
    kept = first_of_each(order, results)
    played = list(kept).index(outcome(order, results, order.index(made.actions)))
    order = [order[k] for k in kept.values()]
    results = columns(results, [*kept.values(), -1])
    return _Judgement(game, seat, made, order, played, shares, results).decision(advice)


def first_of_each(choices: Sequence[Choice], results: Results) -> dict[Any, int]:
    """The places of the choices without repeats, by their outcomes."""
    first: dict[Any, int] = {}
    for k in range(len(choices)):
        first.setdefault(outcome(choices, results, k), k)
    return first


def outcome(choices: Sequence[Choice], results: Results, k: int) -> Any:
    """The same actions in another order are the same choice if nothing ever depended on it."""
    wins, scores = results.wins[:, k], results.scores[:, k]
    return tuple(sorted(choices[k])), wins.tobytes(), scores.tobytes()


def columns(results: Results, kept: Sequence[int]) -> Results:
    """The results of some of the choices."""
    return Results(results.wins[:, kept], results.scores[:, kept], results.effects[kept])


def _promising(choices: Sequence[Choice], wins: npt.NDArray[np.float32]) -> list[Choice]:
    """The choices that may be the best, the most likely one first."""
    wins = in_blocks(wins)
    order = np.argsort(-wins.mean(axis=0), kind="stable").tolist()
    found = []
    for k in order[:MOST_MEASURED]:
        behind = wins[:, order[0]] - wins[:, k]
        if behind.mean() <= max(CLEAR * standard_error(behind), EQUAL):
            found.append(choices[k])
    return found


class _Judgement:
    """The measured choices of one decision, the best first; the last result is the policy's."""

    def __init__(
        self,
        game: Game,
        seat: int,
        made: Made,
        order: list[Choice],
        played: int,
        shares: Mapping[Choice, float],
        results: Results,
    ) -> None:
        self._game = game
        self._seat = seat
        self._made = made
        self._order = order
        self._played = played
        self._shares = shares
        self._results = results

    def decision(self, advice: Advice) -> Decision:
        alternatives = tuple(map(self._alternative, range(len(self._order))))
        label = self._label(alternatives[self._played].loss)
        reasons: Sequence[Message] = ()
        if advice.compare and label in MARKED:
            played, best = (
                candidate_of(alternatives[k], self._order[k], self._results, k)
                for k in (self._played, 0)
            )
            reasons = advice.compare(self._game, self._made.redacted, self._seat, played, best)
        return Decision(
            step=self._made.step,
            label=label,
            played=self._played,
            alternatives=alternatives,
            offered=Estimate.of(self._best - self._results.wins[:, -1]),
            reasons=tuple(reasons),
        )

    @property
    def _best(self) -> npt.NDArray[Any]:
        """What the best choice wins on each deal; where good play is mixed, what it wins."""
        if not self._shares:
            return self._results.wins[:, 0]
        weights = np.array([self._shares.get(choice, 0.0) for choice in self._order])
        return self._results.wins[:, :-1] @ weights / weights.sum()

    def _alternative(self, k: int) -> Alternative:
        choice = self._order[k]
        return Alternative(
            texts=tuple(map(self._game.text, choice)),
            win=Estimate.of(self._results.wins[:, k]),
            score=Estimate.of(self._results.scores[:, k]),
            loss=self._loss(k),
            share=round(self._shares.get(choice, 0.0), 3) if self._shares else None,
        )

    def _loss(self, k: int) -> Estimate:
        """What the choice loses against the best. Another one may be the best in truth, so the
        interval reaches to the most that any of them might gain."""
        wins = self._results.wins
        if self._shares:
            no_loss = self._order[k] in self._shares
            return exactly(0.0) if no_loss else Estimate.of(self._best - wins[:, k])
        others = [Estimate.of(wins[:, j] - wins[:, k]) for j in range(len(self._order)) if j != k]
        loss = exactly(0.0) if k == 0 else others[0]
        most = max((other.value + other.margin for other in others), default=0.0)
        return Estimate(loss.value, round(max(loss.margin, most - loss.value), DIGITS))

    def _label(self, loss: Estimate) -> Label:
        if self._played == 0:
            return Label.BEST
        if loss.above_zero:
            for label, least in LOSSES.items():
                if loss.value >= least:
                    return label
        return Label.GOOD


def candidate_of(alternative: Alternative, actions: Choice, results: Results, k: int) -> Candidate:
    """The k-th choice of the results, in the form that the advice of a game compares."""
    return Candidate(
        actions=actions,
        texts=alternative.texts,
        win=alternative.win.value,
        margin=alternative.win.margin,
        score=alternative.score.value,
        behind=alternative.loss.value,
        behind_margin=alternative.loss.margin,
        group=min(k, 1),
        samples=len(results.wins),
        effects=tuple(results.effects[k].tolist()),
    )
