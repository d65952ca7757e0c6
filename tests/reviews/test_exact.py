"""The intervals of reviews contain the exact values, in endings where these are known."""

import numpy as np
import pytest

from hastilude.reviews import judging
from tests.reviews.exact import KINDS, compare_endings

FEW = {
    "Tornei, 3 players": 8,
    "Tornei, 4 players": 6,
    "TriATri, 2 players": 50,
    "King's Tournament": 4,
}


@pytest.fixture
def shipped_samples(monkeypatch):
    monkeypatch.setattr(judging, "CHOOSING", 320)
    monkeypatch.setattr(judging, "MEASURING", 896)


@pytest.mark.usefixtures("shipped_samples")
def test_intervals_contain_the_exact_values():
    compared = [one for kind in KINDS for one in compare_endings(kind, FEW[kind.name], seed=0)]
    assert sum(one.is_open for one in compared) > len(compared) / 3
    assert np.mean([one.win_is_right for one in compared]) >= 0.9
    assert np.mean([one.loss_is_right for one in compared]) >= 0.9
