"""The `hastilude` command.

Nothing heavy is imported here: the compiler behind the rules takes longer to import than
`hastilude --help` may take to answer. Each command imports what it needs.
"""
# ruff: noqa: PLC0415  # see above

from __future__ import annotations

import io
import json
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hastilude import __version__
from hastilude.core.errors import HastiludeError, OptionError, RecordError
from hastilude.messages import LANGUAGES, Message, render

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.core.events import Event
    from hastilude.core.game import Game
    from hastilude.core.match import Match
    from hastilude.core.options import Option
    from hastilude.core.record import Record
    from hastilude.simulation import Tally

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 1  # as rich has it
LAST_SEED = 2**64 - 1

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Tornei, King's Tournament and TriATri: three card games on one compiled engine.",
    epilog="Example: hastilude simulate tornei --games 1 --watch",
)

# --- what the commands have in common -----------------------------------------------------------

_language: ContextVar[str] = ContextVar("language", default="en")


class Language(StrEnum):
    en = "en"
    ja = "ja"


def language_of_environment() -> str:
    """The language that the user's locale asks for, if it is one of ours."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = locale.partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else "en"


def _choose_language(chosen: Language | None) -> None:
    if chosen:
        _language.set(chosen.value)


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; `hastilude describe` lists them.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")]
InLanguage = Annotated[
    Language | None,
    typer.Option(
        "--language",
        callback=_choose_language,
        is_eager=True,
        help="Language of the sentences; by default that of LC_ALL or LANG.",
    ),
]


def sentence(key: str, **values: Any) -> str:
    return render(Message(key, values), _language.get())


def chosen_game(name: str, options: Sequence[str] | None) -> Game:
    """The game with the options that were typed as name=value."""
    from hastilude.games.registry import game_class

    kind = game_class(name)
    readers = {option.name: option.read for option in kind.known_options}
    given: dict[str, Any] = {}
    for text in options or ():
        option, equals, value = text.partition("=")
        if not equals:
            raise OptionError.of("cli_option_form", text=text)
        given[option] = readers.get(option, str)(value)
    return kind(**given)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False))


def print_table(table: Table) -> None:
    from rich.console import Console

    Console().print(table)


def with_progress(items: Iterable[Any], total: int, doing: str) -> Iterator[Any]:
    """The items, with a bar on stderr if somebody sees it."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    bar = not console.is_terminal
    yield from track(items, doing, total, console=console, transient=True, disable=bar)


# --- describe -----------------------------------------------------------------------------------


@app.command(epilog="Example: hastilude describe tornei --option players=3")
def describe(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Name of a game; none: list them.")
    ] = None,
    option: GameOptions = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """What a game is: players, options, actions, encoding; without GAME, which games there are."""
    from hastilude.games.registry import games, load

    if name is None:
        listed = [load(game) for game in games()]
        if as_json:
            print_json([facts(game) for game in listed])
        else:
            print_table(games_table(listed))
        return
    game = chosen_game(name, option)
    if as_json:
        print_json(facts(game))
    else:
        print_facts(game)


def players(game: Game) -> list[int]:
    """For how many players the game is."""
    for option in game.known_options:
        if option.name == "players":
            return list(option.allowed(game.options))
    return [game.seats]


def facts(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "credits": game.credits,
        "rules": game.rules_version,
        "players": players(game),
        "options": [option_facts(option, game) for option in game.known_options],
        "num_actions": game.num_actions,
        "actions": list(game.texts),
        "encoding": {
            "size": game.layout.size,
            "parts": [
                {"from": game.layout.start(part.name), **vars(part)} for part in game.layout.parts
            ],
        },
        "state_bytes": game.state.itemsize,
    }


def option_facts(option: Option, game: Game) -> dict[str, Any]:
    from hastilude.core.options import Counts

    described = {"name": option.name, "default": option.default, "value": game.options[option.name]}
    if isinstance(option, Counts):
        return described | {"length": len(option.default), "total": sum(option.default)}
    return described | {"allowed": option.allowed(game.options)}


def allowed_text(facts_of_option: dict[str, Any]) -> str:
    if "allowed" in facts_of_option:
        return sentence("cli_allowed", allowed=facts_of_option["allowed"])
    length, total = facts_of_option["length"], facts_of_option["total"]
    return sentence("cli_allowed_counts", length=length, total=total)


def games_table(listed: list[Game]) -> Table:
    from rich.table import Table

    table = Table("name", "game", "players", "options", "credits")
    for game in listed:
        counts = ", ".join(map(str, players(game)))
        options = ", ".join(option.name for option in game.known_options)
        table.add_row(game.name, game.title, counts, options, game.credits)
    return table


def print_facts(game: Game) -> None:
    from rich.table import Table

    known = facts(game)
    overview = Table("", "", show_header=False, box=None)
    for label, value in (
        ("game", f"{game.title} ({game.name}), rules version {game.rules_version}"),
        ("credits", game.credits),
        ("players", ", ".join(map(str, known["players"]))),
        ("actions", f"{game.num_actions}: {' '.join(game.texts)}"),
        ("encoding", f"{game.layout.size} bytes"),
        ("state", f"{game.state.itemsize} bytes"),
    ):
        overview.add_row(label, value)
    options = Table("option", "default", "allowed")
    for option in known["options"]:
        options.add_row(option["name"], str(option["default"]), allowed_text(option))
    encoding = Table("part of the encoding", "from", "size", "meaning")
    for part in known["encoding"]["parts"]:
        encoding.add_row(part["name"], str(part["from"]), str(part["size"]), part["meaning"])
    for table in (overview, options, encoding):
        print_table(table)


# --- rules --------------------------------------------------------------------------------------


@app.command(epilog="Example: hastilude rules tornei T9")
def rules(
    name: GameName,
    clause: Annotated[
        str | None, typer.Argument(metavar="[CLAUSE]", help="A clause such as T9; none: all.")
    ] = None,
    language: InLanguage = None,
) -> None:
    """The rules of a game, or one clause of them."""
    from rich.console import Console
    from rich.markdown import Markdown

    from hastilude.games import rulebook
    from hastilude.games.registry import game_class

    game_class(name)
    spoken = _language.get()
    text = (
        rulebook.clause(name, clause, spoken)
        if clause is not None
        else rulebook.rulebook(name, spoken)
    )
    console = Console()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        print(text.rstrip("\n"))


# --- simulate -----------------------------------------------------------------------------------


@app.command(epilog="Example: hastilude simulate tornei --games 100 --seed 7 --record games.jsonl")
def simulate(
    name: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B,…", help="The bots by seat; of fewer than seats the last is repeated."
        ),
    ] = "random",
    seed: Annotated[
        int | None, typer.Option(min=0, max=LAST_SEED, help="The same seed, the same matches.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the records there as JSON Lines.")
    ] = None,
    option: GameOptions = None,
    watch: Annotated[bool, typer.Option("--watch", help="Tell what happens, as it does.")] = False,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Let bots play matches, and sum up their results."""
    from hastilude.simulation import Tally, play_matches, seat_bots

    game = chosen_game(name, option)
    seated = seat_bots(game, bots.split(","))
    seed = secrets.randbelow(LAST_SEED + 1) if seed is None else seed
    teller = Teller(game, None, as_json=as_json)
    played: Iterable[Match]
    if watch:
        played = play_matches(game, seated, seed, games, teller.tell)
    else:
        played = with_progress(play_matches(game, seated, seed, games), games, game.title)
    tally = Tally(game.seats)
    keep(counted(played, tally), record)
    if as_json:
        summary = {"game": name, "options": game.options, "games": games, "seed": seed}
        print_json(summary | {"seats": tally.to_json(seated)})
        return
    if watch:
        print()
    print_table(tally_table(game, seated, tally))
    print(sentence("cli_simulated", count=games, title=game.title, seed=seed))
    if record:
        print(sentence("cli_recorded", path=str(record)))


def counted(played: Iterable[Match], tally: Tally) -> Iterator[Match]:
    for match in played:
        tally.add(match)
        yield match


def keep(played: Iterable[Match], path: Path | None) -> None:
    """Play the matches through and, if a path is given, write their records: all or none."""
    from hastilude.core.record import save_all

    if path is None:
        for _ in played:
            pass
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(21, os.strerror(21))
        save_all((match.record() for match in played), path)
    except OSError as error:
        raise RecordError.of("cli_unwritable", path=str(path), problem=error.strerror) from None


def tally_table(game: Game, seated: Sequence[str], tally: Tally) -> Table:
    from rich.table import Table

    table = Table("seat", "player", "bot")
    for heading in ("mean score", "win share"):
        table.add_column(heading, justify="right")
    for seat, (player, bot) in enumerate(zip(game.names(_language.get()), seated, strict=False)):
        score, share = tally.mean_score(seat), tally.win_share(seat)
        table.add_row(str(seat), player, bot, f"{score:.2f}", f"{share:.1%}")
    return table


# --- telling a match ----------------------------------------------------------------------------


class Teller:
    """Prints what happens in a match, as one seat (None: a spectator) may know it."""

    def __init__(
        self, game: Game, seat: int | None, names: Sequence[str] = (), as_json: bool = False
    ) -> None:
        self.seat = seat
        self.names = game.names(_language.get(), names)
        self.as_json = as_json
        self._match: Match | None = None
        self._told = 0

    def tell(self, match: Match) -> None:
        """Print what is new; of another match, everything."""
        if match is not self._match:
            self._match, self._told = match, 0
        for event in match.events(self.seat, self._told):
            self._told += 1
            print(self.line(event))

    def step(self, match: Match) -> None:
        """Print event by event, each on the Enter key."""
        for event in match.events(self.seat):
            input(self.line(event) + " ")

    def line(self, event: Event) -> str:
        if self.as_json:
            return json.dumps(event.to_json(), ensure_ascii=False)
        return render(event.message, _language.get(), self.names)


# --- replay -------------------------------------------------------------------------------------


@app.command(epilog="Example: hastilude replay games.jsonl --match 3 --seat 0")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, or many: one a line.")],
    number: Annotated[
        int | None, typer.Option("--match", min=1, help="Which match of the file; none: all.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="As this seat saw it; none: as a spectator did.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Check a record against the rules and tell what happened in it."""
    from hastilude.core.record import load_all

    if step and not sys.stdin.isatty():
        raise RecordError.of("cli_step_terminal")
    records = list(enumerate(load_all(file), start=1))
    count = len(records)
    if not records:
        raise RecordError.of("cli_no_match", path=str(file))
    if number is not None and number > count:
        raise RecordError.of("cli_match_number", path=str(file), number=number, count=count)
    for index, record in records if number is None else [records[number - 1]]:
        replay_one(record, seat, (index, count), step, as_json)


def replay_one(
    record: Record, seat: int | None, place: tuple[int, int], step: bool, as_json: bool
) -> None:
    """Nothing is told of a record that breaks the rules."""
    from hastilude.games.registry import replay as replay_record

    number, count = place
    try:
        match = replay_record(record)
        match.events(seat)
    except HastiludeError as error:
        if count == 1:
            raise
        raise RecordError.of(
            "cli_match_problem", number=number, count=count, problem=error.message
        ) from None
    teller = Teller(match.game, seat, record.names or (), as_json)
    if count > 1 and not as_json:
        print(sentence("cli_match", number=number, count=count))
    if step:
        teller.step(match)
    else:
        teller.tell(match)
    if not match.over and not as_json:
        print(sentence("cli_unfinished"))


# --- bench --------------------------------------------------------------------------------------


@app.command(epilog="Example: hastilude bench --game tornei --repeat 7")
def bench(
    game: Annotated[
        list[str] | None, typer.Option("--game", help="Only this game; repeatable.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Repetitions; medians are shown.")] = 5,
    quick: Annotated[bool, typer.Option("--quick", help="Once, and briefly.")] = False,
    compiling: Annotated[
        bool, typer.Option("--compile", help="Also the first use, with an empty cache.")
    ] = False,
    limit: Annotated[
        Path | None,
        typer.Option(metavar="FILE.c", help="A C program to measure against, named after a game."),
    ] = None,
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Measure the speed of the engine on this machine."""
    from hastilude import bench as benchmark
    from hastilude.games.registry import game_class, games

    names = tuple(game or games())
    for name in names:
        game_class(name)
    effort = benchmark.QUICK if quick else benchmark.Effort(repeat=repeat)
    plan = benchmark.plan(names, effort, compiling, limit)
    rows = [row for measure in with_progress(plan, len(plan), "bench") for row in measure()]
    if as_json:
        for row in rows:
            print_json(row.to_json())
        return
    print_table(benchmark.table(rows))
    for note in benchmark.notes(rows):
        print(render(note, _language.get()))


# --- the command itself -------------------------------------------------------------------------


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hastilude {__version__}")
        raise typer.Exit


@app.callback()
def hastilude(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; whatever the user got wrong is one sentence on stderr."""
    _language.set(language_of_environment())
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        speak_unicode()
        code = app(given or ["--help"], prog_name="hastilude", standalone_mode=False)
        sys.stdout.flush()
        return code or 0
    except HastiludeError as error:
        return refuse(render(error.message, _language.get()))
    except typer.TyperException as error:
        return refuse(" ".join(error.format_message().split()))
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nor complain at exit
        return BROKEN_PIPE


def refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return BAD_INPUT


def speak_unicode() -> None:
    """In a locale without our characters print others instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
