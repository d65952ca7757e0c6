"""The options of a game: their defaults, their allowed values, and reading them from text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hastilude.core.errors import OptionError, nearest

Options = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """An option with several allowed values, which may depend on the options before it.

    A `variant` changes a printed rule, or a ruling; its default is the rule as it is in RULES.md.
    """

    name: str
    default: Any
    choices: tuple[Any, ...] | Callable[[Options], tuple[Any, ...]]
    variant: bool = False

    def check(self, value: Any, others: Options) -> Any:
        """The value in its canonical form; OptionError says what is allowed."""
        allowed = self.allowed(others)
        if not any(value == choice and type(value) is type(choice) for choice in allowed):
            raise OptionError.of("option_choice", option=self.name, value=value, allowed=allowed)
        return value

    def read(self, text: str) -> Any:
        """The value of a typed text, unchecked."""
        try:
            return int(text)
        except ValueError:
            return text

    def allowed(self, others: Options) -> tuple[Any, ...]:
        return self.choices(others) if callable(self.choices) else self.choices


@dataclass(frozen=True)
class Numbers(Option):
    """An option that is a list of whole numbers, as many as its default has.

    Each is from 0 to `most`; if that is None, they have the total of the default instead.
    """

    choices: tuple[Any, ...] = ()
    most: int | None = None

    def check(self, value: Any, others: Options) -> tuple[int, ...]:
        numbers = tuple(value) if isinstance(value, (list, tuple)) else ()
        whole = all(type(number) is int and number >= 0 for number in numbers)
        if len(numbers) != len(self.default) or not whole or not self._fits(numbers):
            key = "option_counts" if self.most is None else "option_numbers"
            raise OptionError.of(key, option=self.name, value=value, **self.limits)
        return numbers

    def _fits(self, numbers: tuple[int, ...]) -> bool:
        if self.most is None:
            return sum(numbers) == sum(self.default)
        return max(numbers) <= self.most

    @property
    def limits(self) -> dict[str, int]:
        """The length of the list, and `total` or `most`."""
        limit = {"total": sum(self.default)} if self.most is None else {"most": self.most}
        return {"length": len(self.default), **limit}

    def read(self, text: str) -> Any:
        try:
            return [int(part) for part in text.split(",")]
        except ValueError:
            return text


def complete(game: str, known: tuple[Option, ...], given: Mapping[str, Any]) -> Options:
    """All options of a game with their values; OptionError if `given` is invalid."""
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            near = nearest(name, names)
            key = "option_unknown_near" if near else "option_unknown"
            raise OptionError.of(key, game=game, option=name, known=tuple(names), near=near)
    options: Options = {}
    for option in known:
        options[option.name] = option.check(given.get(option.name, option.default), options)
    return options
