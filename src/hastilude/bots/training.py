"""Making what a game's bots have learned again, from nothing.

A game that offers this has a `practice.py` with `courses(seed)` and `store(courses, folder)`, which
writes the files that its bots load, under their usual names.

A training has a folder. `training.json` has its settings, `memory` what each course has learned,
and `progress.jsonl` how strong it was and when. A training that was interrupted continues from
there: with a number of rounds the result is the same as without the interruption.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import ModuleType
from typing import Any, BinaryIO, Protocol
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from hastilude.core.errors import RecordError
from hastilude.core.files import DRAFTS, lock, replacing, writing
from hastilude.core.kernel import source_digest
from hastilude.games.registry import needed_part

FORMAT = 1
MEASUREMENTS = 20  # of a course, after the first
SAVING = 10.0  # seconds between two writes of what was learned
SECONDS_PER_HOUR, SECONDS_PER_MINUTE = 3600, 60
SETTINGS, MEMORY, PROGRESS = "training.json", "memory", "progress.jsonl"
OWN = "course_"  # the arrays of a course begin with this in the file of its memory


class Course(Protocol):
    """One thing that is learned on its own. It may begin with what an earlier course has learned:
    that one has been practised, or resumed, before this one is asked anything."""

    name: str  # such as "4 players"; also the base of a file name
    rounds: int  # of practice behind the shipped weights; a round takes seconds, at most a minute
    share: float  # of the time, compared with the other courses
    measure: str  # what `strength` is, such as "points per round against the reference"

    def practise(self, done: float) -> None:
        """One more round. `done` is the part of the course that is over, from 0 to 1."""

    def strength(self) -> tuple[float, float]:
        """The mean and half of its 95 % interval, measured in a second or two. It changes nothing
        that practice depends on."""

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        """All that another process needs to continue exactly."""

    def resume(self, memory: Mapping[str, npt.NDArray[Any]]) -> None: ...


@dataclass(frozen=True)
class Measurement:
    """How strong a course was at a time, with half of the 95 % interval."""

    course: str
    rounds: int
    minutes: float
    strength: float
    margin: float


@dataclass
class Log:
    """How far a course has come."""

    rounds: int = 0
    seconds: float = 0.0
    measurements: list[Measurement] = field(default_factory=list)


def practice_of(game: str) -> ModuleType:
    """The part of a game that trains what its bots know; OptionError if it has none."""
    return needed_part(game, "practice", "train_unprepared")


class Training:
    """The training of a game in a folder; continues what was begun there.

    It ends after the rounds of the shipped weights, or after so many hours, divided by the shares
    of the courses.
    """

    def __init__(self, game: str, folder: Path, seed: int, hours: float | None = None) -> None:
        self._practice = practice_of(game)
        self.game, self.folder = game, folder
        self.courses: Sequence[Course] = self._practice.courses(seed)
        self.logs = [Log() for _ in self.courses]
        self.weights: list[Path] = []  # written at the end
        self._hours = hours
        self._settings = {
            "training": FORMAT,
            "game": game,
            "seed": seed,
            "hours": hours,
            "code": source_digest(),
        }

    @contextmanager
    def opened(self) -> Iterator[Training]:
        """Keeps others away from the folder in the `with` block. RecordError if it has another
        training, or cannot be written."""
        path = self.folder / SETTINGS
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not path.exists() and any(self.folder.iterdir()):
                raise self._refusal("train_folder_foreign")
            file = path.open("a+b")
        with file:
            with writing(self.folder):
                self._claim(file)
                (self.folder / MEMORY).mkdir(exist_ok=True)
                for draft in self.folder.rglob(DRAFTS):  # of a process that was killed
                    draft.unlink()
            self.logs = [self._read_log(course) for course in self.courses]
            yield self

    @property
    def done(self) -> float:
        """The part of the whole training that is over, from 0 to 1."""
        parts = [
            course.share * self._part(course, log)
            for course, log in zip(self.courses, self.logs, strict=True)
        ]
        return sum(parts) / self._shares

    @property
    def measurements(self) -> list[Measurement]:
        return [measurement for log in self.logs for measurement in log.measurements]

    def run(self) -> Iterator[float]:
        """Practise to the end and write the weights; yields what is done again and again."""
        for course, log in zip(self.courses, self.logs, strict=True):
            if log.rounds:
                self._resume(course)
            yield from self._practise(course, log)
            yield self.done
        self._report()
        self._store()

    def _practise(self, course: Course, log: Log) -> Iterator[float]:
        began, saved = monotonic() - log.seconds, monotonic()
        if not log.measurements:
            _measure(course, log)
        while (part := self._part(course, log)) < 1.0:
            yield self.done
            course.practise(part)
            log.rounds += 1
            log.seconds = monotonic() - began
            due = int(MEASUREMENTS * self._part(course, log)) > int(MEASUREMENTS * part)
            if due:
                _measure(course, log)
            if due or monotonic() - saved > SAVING:
                self._save(course, log)
                saved = monotonic()

    @property
    def _shares(self) -> float:
        return sum(course.share for course in self.courses)

    def _part(self, course: Course, log: Log) -> float:
        if self._hours is None:
            part = log.rounds / course.rounds
        else:
            hours = self._hours * course.share / self._shares
            part = log.seconds / (SECONDS_PER_HOUR * hours)
        return min(part, 1.0)

    # --- the folder -------------------------------------------------------------------------------

    def _claim(self, file: BinaryIO) -> None:
        """Lock the folder and write the settings; RecordError if it has others."""
        if not lock(file):
            raise self._refusal("train_folder_busy")
        file.seek(0)
        text, wanted = file.read(), json.dumps(self._settings).encode()
        if text == wanted:
            return
        if not wanted.startswith(text):  # else it is new, or was interrupted while it was written
            self._compare(text)
        file.truncate(0)
        file.write(wanted)
        file.flush()
        os.fsync(file.fileno())

    def _compare(self, text: bytes) -> None:
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("training") != FORMAT:
            raise self._refusal("train_folder_foreign")
        for name, value in self._settings.items():
            if found.get(name) != value:
                key = "train_folder_code" if name == "code" else "train_folder_other"
                raise self._refusal(key, setting=name, found=found.get(name), wanted=value)

    def _refusal(self, key: str, **values: Any) -> RecordError:
        return RecordError.of(key, folder=str(self.folder), **values)

    def _memory_of(self, course: Course) -> Path:
        return self.folder / MEMORY / f"{course.name.replace(' ', '_')}.npz"

    def _save(self, course: Course, log: Log) -> None:
        """Write what was learned; the measurements are a part of it, so that both always agree."""
        arrays = {f"{OWN}{name}": array for name, array in course.memory().items()}
        numbers = [astuple(measurement)[1:] for measurement in log.measurements]
        content = io.BytesIO()
        np.savez(
            content,
            allow_pickle=False,
            rounds=np.array(log.rounds),
            seconds=np.array(log.seconds),
            measurements=np.array(numbers),
            **arrays,
        )
        _write(self._memory_of(course), content.getvalue())
        self._report()

    def _report(self) -> None:
        lines = [json.dumps(asdict(measurement)) + "\n" for measurement in self.measurements]
        _write(self.folder / PROGRESS, "".join(lines).encode())

    def _read_log(self, course: Course) -> Log:
        path = self._memory_of(course)
        if not path.exists():
            return Log()
        found = _read(path, ("rounds", "seconds", "measurements"))
        measurements = [
            Measurement(course.name, int(rounds), minutes, strength, margin)
            for rounds, minutes, strength, margin in found["measurements"].tolist()
        ]
        return Log(int(found["rounds"]), float(found["seconds"]), measurements)

    def _resume(self, course: Course) -> None:
        found = _read(self._memory_of(course))
        course.resume({name[len(OWN) :]: found[name] for name in found if name.startswith(OWN)})

    def _store(self) -> None:
        with writing(self.folder), TemporaryDirectory(dir=self.folder) as drafts:
            self._practice.store(self.courses, Path(drafts))
            for draft in sorted(Path(drafts).iterdir()):
                self.weights.append(draft.replace(self.folder / draft.name))


def _measure(course: Course, log: Log) -> None:
    minutes = log.seconds / SECONDS_PER_MINUTE
    strength, margin = course.strength()
    log.measurements.append(Measurement(course.name, log.rounds, minutes, strength, margin))


def _write(path: Path, content: bytes) -> None:
    with writing(path), replacing(path) as draft:
        draft.write_bytes(content)


def _read(path: Path, names: Sequence[str] | None = None) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file, or those of these names; RecordError if it is damaged."""
    try:
        with path.open("rb") as file, np.load(file) as stored:
            return {name: stored[name] for name in names or stored.files}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise RecordError.of("train_memory_damaged", path=str(path)) from None
