"""Results in a file, one line each, so that an interrupted run can continue.

The first line has the settings. Each result is on the disk before the next is counted; a line that
was cut off is written again.
"""

from __future__ import annotations

import json
import os
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Self, TypeVar

from hastilude.core.errors import RecordError
from hastilude.core.files import lock

R = TypeVar("R")


class Lines(ABC, Generic[R]):
    """Finished results by their keys, saved to a file if there is a path.

    The head begins with the name and the version of the format. Results can be continued if all
    `settings` of the file are equal; the rest of its head is for readers.
    """

    name: str

    def __init__(
        self,
        format_version: int,
        settings: dict[str, Any],
        path: str | Path | None = None,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.finished: dict[Any, R] = {}
        self._settings = {self.name: format_version} | settings
        self._head = _line(self._settings | (about or {}))
        self._path = path
        self._file: BinaryIO | None = None
        self._end = 0

    @abstractmethod
    def key(self, result: R) -> Any: ...

    @abstractmethod
    def to_json(self, result: R) -> dict[str, Any]: ...

    @abstractmethod
    def from_json(self, content: dict[str, Any]) -> R: ...

    def __enter__(self) -> Self:
        if self._path is None:
            return self
        try:
            self._file = Path(self._path).open("a+b", buffering=0)
            self._read(self._file)
        except OSError as error:
            self._close()
            raise self._unwritable(error.strerror) from None
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

    def add(self, result: R) -> None:
        """Save a result; RecordError, with all earlier results safe, if there is no room."""
        if self._file:
            try:
                self._append(self._file, _line(self.to_json(result)))
            except OSError as error:
                self._file.truncate(self._end)
                raise self._unwritable(error.strerror) from None
        self.finished[self.key(result)] = result

    def _close(self) -> None:
        if self._file:
            self._file.close()

    def _read(self, file: BinaryIO) -> None:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise self._refusal("results_no_file")
        if not lock(file):  # two runs would play the same deals and overwrite each other's lines
            raise self._refusal("arena_results_busy")
        file.seek(0)
        first, *lines = file.read().split(b"\n")
        if not lines and self._head.startswith(first):  # new, or interrupted at the first line
            file.truncate(0)
            self._append(file, self._head)
            return
        self._compare(first)
        self._end = len(first) + 1
        for number, line in enumerate(lines, start=2):
            try:
                result = self.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError):
                if any(lines[number - 1 :]):  # more lines follow, so this one was not cut off
                    raise self._refusal(f"{self.name}_results_line", line=number) from None
                break
            if number - 2 == len(lines) - 1:  # complete, except for the end of the line
                break
            self.finished.setdefault(self.key(result), result)
            self._end += len(line) + 1
        file.truncate(self._end)

    def _compare(self, first: bytes) -> None:
        """RecordError unless the file has the same settings."""
        if first == self._head:
            return
        wanted = json.loads(_line(self._settings))
        try:
            found = json.loads(first)
            ours = isinstance(found, dict) and found[self.name] == wanted[self.name]
        except (ValueError, KeyError):
            ours = False
        if not ours:
            raise self._refusal(f"{self.name}_results_foreign")
        for name, value in wanted.items():
            if found.get(name) != value:
                key = "arena_results_code" if name == "code" else "arena_results_other"
                found_text, wanted_text = _text(found.get(name)), _text(value)
                raise self._refusal(key, setting=name, found=found_text, wanted=wanted_text)

    def _append(self, file: BinaryIO, line: bytes) -> None:
        content = memoryview(line + b"\n")
        while content:  # a disk that is nearly full takes a part
            content = content[file.write(content) :]
        os.fsync(file.fileno())
        self._end += len(line) + 1

    def _unwritable(self, problem: str | None) -> Exception:
        return RecordError.of("cli_unwritable", path=str(self._path), problem=problem)

    def _refusal(self, key: str, **values: Any) -> Exception:
        return RecordError.of(key, path=str(self._path), **values)


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
