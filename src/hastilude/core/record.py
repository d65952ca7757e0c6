"""A record of a match: its options, chance events and plays. Everything else follows by replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hastilude.core.errors import RecordError
from hastilude.core.files import replacing

VERSION = 1


@dataclass
class Record:
    """One match, in the form that is saved as JSON. `save` and `load` are for files of one record.

    `scores` and `winners` are absent while the match is unfinished; `end` says why it stopped
    early; `proof` is needed to check its shuffles.
    """

    game: str
    rules: int
    options: dict[str, Any]
    events: list[list[Any]]
    names: list[str] | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None
    end: dict[str, Any] | None = None
    proof: dict[str, Any] | None = None

    def to_json(self) -> str:
        """One line, the same bytes for the same match."""
        present = {name: value for name, value in vars(self).items() if value is not None}
        return json.dumps({"hastilude": VERSION} | present, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Parse strictly; RecordError says what is wrong. Whether the record follows the rules is
        checked when it is replayed."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError.of("record_not_json", problem=str(error)) from None
        if not isinstance(content, dict):
            raise RecordError.of("record_not_object")
        version = content.pop("hastilude", None)
        if not _is_int(version) or version != VERSION:
            raise RecordError.of("record_version", version=VERSION)
        return cls(**_checked(content))

    def save(self, path: str | Path) -> None:
        save_all([self], path)

    @classmethod
    def load(cls, path: str | Path) -> Record:
        records = list(load_all(path))
        if len(records) != 1:
            raise RecordError.of("record_not_one", path=str(path), count=len(records))
        return records[0]


def save_all(records: Iterable[Record], path: str | Path) -> int:
    """Write records as JSON Lines, all or none; returns how many."""
    count = 0
    with replacing(Path(path)) as draft, draft.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record.to_json() + "\n")
            count += 1
    return count


def load_all(path: str | Path) -> Iterator[Record]:
    """The records of a file, one per line; RecordError names the line."""
    try:
        content = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError.of("record_unreadable", path=str(path), problem=error.strerror) from None
    except UnicodeDecodeError:
        raise RecordError.of("record_not_text", path=str(path)) from None
    # Not `splitlines`: a name may contain other line breaks.
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            try:
                yield Record.from_json(line)
            except RecordError as error:
                raise RecordError.of(
                    "record_line", path=str(path), line=number, problem=error.message
                ) from None


def _checked(content: dict[str, Any]) -> dict[str, Any]:
    known = {field.name: field for field in fields(Record)}
    for name in content:
        if name not in known:
            raise RecordError.of("record_unknown_field", field=name)
    required = ("game", "rules", "options", "events")
    for name in required:
        if name not in content:
            raise RecordError.of("record_missing_field", field=name)
    for name, value in content.items():
        if not _FORMS[name](value):
            raise RecordError.of("record_field_form", field=name)
    if ("scores" in content) != ("winners" in content):
        raise RecordError.of("record_half_result")
    for index, event in enumerate(content["events"]):
        if not _is_event(event):
            raise RecordError.of("record_event_form", index=index)
    return content


def _is_int(value: Any) -> bool:
    return type(value) is int


def _is_list_of(kind: type) -> Any:
    return lambda value: isinstance(value, list) and all(type(item) is kind for item in value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


_FORMS: dict[str, Any] = {
    "game": lambda value: isinstance(value, str),
    "rules": _is_int,
    "options": _is_object,
    "events": lambda value: isinstance(value, list),
    "names": _is_list_of(str),
    "scores": _is_list_of(int),
    "winners": _is_list_of(int),
    "end": _is_object,
    "proof": _is_object,
}


def _is_event(event: Any) -> bool:
    """A play `["play", seat, text]`, or a chance event `[kind, {…}]`."""
    match event:
        case ["play", seat, str()]:
            return _is_int(seat)
        case [str(kind), dict()]:
            return kind != "play"
    return False
