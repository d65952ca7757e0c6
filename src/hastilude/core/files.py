"""Writing a file completely or not at all, and by one process at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hastilude.core.errors import RecordError

try:
    import fcntl
except ImportError:  # Windows: nothing notices two processes that write to one file
    fcntl = None  # type: ignore[assignment]

DRAFT = ".part"
DRAFTS = f".*{DRAFT}"  # their names


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """A draft next to `path`, to be written in the `with` block. At the end of the block it is
    synced to disk and replaces `path`; if the block raises, `path` stays as it was. Only its owner
    can read a private file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=DRAFT)
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with draft.open("r+b") as file:
            os.fsync(file.fileno())
        if not private:  # mkstemp makes private files
            draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """RecordError, with the reason, if the path cannot be written in the `with` block."""
    try:
        yield
    except OSError as error:
        problem = error.strerror
        raise RecordError.of("cli_unwritable", path=str(path), problem=problem) from None


def lock(file: IO[Any]) -> bool:
    """Lock a file until it is closed; False if another process has locked it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
