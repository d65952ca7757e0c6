"""Skill and luck: what a result was made of.

The chance to win is followed through the match, as the seat knew it. At every decision there are
three values: what the policy would have had (the forecast), what the best choice has, and what the
choice that was made has. Between decisions, the chance changes with the cards and with what the
others do. All changes together lead from the chance before the first card to the result, so their
sum is exact whatever the errors of the estimates are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hastilude.core.match import Dealt, Play
from hastilude.reviews.estimate import DIGITS, Estimate, exactly
from hastilude.reviews.judging import Decision


@dataclass(frozen=True)
class Balance:
    """The `outcome` is the sum of the chance at the `start`, what each `deal` changed, what the
    `others` chose and drew, and what the best choices `offered`, minus what was `given_away`."""

    start: Estimate
    deal: Estimate
    others: Estimate
    offered: Estimate
    given_away: Estimate
    outcome: float


class _Part:
    """A sum of estimates; one that is added and subtracted leaves no error."""

    def __init__(self) -> None:
        self._terms: dict[int, tuple[Estimate, int]] = {}

    def add(self, estimate: Estimate, sign: int = 1) -> None:
        known = self._terms.get(id(estimate), (estimate, 0))
        self._terms[id(estimate)] = estimate, known[1] + sign

    def total(self) -> Estimate:
        value = sum(sign * estimate.value for estimate, sign in self._terms.values())
        squares = sum((sign * estimate.margin) ** 2 for estimate, sign in self._terms.values())
        return Estimate(round(value, DIGITS), round(squares**0.5, DIGITS))


def balance(
    steps: Sequence[Play | Dealt],
    forecasts: Sequence[tuple[int, Estimate]],
    decisions: Sequence[Decision],
    outcome: float,
) -> Balance:
    """Add up the changes. `forecasts` has the number of steps and the seat's chance at each moment
    of the timeline."""
    start, deal, others, offered, given_away = (_Part() for _ in range(5))
    decided = {decision.step: decision for decision in decisions}
    start.add(forecasts[0][1])
    now: list[tuple[Estimate, int]] = []
    for step, chance in [*forecasts, (len(steps), exactly(outcome))]:
        if now:
            dealt = step < len(steps) and isinstance(steps[step - 1], Dealt)
            part = deal if dealt else others
            part.add(chance)
            for estimate, sign in now:
                part.add(estimate, -sign)
        now = [(chance, 1)]
        if decision := decided.get(step):
            loss = decision.choice.loss
            offered.add(decision.offered)
            given_away.add(loss)
            now += [(decision.offered, 1), (loss, -1)]
    return Balance(
        start=start.total(),
        deal=deal.total(),
        others=others.total(),
        offered=offered.total(),
        given_away=given_away.total(),
        outcome=exactly(outcome).value,
    )
