"""Measures the engine's speed on this machine, as medians of several repetitions.

Speeds to compare are measured alternately, so that a busy machine slows both down.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hastilude.batch import Batch
from hastilude.bots import make
from hastilude.bots.hints import think_of_hints
from hastilude.bots.search import SearchBot, Settings
from hastilude.core.calls import apply_at, deal_at, legal_at, start_at
from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.core.match import Match, Play
from hastilude.core.playout import play_many
from hastilude.core.random import generator
from hastilude.core.rules import WORK, Cards
from hastilude.games.registry import GAMES, load, player_counts
from hastilude.messages import Message
from hastilude.reviews.review import Reviewer
from hastilude.simulation import play_matches

if TYPE_CHECKING:
    from rich.table import Table

BATCH = 4096
HINT_EVERY = 3  # steps of a match between two hints
OPEN_SPIEL_GAMES = ("hearts", "spades", "euchre")
FIRST_MATCH = """
import hastilude
match = hastilude.load({name!r}).new(seed=1)
(seat, *_) = match.pending
match.play(seat, match.legal(seat)[0])
match.view(seat), match.events(seat)
"""


@dataclass(frozen=True)
class Effort:
    repeat: int = 5
    seconds: float = 0.4  # about how long each repetition takes
    limit_games: int = 50_000
    recorded: int = 20  # matches whose plays are repeated from Python
    pieces: int = sys.maxsize  # of a review; the time for the others is taken to be the same


QUICK = Effort(repeat=1, seconds=0.01, limit_games=500, recorded=1, pieces=4)


@dataclass(frozen=True)
class Row:
    """One figure. In the rows of other software, `ratios` says how many times faster we are."""

    measure: str
    subject: str
    value: float
    unit: str
    ratios: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


Measure = Callable[[], list[Row]]
Work = Callable[[int], int]  # takes a number of repetitions, returns the number of actions


def plan(
    names: Sequence[str], effort: Effort, compiling: bool = False, limit: Path | None = None
) -> list[Measure]:
    """The measurements in their order; OptionError if `limit` does not name a game."""
    measures: list[Measure] = []
    if limit is not None:  # first, because it may fail
        measures.append(partial(limit_rows, limit, limit_game(limit), effort))
    for name in names:
        measures += [partial(kernel_rows, game, effort) for game in variants(name)]
        measures.append(partial(python_rows, load(name), effort))
        measures.append(partial(batch_rows, load(name), effort))
        measures.append(partial(search_rows, load(name), effort))
        measures.append(partial(hint_rows, load(name), effort))
        measures.append(partial(review_rows, load(name), effort))
        if find_spec("gymnasium"):
            measures += [partial(vector_rows, game, effort) for game in variants(name)]
        if find_spec("pettingzoo"):
            measures += [partial(raw_rows, game, effort) for game in variants(name)]
        measures.append(partial(start_rows, load(name), effort))
        if compiling:
            measures.append(partial(compile_rows, load(name)))
    measures.append(partial(help_rows, effort))
    if find_spec("pyspiel"):
        rival = load(names[0])
        measures += [partial(open_spiel_rows, name, rival, effort) for name in OPEN_SPIEL_GAMES]
    return measures


def variants(name: str) -> list[Game]:
    """The game for each number of players."""
    counts = player_counts(name)
    return [load(name, players=count) for count in counts] if len(counts) > 1 else [load(name)]


def subject(game: Game) -> str:
    return f"{game.name}, {game.seats} players"


# --- timing -------------------------------------------------------------------------------------


def rate(work: Work, effort: Effort) -> float:
    """The median number of actions per second."""
    amount = fitting(work, effort)
    return median(rate_once(work, amount) for _ in range(effort.repeat))


def rate_once(work: Work, amount: int) -> float:
    begun = perf_counter()
    actions = work(amount)
    return actions / (perf_counter() - begun)


def fitting(work: Work, effort: Effort) -> int:
    """How many times the work fits into one repetition. Finding out compiles and warms up."""
    work(1)
    amount = 1
    while True:
        begun = perf_counter()
        work(amount)
        spent = perf_counter() - begun
        if spent * 2 > effort.seconds:
            return max(1, round(amount * effort.seconds / spent))
        amount *= 2


def against(works: Sequence[Work], theirs: Callable[[], float], effort: Effort) -> list[float]:
    """The median speed of `theirs`, then for each of our works the median of ours / theirs."""
    amounts = [fitting(work, effort) for work in works]
    rounds = []
    for _ in range(effort.repeat):
        speed = theirs()
        ours = [rate_once(work, amount) for work, amount in zip(works, amounts, strict=True)]
        rounds.append([speed, *(own / speed for own in ours)])
    return [median(column) for column in zip(*rounds, strict=True)]


def process_seconds(arguments: Sequence[str], **environment: str) -> float:
    """The wall time of a new Python process."""
    begun = perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        env=os.environ | environment,
    )
    return perf_counter() - begun


# --- our own speed ------------------------------------------------------------------------------


def kernel_rows(game: Game, effort: Effort) -> list[Row]:
    speed = rate(kernel_work(game), effort)
    return [Row("random play in the kernel", subject(game), speed, "actions/s")]


def kernel_work(game: Game) -> Work:
    """Plays whole matches at random, including the deals."""
    states = np.zeros(2, game.state)
    start_at(states, options_of(game))
    return partial(play_many, states, generator(1), np.zeros(WORK, np.int8))


def python_rows(game: Game, effort: Effort) -> list[Row]:
    matches = list(play_matches(game, ["random"] * game.seats, 1, effort.recorded))
    pairs, plays = pair_work(game, matches), match_work(game, matches)
    return [
        Row("legal + apply from Python", subject(game), rate(pairs, effort), "pairs/s"),
        Row("Match.play", subject(game), rate(plays, effort), "actions/s"),
        Row("state", game.name, game.state.itemsize, "bytes"),
    ]


class Stretch(NamedTuple):
    """A chance event and the plays until the next one."""

    due: int
    order: Cards
    plays: list[tuple[int, int]]


def stretches(match: Match) -> list[Stretch]:
    found: list[Stretch] = []
    for step in match.steps:
        if isinstance(step, Play):
            found[-1].plays.append(step)
        else:
            found.append(Stretch(step.due, np.array(step.order, np.int8), []))
    return found


def pair_work(game: Game, matches: Sequence[Match]) -> Work:
    """Repeats recorded matches through the unchecked kernels."""
    recorded = [stretch for match in matches for stretch in [None, *stretches(match)]]
    actions = sum(len(stretch.plays) for stretch in recorded if stretch)
    states, options = np.zeros(1, game.state), options_of(game)

    def work(times: int) -> int:
        for _ in range(times):
            for stretch in recorded:
                if stretch is None:
                    start_at(states, options)
                    continue
                deal_at(states, 0, stretch.due, stretch.order)
                for seat, action in stretch.plays:
                    legal_at(states, 0, seat)
                    apply_at(states, 0, seat, action)
        return times * actions

    return work


class Stacked:
    """A chance driver that repeats recorded deals."""

    def __init__(self, recorded: Sequence[Stretch]) -> None:
        self._orders = iter([stretch.order for stretch in recorded])

    def order(self, due: int, cards: Cards) -> None:
        cards[:] = next(self._orders)


def match_work(game: Game, matches: Sequence[Match]) -> Work:
    """Repeats recorded matches through `Match.play`, which checks and remembers."""
    recorded = [stretches(match) for match in matches]
    plays = [[play for stretch in match for play in stretch.plays] for match in recorded]
    actions = sum(map(len, plays))

    def work(times: int) -> int:
        for _ in range(times):
            for match_stretches, match_plays in zip(recorded, plays, strict=True):
                match = game.new(chance=Stacked(match_stretches))
                for seat, action in match_plays:
                    match.play(seat, action)
        return times * actions

    return work


def options_of(game: Game) -> Any:
    return np.array(game.option_numbers, dtype=np.int64)


def batch_rows(game: Game, effort: Effort) -> list[Row]:
    batch = Batch(game, BATCH, seed=1)

    def work(times: int) -> int:
        for _ in range(times):
            batch.step(batch.random_actions())
        return times * BATCH

    measure = f"batch of {BATCH} with encodings"
    return [Row(measure, subject(game), rate(work, effort), "steps/s")]


def vector_rows(game: Game, effort: Effort) -> list[Row]:
    from hastilude.adapters.speed import vector_work  # noqa: PLC0415  # an extra

    measure = f"VectorEnv of {BATCH} against random"
    return [Row(measure, subject(game), rate(vector_work(game, BATCH), effort), "steps/s")]


def raw_rows(game: Game, effort: Effort) -> list[Row]:
    from hastilude.adapters.speed import raw_env_work  # noqa: PLC0415  # an extra

    speed = rate(raw_env_work(game, effort.recorded), effort)
    return [Row("PettingZoo raw_env, last + step", subject(game), speed, "steps/s")]


def search_rows(game: Game, effort: Effort) -> list[Row]:
    """Simulations of a search at the first decision, with random rollouts."""
    match = game.new(seed=1)
    (seat, *_) = match.pending

    def work(simulations: int) -> int:
        settings = Settings(simulations=simulations, rollout="random")
        SearchBot(game, 1, settings).think(match.redacted(seat), seat)
        return simulations

    measure = "search at the first decision"
    return [Row(measure, subject(game), rate(work, effort), "simulations/s")]


def hint_rows(game: Game, effort: Effort) -> list[Row]:
    """Hints at decisions of a match between players of the reference policy."""
    match, players = game.new(seed=1), make("reference", game, 1)
    times: list[float] = []
    while not match.over and len(times) < effort.recorded:
        (seat, *_) = match.pending
        redacted = match.redacted(seat)
        if len(match.steps) % HINT_EVERY == 0:
            begun = perf_counter()
            think_of_hints(game, redacted, seat)
            times.append(perf_counter() - begun)
        match.play(seat, players.choose(redacted, seat))
    return [Row("hint", subject(game), 1000 * median(times), "ms")]


def review_rows(game: Game, effort: Effort) -> list[Row]:
    """The review of one seat of a match between players of the reference policy."""
    (match,) = play_matches(game, ["reference"] * game.seats, 1, 1)
    review_seconds(Reviewer(match, 0), QUICK.pieces)  # compiles and warms up
    seconds = review_seconds(Reviewer(match, 0), effort.pieces)
    return [Row("review of one seat", subject(game), seconds, "s")]


def review_seconds(reviewer: Reviewer, pieces: int) -> float:
    begun = perf_counter()
    while not reviewer.finished and reviewer.done < pieces:
        reviewer.advance()
    return (perf_counter() - begun) * reviewer.total / reviewer.done


def start_rows(game: Game, effort: Effort) -> list[Row]:
    command = ["-c", FIRST_MATCH.format(name=game.name)]
    process_seconds(command)  # fills the cache
    seconds = median(process_seconds(command) for _ in range(effort.repeat))
    return [Row("first play, from the cache", game.name, seconds, "s")]


def compile_rows(game: Game) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        command = ["-c", FIRST_MATCH.format(name=game.name)]
        seconds = process_seconds(command, NUMBA_CACHE_DIR=folder)
    return [Row("first play, compiling", game.name, seconds, "s")]


def help_rows(effort: Effort) -> list[Row]:
    command = ["-m", "hastilude", "--help"]
    seconds = median(process_seconds(command) for _ in range(effort.repeat))
    return [Row("--help", "hastilude", seconds, "s")]


# --- others' speed ------------------------------------------------------------------------------


def limit_game(path: Path) -> Game:
    if path.stem not in GAMES:
        raise OptionError.of("cli_bench_limit_game", path=str(path), known=tuple(GAMES))
    return load(path.stem)


def limit_rows(path: Path, game: Game, effort: Effort) -> list[Row]:
    """The speed of a C program that prints the time and number of its random actions as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, path.stem))
        try:
            ran(["gcc", "-O3", "-march=native", str(path), "-o", program, "-lm"])
            theirs = partial(limit_rate, program, effort.limit_games)
            speed, ratio = against([kernel_work(game)], theirs, effort)
        except (OSError, ValueError, LookupError, subprocess.CalledProcessError) as error:
            lines = str(getattr(error, "stderr", None) or error).strip().splitlines()
            raise OptionError.of(
                "cli_bench_limit_failed", path=str(path), problem=lines[0]
            ) from None
    return [Row("random play in C", path.name, speed, "actions/s", {"kernel": ratio})]


def limit_rate(program: str, matches: int) -> float:
    result = json.loads(ran([program, str(matches), "1"]).splitlines()[-1])
    return float(result["acts"] / result["engine_s"])


def ran(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def open_spiel_rows(name: str, rival: Game, effort: Effort) -> list[Row]:
    """The speed of one of OpenSpiel's C++ games, driven from Python as usual."""
    from hastilude.adapters.speed import open_spiel_work  # noqa: PLC0415  # an extra

    theirs = open_spiel_work(name, effort.recorded)
    amount = fitting(theirs, effort)
    matches = list(play_matches(rival, ["random"] * rival.seats, 1, effort.recorded))
    works = [pair_work(rival, matches), kernel_work(rival)]
    speed, from_python, in_kernel = against(works, partial(rate_once, theirs, amount), effort)
    ratios = {"legal + apply": from_python, "kernel": in_kernel}
    return [Row(f"OpenSpiel {name}", "driven from Python", speed, "actions/s", ratios)]


# --- printing -----------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> "Table":
    from rich.box import SIMPLE  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415  # not needed for --json

    shown = Table(box=SIMPLE, padding=0, pad_edge=False)
    for heading in ("measure", "of"):
        shown.add_column(heading)
    shown.add_column("median", justify="right")
    shown.add_column("ours / theirs" if any(row.ratios for row in rows) else "")
    for row in rows:
        ratios = "\n".join(f"{ratio:.2f} ({ours})" for ours, ratio in row.ratios.items())
        shown.add_row(row.measure, row.subject, f"{figure(row.value)} {row.unit}", ratios)
    return shown


def figure(value: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.1f} {unit}"
    return f"{value:.3g}"


def note() -> Message:
    return Message("cli_bench_openspiel" if find_spec("pyspiel") else "cli_bench_no_openspiel")
