"""Finds puzzles in matches that bots play against each other.

A decision becomes a puzzle if one choice is clearly the best and the policy makes another one. It
is looked at more and more closely, so that most decisions cost little: on a few deals, on more
deals, and again on other deals, ten times as many. Only the last of these are stored: what was
selected for its lead was also lucky.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hastilude.bots.analyse import Candidate, Results, Trials
from hastilude.bots.knowledge import VICTORY, Choice, load_advice
from hastilude.bots.policy import PolicyBot
from hastilude.core.game import Game
from hastilude.core.random import Rng, draw, generator, mixed
from hastilude.games.registry import part_of
from hastilude.messages import Message
from hastilude.puzzles.difficulty import rate
from hastilude.puzzles.puzzle import Puzzle, PuzzleChoice, Source
from hastilude.puzzles.selfplay import Decision, decisions
from hastilude.reviews.estimate import BLOCK, Estimate, exactly
from hastilude.reviews.judging import Alternative, candidate_of, columns, first_of_each

PURE = 0.99  # the share of the best choice where good play is not mixed
POLICY_TRIES = 8  # the policy may choose at random


@dataclass(frozen=True)
class Demands:
    """How clear the best choice has to be, and how closely that is looked at."""

    # Deals, and a lead in winning chance that is worth more deals. So few say nothing certain.
    glances: tuple[tuple[int, float], ...] = ((BLOCK, 0.04), (3 * BLOCK, 0.06))
    look: int = 20 * BLOCK  # deals
    confirmation: int = 200 * BLOCK
    lead: float = 0.08  # of the best choice over the second, in winning chance
    least_lead: float = 0.04  # the lower end of the lead's 95 % interval


DEMANDS = Demands()


@dataclass(frozen=True)
class Measured:
    """The choices of a decision, the best first, and what came of them."""

    choices: tuple[Choice, ...]
    results: Results

    @classmethod
    def of(cls, trials: Trials, choices: Sequence[Choice], deals: int) -> Measured:
        results = trials.run(choices, deals)
        order = np.argsort(-results.wins.mean(axis=0, dtype=float), kind="stable").tolist()
        choices, results = [choices[k] for k in order], columns(results, order)
        kept = list(first_of_each(choices, results).values())
        return cls(tuple(choices[k] for k in kept), columns(results, kept))

    @property
    def best(self) -> Choice:
        return self.choices[0]

    def loss(self, k: int) -> Estimate:
        """The loss of a choice against the best, on the same deals."""
        wins = self.results.wins
        return Estimate.of(wins[:, 0] - wins[:, k]) if k else exactly(0.0)

    @property
    def lead(self) -> float:
        """Of the best choice over the second; 0 if there is no second."""
        best, second = self.results.wins[:, :2].mean(axis=0, dtype=float)[[0, -1]]
        return float(best - second)

    def is_clear(self, demands: Demands = DEMANDS) -> bool:
        least = demands.least_lead
        losses = map(self.loss, range(1, len(self.choices)))
        return self.lead >= demands.lead and all(
            loss.value - loss.margin > least for loss in losses
        )

    def candidate(self, game: Game, k: int) -> Candidate:
        """A choice in the form that the advice of a game compares."""
        alternative = Alternative(
            texts=tuple(map(game.text, self.choices[k])),
            win=Estimate.of(self.results.wins[:, k]),
            score=Estimate.of(self.results.scores[:, k]),
            loss=self.loss(k),
            share=None,
        )
        return candidate_of(alternative, self.choices[k], self.results, k)


@dataclass(frozen=True)
class Miner:
    """Finds the puzzles of a game, as a job for workers. The same seed gives the same puzzles."""

    game: Game
    seed: int
    demands: Demands = DEMANDS

    def prepare(self) -> None:
        load_advice(self.game)

    def do(self, task: int) -> Puzzle | None:
        """The first puzzle that is found in the match with this number, if any. Two decisions of a
        match would be too similar."""
        rng = generator(int(mixed(np.uint64(self.seed) ^ mixed(np.uint64(task + 1)))))
        source = Source(self.seed, task)
        found = (self._puzzle_of(decision, rng, source) for decision in decisions(self.game, rng))
        return next(filter(None, found), None)

    def _puzzle_of(self, decision: Decision, rng: Rng, source: Source) -> Puzzle | None:
        seeds = [int(draw(rng)) for _ in range(4)]
        tempting = self._policy_choices(decision, seeds[0])
        best = self._promising(decision, tempting, seeds[1])
        if best is None or not self._is_always_made(best, decision):
            return None
        rating = rate(self.game, decision.redacted, decision.seat, best, seeds[2])
        if rating is None:
            return None
        measured = Measured.of(
            self._trials(decision, seeds[3]), decision.choices, self.demands.confirmation
        )
        if measured.best != best or not measured.is_clear(self.demands):
            return None
        puzzle = Puzzle(
            record=decision.record,
            seat=decision.seat,
            choices=self._choices(decision, measured),
            tempting=0,
            themes=(),
            rating=rating,
            source=source,
        )
        return with_themes(puzzle, tuple(map(self.game.text, tempting[0])))

    def _trials(self, decision: Decision, seed: int) -> Trials:
        return Trials(self.game, decision.redacted, decision.seat, seed, VICTORY, BLOCK)

    def _policy_choices(self, decision: Decision, seed: int) -> list[Choice]:
        """What the policy may choose, the most frequent first."""
        policy = PolicyBot(self.game, seed)
        tries = [decision.choice_of(policy) for _ in range(POLICY_TRIES)]
        return sorted(set(tries), key=lambda choice: (-tries.count(choice), choice))

    def _promising(
        self, decision: Decision, tempting: Sequence[Choice], seed: int
    ) -> Choice | None:
        """The best choice, if it seems to be clearly the best and the policy misses it."""
        trials, choices = self._trials(decision, seed), decision.choices
        for deals, lead in self.demands.glances:
            glance = Measured.of(trials, choices, deals)
            if glance.best in tempting or glance.lead < lead:
                return None
        looked = Measured.of(trials, choices, self.demands.look)
        clear = looked.is_clear(self.demands)
        return looked.best if clear and looked.best not in tempting else None

    def _is_always_made(self, best: Choice, decision: Decision) -> bool:
        """Whether good play makes this choice and mixes it with no other."""
        mix = load_advice(self.game).mix
        shares = mix(decision.redacted, decision.seat) if mix else None
        return shares is None or shares.get(best, 0.0) >= PURE

    def _choices(self, decision: Decision, measured: Measured) -> tuple[PuzzleChoice, ...]:
        best = measured.candidate(self.game, 0)
        candidates = (measured.candidate(self.game, k) for k in range(len(measured.choices)))
        return tuple(
            PuzzleChoice(
                texts=candidate.texts,
                win=Estimate(candidate.win, candidate.margin),
                loss=Estimate(candidate.behind, candidate.behind_margin),
                reasons=self._reasons(decision, candidate, best),
            )
            for candidate in candidates
        )

    def _reasons(
        self, decision: Decision, candidate: Candidate, best: Candidate
    ) -> tuple[Message, ...]:
        compare = load_advice(self.game).compare
        if candidate == best or not compare:
            return ()
        return tuple(compare(self.game, decision.redacted, decision.seat, candidate, best))


def with_themes(puzzle: Puzzle, missed: Sequence[str]) -> Puzzle | None:
    """The puzzle with its themes, of which the game knows (`themes.py` in its folder). `missed` is
    what the policy chooses; if that is the answer after all, there is no puzzle."""
    tempting = puzzle.choices.index(puzzle.find(missed))
    if tempting == 0:
        return None
    themes: tuple[str, ...] = ()
    if known := part_of(puzzle.game, "themes"):
        match = puzzle.match()
        view, tracker = match.view(puzzle.seat), match.tracker(puzzle.seat)
        found = set(known.themes_of(view, tracker, puzzle.answer.texts, missed))
        themes = tuple(theme for theme in known.THEMES if theme in found)
    return replace(puzzle, tempting=tempting, themes=themes)
