"""A game of the page is one folder: nothing outside names it, and all have the same files."""

import re

import pytest

from hastilude.games.registry import GAMES
from tests.web.test_palette import WEB

SRC = WEB / "src"
GENERAL = [
    path
    for path in sorted(SRC.rglob("*"))
    if path.suffix in (".ts", ".svelte", ".css")
    and not {"catalogue", "games", "paraglide"} & set(path.relative_to(SRC).parts)
    and not path.name.endswith(".test.ts")
    and path.name not in ("protocol.ts", "fakeSocket.ts", "fixture.ts")  # generated; for tests
]
FILES = {
    *("index.ts", "drawing.ts", "shown.ts", "names.ts", "colours.css"),
    *("Table.svelte", "Seat.svelte", "Card.svelte", "Last.svelte", "Picture.svelte"),
}


@pytest.mark.parametrize("path", GENERAL, ids=lambda path: path.relative_to(SRC).as_posix())
def test_nothing_outside_names_a_game(path):
    titles = [re.escape(name).replace("_", ".{0,3}") for name in GAMES]
    assert not re.findall("|".join(titles), path.read_text("utf-8"), flags=re.IGNORECASE)


@pytest.mark.parametrize("game", [*GAMES, "_template"])
def test_games_have_the_same_files(game):
    assert {path.name for path in (SRC / "games" / game).iterdir()} >= FILES
