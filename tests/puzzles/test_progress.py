"""The rating of somebody who solves puzzles."""

import random

from hastilude.puzzles.progress import SCALE, START, Progress


def test_right_answers_raise_the_rating_and_wrong_ones_lower_it():
    start = Progress()
    right, wrong = start.after("a", START, True), start.after("a", START, False)
    assert right.rating > start.rating > wrong.rating
    assert start.after("a", START + 400, True).rating > right.rating  # a difficult one
    assert start.after("a", START - 400, False).rating < wrong.rating  # an easy one


def test_the_streak_counts_right_answers_in_a_row():
    progress = Progress()
    for number, right in enumerate([True, True, False, True]):
        progress = progress.after(str(number), START, right)
    assert (progress.streak, progress.best_streak, progress.right) == (1, 2, 3)


def test_only_the_first_answer_to_a_puzzle_counts():
    once = Progress().after("a", START, False)
    assert once.after("a", START, True) == once


def test_the_rating_approaches_the_true_strength():
    luck, strength, progress = random.Random(1), 1700, Progress()
    ratings = []
    for number in range(400):
        difficulty = 100 * round(progress.rating / 100)
        chance = 1 / (1 + 10 ** ((difficulty - strength) / SCALE))
        progress = progress.after(str(number), difficulty, luck.random() < chance)
        ratings.append(progress.rating)
    assert abs(sum(ratings[200:]) / 200 - strength) < 50
