"""Every sentence the software says, in English and Japanese, and the renderer for Python.

`en.json` and `ja.json` are in inlang's message format, which the browser's compiler reads as well:
a message is a text with `{values}`, or a list with one object that chooses a text by plural form.
`kinds.json` says for the names of values how they are spoken: as a player's name, as a term of the
catalogue, as a list. A value of another name is spoken as it is.

>>> print(render(Message("tornei_must_follow", {"suit": "C", "cards": ("C4", "C11")}, "T9")))
T9: Cross was led and you hold C4, C11.
"""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "ja")
# Characters that a terminal obeys or cannot show: controls, changes of direction, line ends, and
# lone surrogates. Joiners are harmless: many emoji need them.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Message:
    """A sentence to render: its key, its values, and the clause of the rules it cites."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    clause: str = ""

    def __str__(self) -> str:
        return render(self)


def visible(text: str) -> str:
    """The text with invisible characters written as escapes, so that it is safe in a terminal. JSON
    stays the same JSON.

    >>> print(visible("Ada\\x1b[2J"))
    Ada\\u001b[2J
    """
    if text.isprintable():
        return text
    return "".join(
        _escaped(character)
        if unicodedata.category(character) in UNSEEN and character not in JOINERS
        else character
        for character in text
    )


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    return "".join(f"\\u{unit}" for unit in units)


def render(message: Message, language: str = "en", names: Sequence[str] = ()) -> str:
    """The sentence, with the names of the seats (by default: Player 1, …). It is safe to print,
    whatever the names and values contain."""
    spoken = {name: _speak(name, value, language, names) for name, value in message.values.items()}
    sentence = _text(message.key, message.values, language).format(**spoken)
    if message.clause:
        whole = _text("by_clause", {}, language)
        sentence = whole.format(clause=message.clause, sentence=sentence)
    return visible(sentence)


@cache
def catalogue(language: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((files(__name__) / f"{language}.json").read_text("utf-8"))
    content.pop("$schema", None)
    return content


@cache
def kinds() -> dict[str, str]:
    content: dict[str, str] = json.loads((files(__name__) / "kinds.json").read_text("utf-8"))
    return content


def seat_name(seat: int, language: str = "en", names: Sequence[str] = ()) -> str:
    if 0 <= seat < len(names):
        return names[seat]
    return _text("seat_name", {}, language).format(number=seat + 1)


def _text(key: str, values: Mapping[str, Any], language: str) -> str:
    """The text of a message; if it has several, the one for the plural form of its value."""
    entry = catalogue(language)[key]
    if isinstance(entry, str):
        return entry
    (choice,) = entry
    counted = choice["declarations"][-1].removeprefix("local form = ").removesuffix(": plural")
    return str(choice["match"][f"form={_plural_form(values[counted], language)}"])


def _plural_form(number: int, language: str) -> str:
    return "one" if language == "en" and abs(number) == 1 else "other"


def _speak(name: str, value: Any, language: str, names: Sequence[str]) -> Any:
    kind = kinds().get(name, "")
    if value is None:
        return _text("nothing", {}, language)
    if isinstance(value, (tuple, list)):
        words = [str(_speak_one(kind, item, language, names)) for item in value]
        return _text("list_separator", {}, language).join(words) or _text("nothing", {}, language)
    return _speak_one(kind, value, language, names)


def _speak_one(kind: str, value: Any, language: str, names: Sequence[str]) -> Any:
    if isinstance(value, Message):  # a sentence within a sentence
        return render(value, language, names)
    if kind == "seat":
        return seat_name(value, language, names)
    return _text(f"{kind}_{value}", {}, language) if kind else value
