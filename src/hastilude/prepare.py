"""Compiles games and their bots before anybody waits for them.

The first time on a machine this takes about half a minute per game, so several processes share the
work. Later everything comes from the cache.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hastilude import bots
from hastilude.bots.hints import think_of_hints
from hastilude.core.kernel import cache_folder
from hastilude.core.match import Match
from hastilude.games.registry import GAMES, load
from hastilude.reviews.review import Reviewer
from hastilude.workers.local import Local, cores

REHEARSING = "search:250"  # this bot chooses
REHEARSED = 16  # so many times: different choices may need different code


def prepare(say: Callable[[], None], names: Sequence[str] = tuple(GAMES)) -> None:
    """Prepare games for this process; if that will take a while, `say` is called first."""
    compile_new(say, names)
    for name in names:
        warm(name)


def compile_new(say: Callable[[], None], names: Sequence[str] = tuple(GAMES)) -> None:
    """Compile the games that this machine has not compiled yet, if any; then `say` comes first."""
    cold = [name for name in names if not (cache_folder() / f"{name}.ready").exists()]
    if cold:
        say()
        for _ in Local(min(len(cold), cores())).share_out(Compiling(cold), range(len(cold))):
            pass


@dataclass(frozen=True)
class Compiling:
    """The work of compiling games, one per task."""

    names: Sequence[str]

    def prepare(self) -> None: ...

    def do(self, task: int) -> None:
        """Use everything of a game once, also what only another process of a server needs."""
        name = self.names[task]
        match = warm(name)
        reviewer = Reviewer(match, seat=0)
        while not (reviewer.decisions or reviewer.finished):
            reviewer.advance()
        (cache_folder() / f"{name}.ready").touch()


def warm(name: str) -> Match:
    """Use everything once that a table needs of a game; returns a finished match."""
    game = load(name)
    match = game.new(seed=0)
    bot = bots.make(REHEARSING, game, 0)
    while not match.over:
        seat = match.pending[0]
        if len(match.steps) < REHEARSED:
            bot.choose(match.redacted(seat), seat)
        rehearsal = match.rehearse(seat)
        while not rehearsal.whole:
            rehearsal.play(rehearsal.legal()[0])
        match.play(seat, match.legal(seat)[0])
    for viewer in (None, 0):
        match.view(viewer)
        match.events(viewer)
    match.record()
    begun = game.new(seed=0)
    seat = begun.pending[0]
    redacted = begun.redacted(seat)
    bots.make("page", game, 0).choose(redacted, seat)
    think_of_hints(game, redacted, seat, seconds=0.0)
    return match
