"""The games as environments of the libraries that researchers use: the extra `research`.

One module a library: `pettingzoo`, `open_spiel`, `gymnasium`. They translate between the library's
words and ours, and nothing else in the package imports those libraries.
"""

from collections.abc import Sequence
from typing import Any

from hastilude.core.errors import OptionError
from hastilude.messages import Message

REWARDS = ("match", "score")  # the match's result at its end, or score differences as they happen


def missing(error: ImportError) -> ImportError:
    """The error to raise instead: it says what to install."""
    return ImportError(str(Message("research_missing", {"module": error.name})), name=error.name)


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """OptionError if a parameter of an environment is not one of what is allowed."""
    if not any(value == one and type(value) is type(one) for one in allowed):
        raise OptionError.of("option_choice", option=name, value=value, allowed=allowed)


def results(winners: Sequence[int], seats: int) -> list[float]:
    """By seat: 1 for winning alone, less for sharing; the sum is 0. Nothing until the end."""
    if not winners:
        return [0.0] * seats
    shares = [(seat in winners) / len(winners) for seat in range(seats)]
    return [(seats * share - 1) / (seats - 1) for share in shares]
