"""Imports go one way, and a game is one folder and one line."""

import ast
from pathlib import Path

import pytest

import hastilude

PACKAGE = Path(hastilude.__file__).parent
LAYERS = ["messages", "core", "games", "bots", "arena"]  # each may import what stands before it
# These stand on so many of the layers, and on those of their kind that need no more.
ON_TOP = {
    "batch": 3, "testing": 3, "protocol": 3,
    "prepare": 4, "terminal": 4, "adapters": 4, "server": 4,
}  # fmt: skip
# Only these may import the libraries.
ALONE = {
    "terminal": {"textual"},
    "adapters": {"gymnasium", "open_spiel", "pettingzoo", "pyspiel"},
    "server": {"alembic", "fastapi", "psycopg", "segno", "sqlalchemy", "starlette", "uvicorn"},
}
GAME_FILES = {
    "__init__.py", "rules.py", "hidden.py", "notation.py", "view.py", "events.py", "encode.py",
    "game.py", "RULES.md", "RULES.ja.md",
}  # fmt: skip
MAY_HAVE = {
    "cards.py",  # what rules.py builds on, where the two would be too long for one file
    "lesson.json",
}


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


@pytest.mark.parametrize("name", ON_TOP)
def test_what_stands_on_top_stands_on_its_layers_alone(name):
    below = [other for other in ON_TOP if ON_TOP[other] <= ON_TOP[name]]
    allowed = [*LAYERS[: ON_TOP[name]], *below]
    for path in sources(name) or [PACKAGE / f"{name}.py"]:
        for module in imports(path):
            if module.startswith("hastilude."):
                assert module.split(".")[1] in allowed, f"{path} imports {module}"


def test_a_client_knows_the_protocol_and_nothing_of_the_server():
    for path in sources("terminal"):
        assert not any(name.startswith("hastilude.server") for name in imports(path)), path


@pytest.mark.parametrize("room", ALONE)
def test_a_library_stays_in_its_room(room):
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] != room:
            assert not {name.split(".")[0] for name in imports(path)} & ALONE[room], path


def test_clients_can_use_the_protocol_alone():
    used = {name.split(".")[0] for name in imports(PACKAGE / "protocol.py")}
    assert used == {"typing", "pydantic"}


def test_a_table_decides_without_the_world():
    for name in ("log.py", "table.py"):
        outside = {"asyncio", "time", "secrets", "random", *ALONE["server"]}
        assert not outside & {one.split(".")[0] for one in imports(PACKAGE / "server" / name)}


def test_all_that_leaves_about_a_match_is_made_in_one_place():
    for path in sources("server"):
        if path.name not in ("outbound.py", "table.py", "thinking.py"):
            text = path.read_text("utf-8")
            for word in (".view(", ".redacted(", ".events("):
                assert word not in text, path


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
