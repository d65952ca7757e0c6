"""How well somebody solves puzzles: a rating that adapts, and a streak."""

from __future__ import annotations

from dataclasses import dataclass, replace

START = 1200  # the rating of a beginner
SCALE = 400  # points more make an answer ten times as likely to be right, as in Elo's formula
FIRST_STEPS, STEP = 48, 24  # the most that an answer changes: at first, and later
SETTLED = 20  # answers until the rating is about right
LOWEST = 100


@dataclass(frozen=True)
class Progress:
    """The answers to the puzzles of a game. `streak` counts right answers in a row, `done` has the
    ids of the puzzles in the order in which they were answered."""

    rating: int = START
    right: int = 0
    streak: int = 0
    best_streak: int = 0
    done: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """TypeError for anything else: it may come from a file."""
        numbers = (self.rating, self.right, self.streak, self.best_streak)
        if {*map(type, numbers)} != {int} or not {*map(type, self.done)} <= {str}:
            raise TypeError("a Progress has whole numbers and the ids of puzzles")

    def after(self, puzzle: str, difficulty: int, right: bool) -> Progress:
        """The progress with one more answer. Only the first answer to a puzzle counts."""
        if puzzle in self.done:
            return self
        expected = 1 / (1 + 10 ** ((difficulty - self.rating) / SCALE))
        step = FIRST_STEPS if len(self.done) < SETTLED else STEP
        streak = self.streak + 1 if right else 0
        return replace(
            self,
            rating=max(LOWEST, self.rating + round(step * (right - expected))),
            right=self.right + int(right),
            streak=streak,
            best_streak=max(self.best_streak, streak),
            done=(*self.done, puzzle),
        )
