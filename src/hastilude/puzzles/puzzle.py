"""A puzzle: a decision from a match in which one choice is clearly the best."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hastilude.core.errors import RecordError
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.registry import replay
from hastilude.messages import Message
from hastilude.reviews.estimate import Estimate

ID_DIGITS = 10
PACKED = ".gz"


@dataclass(frozen=True)
class PuzzleChoice:
    """A choice with its chance to win the match, and its loss of winning chance against the answer.
    `reasons` say what speaks for the answer instead."""

    texts: tuple[str, ...]
    win: Estimate
    loss: Estimate
    reasons: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Source:
    """Where a puzzle comes from: the number of its match in the self-play with a seed."""

    seed: int
    match: int


@dataclass(frozen=True)
class Puzzle:
    """The `record` ends where `seat` has to choose. It contains all cards, so it must not be sent
    or shown before the answer: show `match().view(seat)`.

    `choices` are the best first, and the first is the answer; `tempting` is the place of the one
    that a quick player makes. The `rating` says how difficult the answer is to find.
    """

    record: Record
    seat: int
    choices: tuple[PuzzleChoice, ...]
    tempting: int
    themes: tuple[str, ...]
    rating: int
    source: Source

    @property
    def game(self) -> str:
        return self.record.game

    @property
    def answer(self) -> PuzzleChoice:
        return self.choices[0]

    @cached_property
    def id(self) -> str:
        """The same for the same position and seat, wherever it is stored."""
        position = json.dumps([self.record.to_json(), self.seat])
        return hashlib.sha256(position.encode()).hexdigest()[:ID_DIGITS]

    def match(self) -> Match:
        """The match at the moment of the decision."""
        return replay(self.record)

    def find(self, texts: Sequence[str]) -> PuzzleChoice:
        """The choice with these actions. Where their order does not matter, any order will do."""
        wanted = tuple(texts)
        for same in (lambda choice: choice.texts == wanted, self._in_any_order(wanted)):
            if found := next(filter(same, self.choices), None):
                return found
        raise RecordError.of("puzzle_choice_unknown", actions=wanted)

    @staticmethod
    def _in_any_order(wanted: Sequence[str]) -> Any:
        return lambda choice: sorted(choice.texts) == sorted(wanted)

    def to_json(self) -> str:
        """One line, the same bytes for the same puzzle."""
        content = asdict(self) | {"record": json.loads(self.record.to_json())}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Puzzle:
        """RecordError if the text is no puzzle."""
        try:
            content = json.loads(text)
            record = Record.from_json(json.dumps(content["record"]))
            return cls(
                record=record,
                seat=content["seat"],
                choices=tuple(map(_choice_of, content["choices"])),
                tempting=content["tempting"],
                themes=tuple(content["themes"]),
                rating=content["rating"],
                source=Source(**content["source"]),
            )
        except (ValueError, KeyError, TypeError):
            raise RecordError.of("puzzle_unreadable") from None


def _choice_of(content: dict[str, Any]) -> PuzzleChoice:
    return PuzzleChoice(
        texts=tuple(content["texts"]),
        win=Estimate(*content["win"]),
        loss=Estimate(*content["loss"]),
        reasons=tuple(Message(**reason) for reason in content["reasons"]),
    )


def load_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file, one per line; RecordError names the line that is none."""
    try:
        content = path.read_bytes()
        if path.suffix == PACKED:
            content = gzip.decompress(content)
        lines = content.decode().splitlines()
    except (OSError, EOFError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise RecordError.of("puzzles_unreadable", path=str(path), problem=problem) from None
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(Puzzle.from_json(line))
        except RecordError:
            raise RecordError.of("puzzles_line", path=str(path), line=number) from None
    return found
