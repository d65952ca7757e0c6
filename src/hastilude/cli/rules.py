"""`hastilude rules`: show the rules of a game."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from typing import Annotated

import typer

from hastilude.cli.base import GameName, InLanguage, app, spoken


@app.command(epilog="Example: hastilude rules tornei T9")
def rules(
    name: GameName,
    clause: Annotated[
        str | None, typer.Argument(metavar="CLAUSE", help="A clause such as T9; by default all.")
    ] = None,
    language: InLanguage = None,
) -> None:
    """Show the rules of a game, or one clause."""
    from rich.console import Console

    from hastilude.games import rulebook
    from hastilude.games.registry import game_class
    from hastilude.terminal.markdown import Markdown, plain

    game_class(name)
    if clause is None:
        text = rulebook.rulebook(name, spoken.get())
    else:
        text = rulebook.clause(name, clause, spoken.get())
    console = Console()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        print(plain(text, console.width))
