"""Imports go one way, and a game is one folder and one line."""

import ast
from pathlib import Path

import pytest

import hastilude

PACKAGE = Path(hastilude.__file__).parent
LAYERS = ["messages", "core", "games", "bots", "arena"]  # each may import what stands before it
ON_TOP = {"batch": 3, "testing": 3}  # these modules stand on so many of the layers
GAME_FILES = {
    "__init__.py", "rules.py", "hidden.py", "notation.py", "view.py", "events.py", "encode.py",
    "game.py", "RULES.md", "RULES.ja.md",
}  # fmt: skip
MAY_HAVE = {"cards.py"}  # what rules.py builds on, where the two would be too long for one file


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def sources(folder):
    return sorted((PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_go_one_way(layer):
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for path in sources(layer):
        for name in imports(path):
            if name.startswith("hastilude."):
                assert name.split(".")[1] in allowed, f"{path} imports {name}"


def test_only_the_adapters_import_the_libraries_of_the_extra_research():
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] != "adapters":
            found = {name.split(".")[0] for name in imports(path)}
            assert not found & {"gymnasium", "open_spiel", "pettingzoo", "pyspiel"}, path


def test_the_adapters_stand_on_bots_and_on_nothing_above():
    for path in sources("adapters"):
        for name in imports(path):
            if name.startswith("hastilude."):
                assert name.split(".")[1] in [*LAYERS[:4], "adapters"], f"{path} imports {name}"


@pytest.mark.parametrize("name", hastilude.games())
def test_games_do_not_import_each_other(name):
    for path in sources(f"games/{name}"):
        for module in imports(path):
            if module.startswith("hastilude.games."):
                assert module.split(".")[2] == name, f"{path} imports {module}"


@pytest.mark.parametrize("name", hastilude.games())
def test_every_game_has_the_same_files(name):
    found = {path.name for path in (PACKAGE / "games" / name).iterdir() if path.is_file()}
    assert found - MAY_HAVE == GAME_FILES


@pytest.mark.parametrize("name", hastilude.games())
def test_nothing_but_its_folder_and_the_registry_names_a_game(name):
    for path in PACKAGE.rglob("*.py"):
        inside = path.relative_to(PACKAGE).parts
        if inside[:2] not in (("games", name), ("games", "registry.py")):
            code = ast.parse(path.read_text(encoding="utf-8"))
            words = {node.value for node in ast.walk(code) if isinstance(node, ast.Constant)}
            assert name not in words, path


def test_all_is_what_is_exported():
    assert sorted(hastilude.__all__) == sorted(hastilude._HOMES)
    for name in hastilude.__all__:
        assert getattr(hastilude, name) is not None
