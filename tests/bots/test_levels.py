"""The levels for people: each is stronger than the one below, and its mistakes are mostly small."""

import numpy as np
import pytest

import hastilude
from hastilude import arena, bots
from hastilude.bots.levels import LEVELS, level_bot

# The champion has a time limit, so its strength depends on the machine; docs/bots.md measures it.
STEPS = [("squire", "page"), ("knight", "squire")]
TABLES = {
    "tornei": ({"players": 4}, 12),
    "kings_tournament": ({"best_of": 1}, 120),
    "triatri": ({"players": 3}, 24),
}


@pytest.mark.parametrize(("level", "below"), STEPS)
@pytest.mark.parametrize("name", TABLES)
def test_each_level_beats_the_one_below(name: str, level: str, below: str) -> None:
    options, deals = TABLES[name]
    game = hastilude.load(name, **options)
    stronger = arena.compare(game, [level, below], deals, seed=3, workers=1).bots[0]
    assert stronger.win_share.low > 1 / game.seats


def test_mistakes_are_mostly_small() -> None:
    """What a page gives away in Tornei, in points that the instinct of the game expects."""
    game = hastilude.load("tornei")
    lost = []
    for seed in range(8):
        match = game.new(seed=seed)
        page = level_bot("page", game, seed)
        while (seat := match.turn) is not None:
            known = match.redacted(seat)
            choice = page.choose(known, seat)
            if len(match.legal(seat)) > 1:
                lost.append(page.losses()[choice])
            match.play(seat, choice)
    losses = np.array(lost)
    none, small, large = losses < 0.1, (losses >= 0.1) & (losses < 3), losses >= 3
    assert none.mean() > 0.2
    assert large.mean() < small.mean() / 4


@pytest.mark.parametrize("name", hastilude.games())
def test_only_the_champion_has_a_time_limit(name: str) -> None:
    game = hastilude.load(name)
    limits = {level: bots.make(level, game, 1).milliseconds for level in LEVELS}
    assert limits.pop("champion") == 400
    assert set(limits.values()) == {None}
