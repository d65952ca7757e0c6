"""Imports go one way, and a game is one folder and one line."""

import ast
import re
from pathlib import Path

import pytest

import hastilude
from hastilude.core.kernel import NEVER_COMPILED
from hastilude.messages import LANGUAGES

PACKAGE = Path(hastilude.__file__).parent
CORE = {"messages", "core"}
GAMES = {*CORE, "games"}
BOTS = {*GAMES, "bots"}
REVIEWS = {*BOTS, "reviews"}
PUZZLES = {*REVIEWS, "workers", "puzzles"}
# Each room of the package, and what it may import besides itself.
MAY_IMPORT = {
    "messages": set(),
    "protocol": set(),
    "core": {"messages"},
    "games": CORE,
    "bots": GAMES,
    "workers": CORE,
    "arena": {*BOTS, "workers"},
    "lab": {*BOTS, "workers", "arena"},
    "reviews": BOTS,
    "puzzles": {*REVIEWS, "workers"},
    "batch": GAMES,
    "testing": {*GAMES, "batch"},
    "prepare": {*REVIEWS, "workers"},
    "simulation": BOTS,
    "terminal": {*PUZZLES, "protocol"},
    "adapters": BOTS,
    "server": {*PUZZLES, "protocol", "prepare"},
    "bench": {*REVIEWS, "adapters", "batch", "simulation"},
    "cli": {*PUZZLES, "arena", "lab", "bench", "server", "simulation", "terminal"},
    "__init__": {*GAMES, "reviews"},
    "__main__": {"cli"},
}
# Files in a game's folder that belong to another room: what bots know of it, and its drawing.
ROOMS_OF_A_GAME = {
    "reference": "bots", "outlook": "bots", "hindsight": "bots", "advice": "bots",
    "instinct": "bots", "practice": "bots", "foresight": "bots", "prospects": "bots",
    "estimate": "bots", "prospects_practice": "bots",
    "yardstick": "bots", "joust": "bots", "joust_solver": "bots", "mixing": "bots",
    "hands": "bots", "melee": "bots", "blueprint": "bots", "duel": "bots",
    "best_response": "bots", "responder": "bots", "terminal": "terminal",
    "course": "lab", "exact": "lab",
}  # fmt: skip
# Only these may import the libraries.
ALONE = {
    "terminal": {"textual"},
    "adapters": {"gymnasium", "open_spiel", "pettingzoo", "pyspiel"},
    "workers": {"ray"},
    "server": {"alembic", "fastapi", "psycopg", "segno", "sqlalchemy", "starlette", "uvicorn"},
}
GAME_FILES = {
    "__init__.py", "rules.py", "hidden.py", "notation.py", "view.py", "events.py", "encode.py",
    "game.py", "reference.py", "outlook.py", "terminal.py", "RULES.md", "RULES.ja.md",
    "messages.en.json", "messages.ja.json",
}  # fmt: skip
MAY_HAVE = {
    "cards.py",  # what rules.py builds on, where the two would be too long for one file
    # What its bots need.
    "hindsight.py", "advice.py", "joust.py", "joust_solver.py", "joust_fresh.npz", "mixing.py",
    "instinct.py", "instinct.npz", "practice.py", "foresight.py", "prospects.py", "prospects.npz",
    "prospects_practice.py", "estimate.py",
    "yardstick.py",
    "hands.py", "melee.py", "melee.npz", "blueprint.py", "duel.py",
    "best_response.py", "responder.py",
    "kinds.json", "lesson.json", "ratings.json",
    "themes.py",  # what its puzzles are about
    "course.py", "exact.py", "studies.toml",  # what the lab observes, and what it asks
}  # fmt: skip
# Words that belong to one game, or to some. Outside their folders they may be used in examples.
WORDS = re.compile(
    r"tornei|king'?s.?tournament|triatri|\b(dummy|jousts?|melees?|gems?|tricks?|dealers?|bids?)\b",
    re.IGNORECASE,
)
EXAMPLE = re.compile(r"(>>>|Example: |hastilude play ).*|`[^`]*`")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "hastilude":
            yield from (f"hastilude.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def sources(room):
    return [path for path in SOURCES if room_of(path) == room]


def room_of(path):
    inside = path.relative_to(PACKAGE).with_suffix("").parts
    if inside[0] == "games" and len(inside) == 3:
        return ROOMS_OF_A_GAME.get(inside[2], "games")
    return inside[0]


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "web" not in path.parts)


def test_kernels_use_nothing_whose_change_their_cache_would_miss():
    decorators = re.compile("@(kernel|inlined)")
    kernels = [path for path in SOURCES if decorators.search(path.read_text(encoding="utf-8"))]
    assert kernels
    for path in kernels:
        assert path.name not in NEVER_COMPILED
        used = [name for name in imports(path) if name.startswith("hastilude.games.")]
        assert not {f"{name.rpartition('.')[2]}.py" for name in used} & NEVER_COMPILED, path


def test_every_module_is_in_a_room():
    assert {room_of(path) for path in SOURCES} == set(MAY_IMPORT)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_go_one_way(room):
    for path in sources(room):
        for name in imports(path):
            if name.startswith("hastilude.") and name.split(".")[1] in MAY_IMPORT:
                allowed = {room, *MAY_IMPORT[room]}
                assert name.split(".")[1] in allowed, f"{path} imports {name}"


def test_a_client_knows_the_protocol_and_nothing_of_the_server():
    for path in sources("terminal"):
        assert not any(name.startswith("hastilude.server") for name in imports(path)), path


@pytest.mark.parametrize("room", ALONE)
def test_a_library_stays_in_its_room(room):
    for path in SOURCES:
        if room_of(path) != room:
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
    for path in (PACKAGE / "games" / name).rglob("*.py"):
        for module in imports(path):
            if module.startswith("hastilude.games."):
                assert module.split(".")[2] == name, f"{path} imports {module}"


@pytest.mark.parametrize("name", hastilude.games())
def test_every_game_has_the_same_files(name):
    found = {path.name for path in (PACKAGE / "games" / name).iterdir() if path.is_file()}
    assert found - MAY_HAVE == GAME_FILES


@pytest.mark.parametrize("room", sorted(MAY_IMPORT.keys() - {"__init__"}))
def test_nothing_but_its_folder_and_the_registry_names_a_game(room):
    for path in sources(room):
        inside = path.relative_to(PACKAGE).parts
        if inside[0] != "games" or (len(inside) == 2 and inside[1] != "registry.py"):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                assert not WORDS.search(EXAMPLE.sub("", line)), f"{path}:{number}: {line}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_all_games_name_none(language):
    text = (PACKAGE / "messages" / f"{language}.json").read_text("utf-8")
    assert WORDS.findall(text) == []


def test_all_is_what_is_exported():
    assert sorted(hastilude.__all__) == sorted(hastilude._HOMES)
    for name in hastilude.__all__:
        assert getattr(hastilude, name) is not None
