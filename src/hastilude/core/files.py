"""Writing a file completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """A draft next to `path`, to be written in the `with` block. At the end of the block it is
    synced to disk and replaces `path`; if the block raises, `path` stays as it was. Only its owner
    can read a private file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
