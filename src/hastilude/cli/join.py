"""`hastilude join`: join a table on a server."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hastilude.cli.base import (
    InLanguage,
    InTheme,
    Plain,
    Theme,
    app,
    is_terminal,
    say,
    sentence,
    spoken,
)
from hastilude.core.errors import OptionError
from hastilude.core.names import clean_name
from hastilude.messages import Message

if TYPE_CHECKING:
    from hastilude.terminal.app import JoinedApp
    from hastilude.terminal.joining import Joining


@app.command(
    epilog="Example: hastilude join https://host/t/code --name Ada\n\n"
    "To watch: hastilude join https://host/t/code --watch\n\n"
    "To play in the next match: hastilude join https://host/t/code --name Ada --wait"
)
def join(
    link: Annotated[
        str, typer.Argument(metavar="LINK", help="Link of a table, or the private link of a seat.")
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Your name at the table; prompted if omitted."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch without taking a seat.")] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="If all seats are taken, watch and wait for one.")
    ] = False,
    plain: Plain = False,
    theme: InTheme = Theme.dark,
    language: InLanguage = None,
) -> None:
    """Join a table on a server. Run it again to return to your seat."""
    from hastilude.terminal.joining import Joining, read_link

    table = read_link(link)
    if watch and (name is not None or table.token or wait):
        raise OptionError.of("join_watch_or_seat")
    name = None if name is None else clean_name(name)
    joining = Joining(table, name, watch, wait, spoken.get())
    if plain or not is_terminal():
        join_plain(joining)
    else:
        join_drawn(joining, theme.value)


def join_plain(joining: Joining) -> None:
    import asyncio

    from hastilude.terminal.dialogues import joined_dialogues

    asyncio.run(joined_dialogues(joining))


def join_drawn(joining: Joining, theme: str) -> None:
    import asyncio

    table_app = asyncio.run(_drawn(joining, theme))
    if table_app.return_value:
        raise table_app.return_value
    if table_app.connection.seat is not None:
        print(sentence("join_seat_kept"))


async def _drawn(joining: Joining, theme: str) -> JoinedApp:
    from hastilude.terminal.app import JoinedApp

    connection = await joining.arrive(_ask_name)
    try:
        table_app = JoinedApp(connection, joining.language, theme)
        await table_app.run_async()
        return table_app
    finally:
        await connection.close()


async def _ask_name(problem: Message | None) -> str:
    """Ask for a name, before anything is drawn."""
    print(say(problem or Message("join_name")))
    try:
        return input("> ")
    except EOFError:
        raise typer.Abort from None
