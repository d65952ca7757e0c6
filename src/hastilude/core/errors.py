"""What can go wrong, each with a sentence of the catalogue that says what would be right."""

from difflib import get_close_matches
from typing import Any, Self

from hastilude.messages import Message, render


class HastiludeError(ValueError):
    """Any refusal of this package; `message` can be rendered in every language."""

    def __init__(self, message: Message) -> None:
        super().__init__(render(message))
        self.message = message

    @classmethod
    def of(cls, key: str, **values: Any) -> Self:
        return cls(Message(key, values))


class OptionError(HastiludeError):
    """An unknown game, or an option that is unknown or has a value that is not allowed."""


class ChanceError(HastiludeError):
    """A chance event that does not fit: the wrong kind, the wrong cards, or none left."""


class RecordError(HastiludeError):
    """A record that cannot be read or does not follow the rules."""


class ProofError(RecordError):
    """A record whose shuffles are not those that its proof promises."""


class IllegalAction(HastiludeError):
    """An action that may not be played now; the match is unchanged."""


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known word that was probably meant: one that begins so, or the most similar."""
    by_lower = {one.lower(): one for one in known}
    close = [one for one in by_lower if word and one.startswith(word.lower())]
    close = close or get_close_matches(word.lower(), by_lower, n=1)
    return by_lower[close[0]] if close else None
