"""`@kernel`: the one way in which a function of this package is compiled.

A kernel is plain Python that numba compiles, caches on disk and runs without the GIL. With
`NUMBA_DISABLE_JIT=1` the same source runs interpreted.

numba's own cache watches only the file of the function itself, not the constants and helpers it
takes from other files, and would run stale rules after an edit. So the cache folder is named after
a digest of every kernel source of the package: any edit means a new folder.
"""

import atexit
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import event
from numba.extending import overload
from platformdirs import user_cache_path

from hastilude.messages import Message

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parents[1]
SOURCE_FOLDERS = ("core", "games", "bots")
KEPT_CACHES = 8  # folders of earlier sources; going back to one of them costs no compilation


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on first use, from the cache if it was ever compiled from these sources.

    Kernels are unchecked: an index outside an array is undefined behaviour, as in C.
    """
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = previous
    return compiled


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: below NUMBA_CACHE_DIR if that is set.

    Where nothing can be kept, a folder for this process alone: compiled code is never read from a
    place where somebody else could have put it.
    """
    base = Path(numba.config.CACHE_DIR or user_cache_path("hastilude")) / "kernels"
    folder = base / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        _drop_old_caches(base)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="hastilude-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def source_digest() -> str:
    digest = hashlib.sha256()
    for folder in SOURCE_FOLDERS:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _drop_old_caches(base: Path) -> None:
    folders = sorted(base.glob("*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


class _Announcer(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Says once a process that the first use of these sources takes a while."""

    announced = False

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__
        if not self.announced and module.startswith("hastilude"):
            self.announced = True
            print(Message("compiling"), file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Announcer())


def compiled_twin(interpreted: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Kernels that call `interpreted` compile the decorated function instead."""

    def install(compiled: Callable[P, R]) -> Callable[P, R]:
        overload(interpreted, strict=False)(lambda *arguments: compiled)
        return compiled

    return install
