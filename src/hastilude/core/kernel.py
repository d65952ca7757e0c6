"""`@kernel`: how functions of this package are compiled and cached.

A kernel is plain Python that numba compiles, caches on disk and runs without the GIL. With
`NUMBA_DISABLE_JIT=1` the same source runs interpreted.

numba's own cache notices changes in the function's own file, but not in constants and helpers from
other files: after an edit it could run old rules. So the cache folder is named after a digest of
all kernel sources of the package, and any edit of them leads to a new folder. Copies of the package
with equal sources share it.
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
from numba.core.caching import FunctionCache, UserProvidedCacheLocator
from numba.extending import overload
from platformdirs import user_cache_path

from hastilude.messages import Message

try:
    import fcntl
except ImportError:  # Windows: nothing prevents it
    fcntl = None  # type: ignore[assignment]

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parents[1]
SOURCE_FOLDERS = ("core", "games", "bots")
# Files that no kernel uses (tests/test_architecture.py checks it): editing them compiles nothing.
NEVER_COMPILED = {"view.py", "events.py", "notation.py", "game.py", "terminal.py", "themes.py"}
KEPT_CACHES = 8  # folders of earlier sources; returning to one of them needs no compilation


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on first use, or load it from the cache.

    Kernels are unchecked: an index outside an array is undefined behaviour, as in C.
    """
    return _prepared(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that becomes a part of all kernels that call it.

    It is for small kernels with arrays: numba would call them, with every field of every array as
    an argument, which can take longer than what they do.
    """
    return _prepared(function, forceinline=True)


def _prepared(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    config = numba.config
    previous = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(cache_folder()), LOCATOR
    try:
        compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
        if not config.DISABLE_JIT:
            compiled._cache = KernelCache(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = previous
    typed: Callable[P, R] = compiled
    return typed


class KernelCache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    """numba's cache, for several processes that compile at the same time.

    A kernel has one file for each game, and a list of these files. Two processes that change the
    list at the same time could give the kernels of two games the same file.
    """

    def save_overload(self, *compiled: Any) -> None:
        with (cache_folder() / "saving").open("w") as file:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
            super().save_overload(*compiled)


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # numba is untyped
    """Finds the kernels of a file by its place in the package, not by that of the package."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        path = Path(py_file)
        if path.is_relative_to(PACKAGE):
            return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        subpath: str = super().get_suitable_cache_subpath(py_file)
        return subpath


LOCATOR = f"{__name__}.{Locator.__name__}"


@cache
def cache_folder() -> Path:
    """The folder for compiled kernels: below NUMBA_CACHE_DIR if that is set.

    If nothing can be written there, it is a new folder for this process: compiled code is never
    read from a place where somebody else could have put it.
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
            if folder == "games" and path.name in NEVER_COMPILED:
                continue
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _drop_old_caches(base: Path) -> None:
    folders = sorted(base.glob("*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


class _Announcer(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Says, once per process, that the first use after a change takes a while."""

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
    """In compiled kernels, replace calls of `interpreted` by the decorated function."""

    def install(compiled: Callable[P, R]) -> Callable[P, R]:
        overload(interpreted, strict=False)(lambda *arguments: compiled)
        return compiled

    return install
