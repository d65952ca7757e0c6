"""A game made from the template as CONTRIBUTING.md says passes every general test."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import hastilude

PACKAGE = Path(hastilude.__file__).parent
TESTS = Path(__file__).parent


def test_a_game_made_from_the_template_passes_every_general_test(tmp_path):
    package, tests = tmp_path / "src" / "hastilude", tmp_path / "tests"
    ignore = shutil.ignore_patterns("__pycache__", "*.txt")
    shutil.copytree(PACKAGE, package, ignore=ignore)
    shutil.copytree(TESTS, tests, ignore=ignore)

    # 1. One folder, and its tests.
    copy_renamed(package / "games" / "_template", package / "games" / "tiny")
    copy_renamed(tests / "_template", tests / "tiny")
    # 2. One line in the registry. (The other games are left out to keep this quick.)
    registry = package / "games" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    first, rest = text.split("GAMES = {\n")
    registry.write_text(first + 'GAMES = {\n    "tiny": "Tiny",\n}\n' + rest.split("}\n", 1)[1])
    # 3. Its sentences.
    for language in ("en", "ja"):
        catalogue = package / "messages" / f"{language}.json"
        sentences = json.loads(catalogue.read_text(encoding="utf-8"))
        own = package / "games" / "tiny" / f"messages.{language}.json"
        sentences |= json.loads(own.read_text(encoding="utf-8"))
        own.unlink()
        catalogue.write_text(json.dumps(sentences, ensure_ascii=False), encoding="utf-8")

    python = [sys.executable, "-m"]
    environment = os.environ | {"PYTHONPATH": f"{package.parent}{os.pathsep}{tmp_path}"}
    subprocess.run([*python, "tests.golden"], cwd=tmp_path, env=environment, check=True)
    general = ["conformance", "events", "golden", "properties", "interpreted", "architecture"]
    files = [f"tests/test_{name}.py" for name in general]
    ran = subprocess.run(
        [*python, "pytest", "-q", "-p", "no:cacheprovider", *files],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
    assert "tiny" in (tests / "golden" / "tiny.txt").read_text(encoding="utf-8")


def copy_renamed(source: Path, target: Path) -> None:
    """The folder under the game's own name, in file contents too."""
    shutil.copytree(source, target)
    for path in target.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("_template", target.name).replace("Template", target.name.title())
        path.write_text(text, encoding="utf-8")
