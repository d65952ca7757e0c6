"""The `hastilude` command: one module per command.

These modules import nothing heavy: importing the compiler takes longer than `hastilude --help`
should take to answer. Each command imports what it needs when it runs.
"""

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from hastilude import __version__
from hastilude.cli import (  # noqa: F401  # importing them registers their commands
    arena,
    backup,
    bench,
    describe,
    exploit,
    join,
    lab,
    learn,
    play,
    puzzle,
    puzzles,
    replay,
    review,
    rules,
    serve,
    simulate,
    train,
    verify,
)
from hastilude.cli.base import Command, app, language_of_environment, say, spoken
from hastilude.core.errors import HastiludeError
from hastilude.messages import visible

for _command in app.registered_commands:
    _command.cls = Command

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 1  # the exit code that rich uses


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hastilude {__version__}")
        raise typer.Exit


@app.callback()
def hastilude(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; a user's mistake is reported as one sentence on stderr."""
    spoken.set(language_of_environment())
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        speak_unicode()
        code = app(given or ["--help"], prog_name="hastilude", standalone_mode=False)
        sys.stdout.flush()
        return code or 0
    except HastiludeError as error:
        return refuse(say(error.message))
    except typer.TyperException as error:
        return refuse(" ".join(error.format_message().split()))
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # no error at exit either
        return BROKEN_PIPE


def refuse(reason: str) -> int:
    print(visible(reason), file=sys.stderr)
    return BAD_INPUT


def speak_unicode() -> None:
    """Print replacements for characters that the locale cannot print, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
