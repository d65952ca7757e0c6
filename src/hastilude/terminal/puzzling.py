"""Puzzles on this machine: which comes next, their tables, and the rating of who solves them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from hastilude import puzzles
from hastilude.bots.hints import Hints
from hastilude.core.errors import IllegalAction, OptionError, RecordError
from hastilude.core.files import replacing
from hastilude.messages import Message
from hastilude.puzzles.progress import Progress
from hastilude.puzzles.puzzle import Puzzle, PuzzleChoice
from hastilude.terminal.drawing import RIGHT, WRONG
from hastilude.terminal.hints import joined
from hastilude.terminal.match_scene import MatchScene
from hastilude.terminal.voice import Voice

FORMAT = 1
BAR = 20  # cells for a chance of 100 %
FULL, EMPTY = "▰", "▱"


class ProgressFile:
    """Where progress is kept, by game."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_data_path("hastilude") / "puzzles.json"

    def load(self, game: str) -> Progress:
        """RecordError if the file cannot be read; without one, everybody is a beginner."""
        try:
            content = self._content().get(game, {})
            return Progress(**content | {"done": tuple(content.get("done", ()))})
        except (AttributeError, TypeError):
            raise self._unreadable() from None

    def save(self, game: str, progress: Progress) -> None:
        """OSError if nothing can be written there."""
        games = self._content() | {game: asdict(progress)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as draft:
            draft.write_text(json.dumps({"version": FORMAT, "games": games}), "utf-8")

    def _content(self) -> dict[str, Any]:
        try:
            content: dict[str, Any] = json.loads(self.path.read_text("utf-8"))["games"]
            return content
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, KeyError, TypeError):
            raise self._unreadable() from None

    def _unreadable(self) -> RecordError:
        return RecordError.of("puzzle_progress_unreadable", path=str(self.path))


class PuzzleTable(MatchScene):
    """See `Table`. It is over as soon as a whole choice is made, which `made` is then."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.match = puzzle.match()
        self.version = 0
        self.trouble: Message | None = None
        self.made: PuzzleChoice | None = None
        self._actions: list[str] = []
        self._news = asyncio.Condition()

    @property
    def own(self) -> tuple[int, ...]:
        return (self.puzzle.seat,)

    @property
    def over(self) -> bool:
        return self.made is not None

    def names(self, language: str) -> tuple[str, ...]:
        return self.game.names(language)

    def legal(self, seat: int) -> tuple[str, ...]:
        return () if self.over else tuple(map(self.game.text, self.match.legal(seat)))

    def thinking(self, seat: int) -> bool:
        return False

    def clock(self, seat: int) -> float | None:
        return None

    async def play(self, seat: int, action: str) -> None:
        rehearsal = self.match.rehearse(seat)
        rehearsal.play(action)
        self._actions.append(action)
        if rehearsal.whole:  # what follows depends on hidden cards, so it is not played
            self.made = self.puzzle.find(self._actions)
        else:
            self.match.play(seat, action)
        self.version += 1
        async with self._news:
            self._news.notify_all()

    async def why(self, seat: int, action: str) -> Message | None:
        return self.match.why(seat, action)

    async def hint(self, seat: int) -> Hints:
        raise IllegalAction.of("puzzle_no_hint")

    async def changed(self, since: int) -> int:
        async with self._news:
            await self._news.wait_for(lambda: self.version > since)
        return self.version

    async def rematch(self) -> PuzzleTable:
        return PuzzleTable(self.puzzle)

    async def leave(self) -> None:
        pass


class Puzzling:
    """A session of puzzles: those of a theme, or the one of the day."""

    def __init__(
        self,
        game: str,
        theme: str | None = None,
        daily: bool = False,
        language: str = "en",
        kept: ProgressFile | None = None,
        today: date | None = None,
    ) -> None:
        """OptionError if there is no such game or theme; RecordError if the progress cannot be
        read."""
        if daily and theme:
            raise OptionError.of("puzzle_daily_or_theme")
        self.game = game
        self.theme = theme
        self.daily = daily
        self.language = language
        self._today = today or date.today()
        self._kept = kept or ProgressFile()
        self.progress = self._kept.load(game)
        self.puzzle = self._chosen()

    def _chosen(self) -> Puzzle | None:
        if self.daily:
            return puzzles.daily(self.game, self._today)
        return puzzles.next(self.game, self.progress.rating, self.progress.done, self.theme)

    def table(self) -> PuzzleTable | None:
        """The table of the puzzle; None if there is none left."""
        return PuzzleTable(self.puzzle) if self.puzzle else None

    def go_on(self) -> None:
        """To the next puzzle. After the one of the day, others come."""
        self.daily = False
        self.puzzle = self._chosen()

    def heading(self, voice: Voice) -> str:
        assert self.puzzle
        values = {"title": self.puzzle.match().game.title, "rating": self.puzzle.rating}
        if self.daily:
            return voice("puzzle_of_the_day", day=self._today.isoformat(), **values)
        return voice("puzzle_heading", **values)

    def answered(self, table: PuzzleTable, voice: Voice, drawn: bool = False) -> list[str]:
        """Count the answer. The verdict, the chances of all choices (drawn with bars), why, and the
        new rating."""
        puzzle, made = table.puzzle, table.made
        assert made
        right = made is puzzle.answer
        before = self.progress
        self.progress = before.after(puzzle.id, puzzle.rating, right)
        explained = puzzle.choices[puzzle.tempting] if right else made
        return [
            self._verdict(puzzle, made, voice),
            *chances(puzzle, made, voice, drawn),
            *map(voice.say, explained.reasons),
            voice("puzzle_themes", names=theme_names(puzzle, voice)),
            self._standing(before, voice),
            *self._saved(voice),
        ]

    def _verdict(self, puzzle: Puzzle, made: PuzzleChoice, voice: Voice) -> str:
        answer = joined(puzzle.answer.texts, voice, str)
        if made is puzzle.answer:
            return voice("puzzle_right", answer=answer)
        return voice("puzzle_wrong", answer=answer, loss=points(made.loss.value))

    def _standing(self, before: Progress, voice: Voice) -> str:
        now = self.progress
        if now == before:
            return voice("puzzle_again", rating=now.rating)
        change = f"{now.rating - before.rating:+}"
        return voice("puzzle_rating", rating=now.rating, change=change, count=now.streak)

    def _saved(self, voice: Voice) -> list[str]:
        try:
            self._kept.save(self.game, self.progress)
        except OSError as error:
            problem = error.strerror or str(error)
            return [voice("puzzle_progress_unsaved", path=str(self._kept.path), problem=problem)]
        return []


def chances(puzzle: Puzzle, made: PuzzleChoice, voice: Voice, drawn: bool) -> list[str]:
    """Every choice with its chance to win; the answer and a wrong choice are marked."""
    lines = []
    for choice in puzzle.choices:
        mark = RIGHT if choice is puzzle.answer else WRONG if choice is made else " "
        win, margin = points(choice.win.value), points(choice.win.margin)
        name = joined(choice.texts, voice, str)
        said = voice("puzzle_chance", choice=name, win=win, margin=margin)
        lines.append(f"{mark} {bar(choice)}  {said}" if drawn else f"{mark} {said}".strip())
    return lines


def bar(choice: PuzzleChoice) -> str:
    """The chance to win as a bar."""
    full = round(BAR * choice.win.value)
    return FULL * full + EMPTY * (BAR - full)


def points(chance: float) -> int:
    return round(100 * chance)


def theme_names(puzzle: Puzzle, voice: Voice) -> list[str]:
    return [voice(f"{puzzle.game}_theme_{theme}") for theme in puzzle.themes]
