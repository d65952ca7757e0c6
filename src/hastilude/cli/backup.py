"""`hastilude backup`: copy the server's database."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hastilude.cli.base import InLanguage, app, sentence


@app.command(epilog="Example: hastilude backup tables-monday.db --database hastilude.db")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write.")],
    database: Annotated[
        str, typer.Option(metavar="FILE", help="The server's SQLite file, also as sqlite:///FILE.")
    ] = "hastilude.db",
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    language: InLanguage = None,
) -> None:
    """Copy the server's tables to a file, even while it runs."""
    from hastilude.server.backup import backup as copy

    tables = copy(database, file, overwrite=force)
    print(sentence("backup_done", path=str(file), count=tables))
