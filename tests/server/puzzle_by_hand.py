"""A puzzle whose choice takes several actions; such ones are rare among those that are shipped."""

from itertools import permutations

import hastilude
from hastilude.puzzles.puzzle import Puzzle, PuzzleChoice, Source
from hastilude.reviews.estimate import Estimate

WORST = 0.5  # winning chance that is lost, at most


def joust() -> Puzzle:
    """The first line of a match; every line is a choice."""
    match = hastilude.load("kings_tournament", best_of=1).new(seed=2)
    seat = match.pending[0]
    cards = [match.game.text(action) for action in match.legal(seat)]
    lines = list(permutations(cards, 3))
    choices = (
        PuzzleChoice(line, Estimate(0.9 - lost, 0.01), Estimate(lost, 0.01))
        for line, lost in ((line, WORST * place / len(lines)) for place, line in enumerate(lines))
    )
    return Puzzle(match.record(), seat, tuple(choices), 1, ("joust",), 1200, Source(0, 0))
