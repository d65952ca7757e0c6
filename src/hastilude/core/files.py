"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """A draft beside `path`, to be written in the block. It is synced to the disk and takes the
    place of `path` when the block ends; if it raises, what was there stays. A private file can be
    read by its owner alone."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with draft.open("r+b") as file:
            os.fsync(file.fileno())
        if not private:  # as mkstemp has made it
            draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
