"""Budgets of time."""

from hastilude.bots import budget


def test_a_clock_that_moves_in_steps_does_not_end_a_search(monkeypatch):
    readings = iter([0.0, 0.0, 0.0, 0.016, 0.016, 0.032])
    monkeypatch.setattr(budget, "_clocks", [lambda: next(readings)])
    batches: list[int] = []
    budget.spend(0, 30, 0.0, batches.append)
    assert len(batches) == 3
    assert min(batches) > 0
