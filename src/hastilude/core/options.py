"""The options of a game: their defaults, their allowed values, and reading them from text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hastilude.core.errors import OptionError, nearest

Options = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """An option with several allowed values, which may depend on the options before it."""

    name: str
    default: Any
    choices: tuple[Any, ...] | Callable[[Options], tuple[Any, ...]]

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
class Counts(Option):
    """An option that is a list of whole numbers, with the length and total of its default."""

    choices: tuple[Any, ...] = ()

    def check(self, value: Any, others: Options) -> tuple[int, ...]:
        length, total = len(self.default), sum(self.default)
        numbers = tuple(value) if isinstance(value, (list, tuple)) else ()
        whole = all(type(number) is int and number >= 0 for number in numbers)
        if len(numbers) != length or not whole or sum(numbers) != total:
            raise OptionError.of(
                "option_counts", option=self.name, value=value, length=length, total=total
            )
        return numbers

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
