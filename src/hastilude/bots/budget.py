"""How much a search may think: a number of simulations, or milliseconds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time
from typing import NamedTuple

FIRST_BATCH = 20  # simulations before the time is first checked
SHORTEST_BATCH = 0.001  # seconds between two later checks
SIMULATIONS_PER_MILLISECOND = 50  # roughly

_clocks: list[Callable[[], float]] = [perf_counter]


def now() -> float:
    """The time by which budgets are counted, in seconds."""
    return _clocks[-1]()


@contextmanager
def processor_time() -> Iterator[None]:
    """Count budgets in processor time of a bot's thread, so that other work on the machine does not
    shorten them."""
    _clocks.append(thread_time)
    try:
        yield
    finally:
        _clocks.pop()


class Budget(NamedTuple):
    """What a choice may take: so many milliseconds after `begun` if given, or simulations."""

    simulations: int
    milliseconds: float | None
    begun: float

    @property
    def patience(self) -> float:
        """The budget in milliseconds, roughly if it is in simulations."""
        return self.milliseconds or self.simulations / SIMULATIONS_PER_MILLISECOND


def read_budget(detail: str) -> dict[str, float] | None:
    """The budget in a bot's name as a setting; None if it is something else.

    >>> read_budget("50ms"), read_budget("400"), read_budget("0")
    ({'milliseconds': 50.0}, {'simulations': 400}, None)
    """
    number = detail.removesuffix("ms")
    if not number.isdecimal() or not int(number):
        return None
    return {"simulations": int(number)} if number == detail else {"milliseconds": float(number)}


def spend(
    simulations: int, milliseconds: float | None, begun: float, simulate: Callable[[int], None]
) -> None:
    """Simulate as often as the budget allows, if given until so many milliseconds after `begun`."""
    if milliseconds is None:
        simulate(simulations)
        return
    some, left = FIRST_BATCH, milliseconds / 1000
    while left > 0:
        batch_begun = now()
        simulate(some)
        batch_ended = now()
        left = milliseconds / 1000 - (batch_ended - begun)
        passed = batch_ended - batch_begun
        if passed > 0:  # a coarse clock may not have moved
            # Other positions may be ten times slower.
            some = int(some * max(left / 4, min(left, SHORTEST_BATCH)) / passed) + 1
