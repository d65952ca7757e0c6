"""A fourth game, made from the template as CONTRIBUTING.md says."""

import os
import shutil
from pathlib import Path

import hastilude

PACKAGE = Path(hastilude.__file__).parent
TESTS = Path(__file__).parent
ROOT = TESTS.parent
NAME = "tiny"


def make(folder: Path) -> dict[str, str]:
    """Copy the project and add the game; returns the environment in which Python finds it."""
    package, tests = folder / "src" / "hastilude", folder / "tests"
    for source, target in ((PACKAGE, package), (TESTS, tests), (ROOT / "web", folder / "web")):
        shutil.copytree(source, target, ignore=built)
    shutil.copy(ROOT / "hatch_build.py", folder)

    # 1. One folder for the engine and one for the page, with its tests.
    copy_renamed(package / "games" / "_template", package / "games" / NAME)
    copy_renamed(folder / "web/src/games/_template", folder / "web/src/games" / NAME)
    copy_renamed(tests / "_template", tests / NAME)
    # 2. One line in the registry. (The other games are left out to keep the tests quick.)
    registry = package / "games" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    first, rest = text.split("GAMES = {\n")
    line = f'    "{NAME}": "{NAME.title()}",\n'
    registry.write_text(first + "GAMES = {\n" + line + "}\n" + rest.split("}\n", 1)[1])

    return os.environ | {"PYTHONPATH": f"{package.parent}{os.pathsep}{folder}"}


def built(folder: str, names: list[str]) -> set[str]:
    """What is made from the sources, and golden files of other games."""
    made = {"__pycache__", "node_modules", "paraglide", "catalogue", ".meta.json", "cache"}
    if Path(folder) == PACKAGE:
        made.add("web")
    return made & set(names) | {name for name in names if name.endswith(".txt")}


def copy_renamed(source: Path, target: Path) -> None:
    """The folder under the game's own name, in file contents too."""
    shutil.copytree(source, target)
    for path in target.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("_template", target.name).replace("Template", target.name.title())
        path.write_text(text.replace("template", target.name), encoding="utf-8")
