"""Every sentence the software says, in English and Japanese, and the renderer for Python.

`en.json` and `ja.json` are in inlang's message format, which the browser's compiler reads as well:
a message is a text with `{values}`, or a list with one object that chooses a text: the first under
`match` whose conditions all hold, by plural form or by value. `kinds.json` says for the names of
values how they are spoken: as a player's name, as scores by player, as words with "and" before the
last, or as a term of the catalogue. A value of another name is spoken as it is.

A player is addressed as "you". So a sentence can also use, beside a `seat`:

- `seat_is`, for conditions: "you" if the reader sits there, else "other". Of a list, such as
  `winners`: "you" or "other" if it has one seat; of several, "among" if the reader's is one of
  them, else "several".
- `winners_others`: the seats of a list without the reader's.

The sentences of a game are in its folder: `messages.en.json`, `messages.ja.json` and `kinds.json`.
All files are merged when they are loaded.

>>> print(render(Message("tornei_must_follow", {"suit": "C", "cards": ("C4", "C11")}, "T9")))
T9: Cross was led and you hold C4, C11.
>>> led = Message("tornei_led", {"seat": 1, "card": "C4"})
>>> print(render(led, names=("Ada", "Ben")), render(led, names=("Ada", "Ben"), reader=1))
Ben leads C4. You lead C4.
"""

import json
import re
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
PLURAL = re.compile(r"local (?P<name>\w+) = (?P<number>\w+): plural")


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


def render(
    message: Message, language: str = "en", names: Sequence[str] = (), reader: int | None = None
) -> str:
    """The sentence, with the seats called by their names (by default: Player 1, …) and the seat of
    the `reader` addressed as "you". It is safe to print, whatever the names and values are."""
    audience = _Audience(language, names, reader)
    sentence = audience.sentence(message.key, **message.values)
    if message.clause:
        sentence = audience.sentence("by_clause", clause=message.clause, sentence=sentence)
    return visible(sentence)


@cache
def catalogue(language: str) -> dict[str, Any]:
    """The sentences of a language by their keys."""
    sentences = _merged(f"{language}.json", f"messages.{language}.json")
    sentences.pop("$schema")
    return sentences


@cache
def kinds() -> dict[str, str]:
    """How values are spoken, by their names."""
    return _merged("kinds.json", "kinds.json")


def _merged(shared: str, own: str) -> dict[str, Any]:
    """The content of the shared file here, and of each game's own file."""
    games = files("hastilude") / "games"
    found = [files(__name__) / shared]
    found += [game / own for game in games.iterdir() if not game.name.startswith("_")]
    content: dict[str, Any] = {}
    for file in found:
        if file.is_file():
            content |= json.loads(file.read_text("utf-8"))
    return content


def seat_name(seat: int, language: str = "en", names: Sequence[str] = ()) -> str:
    if 0 <= seat < len(names):
        return names[seat]
    return _Audience(language).sentence("seat_name", number=seat + 1)


@dataclass(frozen=True)
class _Audience:
    """The language of the reader, the names of the seats, and the reader's own seat."""

    language: str
    names: Sequence[str] = ()
    reader: int | None = None

    def sentence(self, key: str, /, **values: Any) -> str:
        inputs = {name: self.spoken(name, value) for name, value in values.items()}
        for name, value in values.items():
            if kinds().get(name) == "seat":
                inputs |= self.about_reader(name, value)
        return _text(catalogue(self.language)[key], inputs, self.language).format(**inputs)

    def about_reader(self, name: str, value: Any) -> dict[str, str]:
        """Whether the reader is the seat, or among the seats; and who else is."""
        seats = value if isinstance(value, (tuple, list)) else (value,)
        others = [seat for seat in seats if seat != self.reader]
        alone, several = ("you", "among") if len(others) < len(seats) else ("other", "several")
        which = several if len(seats) > 1 else alone
        return {f"{name}_is": which, f"{name}_others": self.spoken(name, others)}

    def spoken(self, name: str, value: Any) -> Any:
        kind = kinds().get(name, "")
        if value is None:
            return self.sentence("nothing")
        if not isinstance(value, (tuple, list)):
            return self.word(kind, value)
        if kind == "score":
            words = [
                self.sentence("seat_score", seat=seat, score=score)
                for seat, score in enumerate(value)
            ]
        else:
            words = [str(self.word(kind, item)) for item in value]
        last = "list_and" if kind in ("seat", "words") else "list_separator"
        return self.joined(words, last) or self.sentence("nothing")

    def joined(self, words: Sequence[str], last: str) -> str:
        """The words as a list, with another separator before the last."""
        start = self.sentence("list_separator").join(words[:-1])
        return self.sentence(last).join(filter(None, (start, *words[-1:])))

    def word(self, kind: str, value: Any) -> Any:
        if isinstance(value, Message):  # a sentence within a sentence
            return render(value, self.language, self.names, self.reader)
        if kind == "seat":
            return seat_name(value, self.language, self.names)
        return self.sentence(f"{kind}_{value}") if kind not in ("", "words") else value


def _text(entry: Any, inputs: Mapping[str, Any], language: str) -> str:
    """The text of a message; of several, the first whose conditions all hold."""
    if isinstance(entry, str):
        return entry
    (choice,) = entry
    known = dict(inputs)
    for declaration in choice["declarations"]:
        if local := PLURAL.fullmatch(declaration):
            known[local["name"]] = _plural_form(inputs[local["number"]], language)
    return next(
        str(text)
        for conditions, text in choice["match"].items()
        if all(_holds(condition, known) for condition in conditions.split(", "))
    )


def _holds(condition: str, inputs: Mapping[str, Any]) -> bool:
    name, _, wanted = condition.partition("=")
    return wanted in ("*", str(inputs[name]))


def _plural_form(number: int, language: str) -> str:
    return "one" if language == "en" and abs(number) == 1 else "other"
