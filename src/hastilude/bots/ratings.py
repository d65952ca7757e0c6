"""How strong the levels of a game are, on a scale for people.

A page has 1000. With 100 more, one wins about 64 of 100 matches for two; with more players, the
odds against each of them are the same. `docs/bots.md` says how they were measured.
"""

import json
from functools import cache
from importlib.resources import files


@cache
def level_ratings(game: str) -> dict[str, int]:
    """The rating of each level in a game, with its usual number of players; empty if unknown."""
    store = files("hastilude.games") / game / "ratings.json"
    return json.loads(store.read_text("utf-8")) if store.is_file() else {}
