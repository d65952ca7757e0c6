"""The errors of this package. Their messages say what is wrong and what would be right."""

from difflib import get_close_matches
from typing import Any, Self

from hastilude.messages import Message, render


class HastiludeError(ValueError):
    """The base of all errors of this package; `message` can be rendered in every language."""

    def __init__(self, message: Message) -> None:
        super().__init__(render(message))
        self.message = message

    @classmethod
    def of(cls, key: str, **values: Any) -> Self:
        return cls(Message(key, values))


class OptionError(HastiludeError):
    """An unknown game, an unknown option, or a value that is not allowed."""


class ChanceError(HastiludeError):
    """A chance event of the wrong kind or with the wrong cards, or none left."""


class RecordError(HastiludeError):
    """A record that cannot be read or does not follow the rules."""


class ProofError(RecordError):
    """A record whose shuffles do not match its proof."""


class IllegalAction(HastiludeError):
    """An action that may not be played now; the match is unchanged."""


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known word that was probably meant: one with this beginning, or the most similar."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    close = [candidate for candidate in by_lower if word and candidate.startswith(word.lower())]
    close = close or get_close_matches(word.lower(), by_lower, n=1)
    return by_lower[close[0]] if close else None
