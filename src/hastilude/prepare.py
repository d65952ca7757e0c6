"""Compiles games and their bots before anybody waits for them.

The first time on a machine this takes about half a minute per game, so several processes share the
work. Later everything comes from the cache.
"""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

from hastilude import bots
from hastilude.bots.hints import think_of_hints
from hastilude.core.kernel import cache_folder
from hastilude.games.registry import GAMES, load


def prepare(say: Callable[[], None], names: Sequence[str] = tuple(GAMES)) -> None:
    """Prepare games for this process; if that will take a while, `say` is called first."""
    cold = [name for name in names if not (cache_folder() / f"{name}.ready").exists()]
    if cold:
        say()
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(len(cold), os.cpu_count() or 1), mp_context=spawn) as workers:
            list(workers.map(warm, cold))
    for name in names:
        warm(name)


def warm(name: str) -> None:
    """Use everything once that a table needs of a game."""
    game = load(name)
    match = game.new(seed=0)
    while not match.over:
        seat = match.pending[0]
        rehearsal = match.rehearse(seat)
        while not rehearsal.whole:
            rehearsal.play(rehearsal.legal()[0])
        match.play(seat, match.legal(seat)[0])
    for viewer in (None, 0):
        match.view(viewer)
        match.events(viewer)
    match.record()
    match = game.new(seed=0)
    seat = match.pending[0]
    redacted = match.redacted(seat)
    bots.make("page", game, 0).choose(redacted, seat)
    think_of_hints(game, redacted, seat, seconds=0.0)
    (cache_folder() / f"{name}.ready").touch()
