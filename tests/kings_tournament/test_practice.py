"""What the bots learn: an interrupted training gives the same, and the bots can load the result."""

import numpy as np
import pytest

from hastilude.games.kings_tournament import blueprint, joust, practice


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Rounds, games and solutions that take no time."""
    monkeypatch.setattr(practice, "TRAVERSALS", 2000)
    monkeypatch.setattr(practice, "MEASURED", 200)
    monkeypatch.setattr(practice, "fit", lambda shares, cards: blueprint.blueprint().prices)
    monkeypatch.setattr(joust, "FITS", 1)
    monkeypatch.setattr(joust, "FIT_ROUNDS", 20)
    monkeypatch.setattr(joust, "STORED_TOLERANCE", 1e-2)


def practised(courses):
    for course in courses:
        course.practise(0.0)
    return courses


def test_a_training_can_be_continued_by_another_process(tmp_path):
    whole, begun, continued = (practice.courses(3) for _ in range(3))
    begun[0].practise(0.0)
    whole[0].practise(0.0)
    continued[0].resume({name: part.copy() for name, part in begun[0].memory().items()})
    for number, courses in enumerate((whole, continued)):
        practised(courses)
        (tmp_path / str(number)).mkdir()
        practice.store(courses, tmp_path / str(number))
    for file in (blueprint.STORE.name, joust.STORE.name):
        first, second = (tmp_path / str(number) / file for number in range(2))
        assert first.read_bytes() == second.read_bytes()


def test_what_is_stored_is_of_the_same_form_as_what_is_shipped(tmp_path):
    practice.store(practised(practice.courses(3)), tmp_path)
    for store in (blueprint.STORE, joust.STORE):
        with np.load(tmp_path / store.name) as trained, np.load(store) as shipped:
            assert trained.files == shipped.files
            for name in shipped.files:
                assert trained[name].shape == shipped[name].shape
                assert trained[name].dtype == shipped[name].dtype


def test_the_solved_joust_is_remembered():
    hands, lines = practised(practice.courses(3))
    other = practice.Lines(hands)
    assert other.strength() == (1.0, 0.0)
    other.resume(lines.memory())
    assert other.strength() == lines.strength()
    assert lines.strength()[0] < 0.02


def test_more_practice_wins_more(monkeypatch):
    monkeypatch.setattr(practice, "TRAVERSALS", 100_000)
    monkeypatch.setattr(practice, "MEASURED", 4000)
    (hands, _) = practice.courses(3)
    before = hands.strength()[0]
    hands.practise(0.0)
    assert hands.strength()[0] > before + 0.05
