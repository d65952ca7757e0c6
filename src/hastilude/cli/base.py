"""What the commands share: the application, arguments, language and printing."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from hastilude.core.errors import OptionError
from hastilude.messages import LANGUAGES, Message, render, visible

if TYPE_CHECKING:
    from rich.table import Table

    from hastilude.core.game import Game
    from hastilude.workers import Workers

PACE_SECONDS = 600  # the time left is estimated from the pace of this time
THOUSAND = 1000

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # importing rich would make --help take twice as long
    help="Card games on one compiled engine: play them, host them, measure them, train on them.",
    epilog="Example: hastilude simulate tornei --games 1 --watch",
)


# What click adds to an option's help: a range such as "x>=1", and parentheses around a default.
_RANGE = re.compile(r"(?:; |\s*\[)[-\d<=]*x[-\d<>=]*\]")
_PARENTHESES = re.compile(r"\[default: \((.*)\)")
RAY = "--ray"
_ADDRESS = re.compile(r"[^-].*:\d+")  # only this is taken for the value of --ray


def _with_values(words: Sequence[str]) -> Iterator[str]:
    """The words with an empty address where `--ray` has none: no option of Typer may lack one."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        alone = word == RAY and not _ADDRESS.fullmatch(following)
        yield f"{RAY}=" if alone else word


class Command(TyperCommand):
    """A command whose help has no Python types and ranges, and whose summary is never cut."""

    def get_short_help_str(self, limit: int = sys.maxsize) -> str:
        return super().get_short_help_str(sys.maxsize)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_with_values(args)))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Leave out the types and ranges that Typer writes, such as GAME <str>."""
        parts: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            name, about = parameter.get_help_record(ctx) or ("", "")
            if parameter.param_type_name == "argument":
                name = name.partition(" ")[0]
            about = _PARENTHESES.sub(r"[default: \1", about)
            about = _RANGE.sub(lambda found: "]" if ";" in found[0] else "", about)
            parts[parameter.param_type_name].append((name, about))
        for heading, rows in parts.items():
            if rows:
                with formatter.section(f"{heading.capitalize()}s"):
                    formatter.write_dl(rows)


spoken: ContextVar[str] = ContextVar("spoken", default="en")


class Language(StrEnum):
    en = "en"
    ja = "ja"


class Theme(StrEnum):
    dark = "dark"
    light = "light"


def language_of_environment() -> str:
    """The language of the user's locale, if there is a catalogue for it."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = locale.partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else "en"


def _choose_language(chosen: Language | None) -> None:
    if chosen:
        spoken.set(chosen.value)


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; see `hastilude describe`.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Game option; can be repeated."),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, metavar="N", help="Number of processes; by default one per core."
    ),
]
OnRay = Annotated[
    str | None,
    typer.Option(
        RAY,
        metavar="[HOST:PORT]",
        help="Use the processes of a Ray cluster; see docs/cluster.md. Without an address it is "
        "the cluster in RAY_ADDRESS, or a new one on this machine alone.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
InLanguage = Annotated[
    Language | None,
    typer.Option(
        "--language",
        metavar="en|ja",
        callback=_choose_language,
        is_eager=True,
        help="Language of the output; by default from LC_ALL or LANG.",
    ),
]

Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Print text instead of drawing a table, for screen readers and pipes.",
    ),
]
InTheme = Annotated[
    Theme, typer.Option("--theme", metavar="dark|light", help="Colours of the drawn table.")
]


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def say(message: Message, names: Sequence[str] = (), reader: int | None = None) -> str:
    """The message in the chosen language."""
    return render(message, spoken.get(), names, reader)


def sentence(key: str, **values: Any) -> str:
    return say(Message(key, values))


def chosen_game(name: str, options: Sequence[str] | None) -> Game:
    """The game with options that were given as name=value."""
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


@contextmanager
def chosen_workers(count: int | None, ray: str | None) -> Iterator[Workers]:
    """The workers that `--workers` and `--ray` ask for, until the end of the `with` block."""
    if ray is None:
        from hastilude.workers import Local

        yield Local(count)
    else:
        from hastilude.workers.cluster import Cluster

        with Cluster(ray or None, count) as cluster:
            yield cluster


def json_line(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False))


def print_json(value: Any) -> None:
    print(json_line(value))


def print_table(table: Table) -> None:
    """Print a table; text that is too wide for its column wraps."""
    from rich.console import Console

    for column in table.columns:
        column.overflow = "fold"
    Console().print(table)


def with_progress(items: Iterable[Any], total: int, doing: str) -> Iterator[Any]:
    """Pass on the items, with a progress bar if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    progress = Progress(
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=PACE_SECONDS,
    )
    with progress:
        yield from progress.track(items, total, description=doing)


def thousandths(parts: Iterable[float]) -> Iterator[int]:
    """An item for each thousandth that is done, given again and again what is, from 0 to 1."""
    shown = 0
    for part in parts:
        yield from range(shown, int(THOUSAND * part))
        shown = int(THOUSAND * part)


def check_hours(hours: float | None) -> None:
    if hours is not None and not 0 < hours < math.inf:
        raise OptionError.of("cli_hours", hours=f"{hours:g}")
