"""Copies the database while the server runs, with everything acknowledged before the start."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hastilude.core.errors import OptionError
from hastilude.core.files import replacing
from hastilude.server.settings import is_postgres, sqlite_file


def backup(database: str, target: Path, overwrite: bool = False) -> int:
    """Write the copy, completely or not at all; returns how many tables it has."""
    if is_postgres(database):
        raise OptionError.of("backup_postgres")
    source = sqlite_file(database)
    if not source.is_file():
        raise OptionError.of("backup_no_database", database=database)
    if target.exists() and source.samefile(target):
        raise OptionError.of("backup_onto_itself", path=str(target))
    if target.exists() and not overwrite:
        raise OptionError.of("backup_exists", path=str(target))
    try:
        with replacing(target, private=True) as draft:  # it contains everybody's cards
            return _copy(source, draft)
    except OSError as error:
        problem = error.strerror
        raise OptionError.of("cli_unwritable", path=str(target), problem=problem) from None
    except sqlite3.Error as error:
        raise OptionError.of("store_unusable", database=database, problem=str(error)) from None


def _copy(source: Path, target: Path) -> int:
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)  # in one step, so the copy is consistent; it does not block a writer
        copy.execute(
            "PRAGMA journal_mode=DELETE"
        ).close()  # a single file, without a journal beside it
        (tables,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    return int(tables)
