"""Results in a file, one line per finished deal, so that an interrupted run can continue.

The first line has the settings of the contest. Each line is on disk before the next deal is
counted; a line that was cut off is written again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from hastilude.arena.contest import Contest
from hastilude.arena.deals import DealResult
from hastilude.core.errors import RecordError

try:
    import fcntl
except ImportError:  # Windows: nothing notices two runs that write to one file
    fcntl = None  # type: ignore[assignment]

FORMAT = 1


class Results:
    """The finished deals of a contest, saved to a file if there is a path."""

    def __init__(self, contest: Contest, path: str | Path | None = None) -> None:
        self.finished: dict[int, DealResult] = {}
        self._contest = contest
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Results:
        if self._path is None:
            return self
        try:
            self._file = Path(self._path).open("a+b")
            self._read(self._file)
        except OSError as error:
            self._close()
            path, problem = str(self._path), error.strerror
            raise RecordError.of("cli_unwritable", path=path, problem=problem) from None
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def add(self, result: DealResult) -> None:
        self.finished[result.deal] = result
        if self._file:
            _append(self._file, result.to_json())

    def _close(self) -> None:
        if self._file:
            self._file.close()

    def _read(self, file: BinaryIO) -> None:
        self._lock(file)
        file.seek(0)
        first, *lines = file.read().split(b"\n")
        header = _line({"arena": FORMAT} | self._contest.settings())
        if not lines and header.startswith(first):  # new, or interrupted at the first line
            file.truncate(0)
            _append(file, {"arena": FORMAT} | self._contest.settings())
            return
        self._compare(first, header)
        end = len(first) + 1
        for number, line in enumerate(lines, start=2):
            try:
                result = DealResult.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError):
                if any(lines[number - 1 :]):  # more lines follow, so this one was not cut off
                    raise self._refusal("arena_results_line", line=number) from None
                break
            if number - 2 == len(lines) - 1:  # complete, except for the end of the line
                break
            self.finished.setdefault(result.deal, result)
            end += len(line) + 1
        file.truncate(end)

    def _compare(self, first: bytes, header: bytes) -> None:
        """RecordError unless the file belongs to this contest."""
        if first == header:
            return
        try:
            found, wanted = json.loads(first), json.loads(header)
            ours = isinstance(found, dict) and found["arena"] == FORMAT
        except (ValueError, KeyError):
            ours = False
        if not ours:
            raise self._refusal("arena_results_foreign")
        for name, value in wanted.items():
            if found.get(name) != value:
                key = "arena_results_code" if name == "code" else "arena_results_other"
                found_text, wanted_text = _text(found.get(name)), _text(value)
                raise self._refusal(key, setting=name, found=found_text, wanted=wanted_text)

    def _lock(self, file: BinaryIO) -> None:
        """Lock the file: two runs would play the same deals and overwrite each other's lines."""
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self._refusal("arena_results_busy") from None

    def _refusal(self, key: str, **values: Any) -> Exception:
        return RecordError.of(key, path=str(self._path), **values)


def _append(file: BinaryIO, content: dict[str, Any]) -> None:
    file.write(_line(content) + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
