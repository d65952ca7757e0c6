"""The games as environments for PettingZoo, OpenSpiel and Gymnasium: the extra `research`.

There is one module per library. It translates between the library's terms and ours; nothing else in
the package imports the library.
"""

from collections.abc import Sequence
from typing import Any

from hastilude.core.errors import OptionError
from hastilude.messages import Message

REWARDS = ("match", "score")  # the result at the end, or score differences as they happen


def missing(error: ImportError) -> ImportError:
    """An error that says what to install, to raise instead of `error`."""
    return ImportError(str(Message("research_missing", {"module": error.name})), name=error.name)


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """OptionError if the value of an environment's parameter is not allowed."""
    if not any(value == choice and type(value) is type(choice) for choice in allowed):
        raise OptionError.of("option_choice", option=name, value=value, allowed=allowed)


def results(winners: Sequence[int], seats: int) -> list[float]:
    """The result of each seat: 1 for winning alone, less for sharing; the sum is 0. All are 0 until
    the match is over."""
    if not winners:
        return [0.0] * seats
    shares = [(seat in winners) / len(winners) for seat in range(seats)]
    return [(seats * share - 1) / (seats - 1) for share in shares]
