"""What must be the same on all machines that work together."""

from __future__ import annotations

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from hastilude import __version__

PACKAGE = Path(__file__).parents[1]
SUFFIXES = {".py", ".npz", ".json"}  # code, what bots have learned, sentences
PAGE = "web"  # it is built, and plays nothing


def versions() -> dict[str, str]:
    """By the name of what could make results differ."""
    return {
        "Hastilude": f"{__version__} ({digest()})",
        "Python": platform.python_version(),
        "numba": version("numba"),
        "NumPy": version("numpy"),
        "CPU": platform.machine(),
    }


@cache
def digest() -> str:
    """Of the files of this package."""
    found = sha256()
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.suffix in SUFFIXES and inside.parts[0] != PAGE:
            found.update(inside.as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:12]
