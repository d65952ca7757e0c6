"""A review in words."""

import re
from pathlib import Path

import pytest

from hastilude.reviews.balance import Balance
from hastilude.reviews.estimate import Estimate
from hastilude.reviews.judging import (
    CHOOSING,
    LOSSES,
    MEASURING,
    MOST_MEASURED,
    Alternative,
    Decision,
    Label,
)
from hastilude.reviews.review import FORECAST
from hastilude.reviews.words import made_at, parts
from hastilude.terminal.review import words_for
from tests.reviews.matches import played

NOTHING = Estimate(0.0, 0.0)


def alternative(*texts, win, loss=0.0, share=None):
    return Alternative(texts, Estimate(win, 0.02), NOTHING, Estimate(loss, 0.031), share)


def decision(*alternatives, step=2):
    """The last of the alternatives was chosen."""
    played = len(alternatives) - 1
    return Decision(step, Label.MISTAKE, played, alternatives, NOTHING, ())


@pytest.fixture
def words():
    return words_for(played("kings_tournament"), 0, "en", drawn=False)


def test_a_mark_says_what_was_lost_and_what_was_better(words):
    made = decision(alternative("7", win=0.62), alternative("2", win=0.55, loss=0.074))
    assert words.comment(made) == ["Mistake: −7.4 points (±3.1). Better: 7, about 62% to win."]
    assert "You played 2: about 55% to win." in words.explanation(made)


def test_where_good_play_is_mixed_it_says_how(words):
    first, second = (
        alternative("9", "D", "B", win=0.6, share=0.75),
        alternative("8", "D", "9", win=0.6, share=0.25),
    )
    made = decision(first, second, alternative("1", "2", "3", win=0.5, loss=0.1, share=0.0))
    assert words.better(made) == "Good play mixes these: 9 → D → B (75%) and 8 → D → 9 (25%)."


def test_parts_add_up_as_they_are_shown():
    values = [0.33333, 0.11116, 0.22224, -0.05555, -0.38882]
    start, deal, others, offered, given_away = (Estimate(value, 0.01) for value in values)
    shown = parts(Balance(start, deal, others, offered, given_away, 1.0))
    assert sum(round(10 * part.points) for part in shown[:-1]) == 1000
    assert [part.points for part in shown] == [33.3, 11.1, 22.2, -5.5, 38.9, 100.0]


def test_a_choice_of_several_actions_is_made_with_its_last(words):
    steps = words.match.steps
    line = next(number for number, step in enumerate(steps) if hasattr(step, "seat"))
    made = decision(alternative("9", "D", "B", win=0.6), step=line)
    upto = made_at(made, 0, words.match)
    assert [step.seat for step in steps[line:upto] if hasattr(step, "seat")].count(0) == 3
    assert steps[upto - 1].seat == 0


def test_the_docs_state_the_numbers():
    docs = (Path(__file__).parents[2] / "docs" / "review.md").read_text("utf-8")
    for number in (
        f"{CHOOSING} deals",
        f"{MEASURING} other deals",
        f"{FORECAST} deals before each",
    ):
        assert number in docs
    assert f"At most {MOST_MEASURED} choices" in " ".join(docs.split())
    for label, loss in LOSSES.items():
        assert re.search(rf"\| {label} \| .*at least {round(100 * loss)} points", docs)
