"""The form of the database: made by migrations, kept by newer versions, never half made."""

import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from hastilude.core.errors import OptionError
from hastilude.server import schema
from hastilude.server.store import Store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def migrate(database: Path) -> None:
    store = Store(str(database))
    try:
        store.migrate()
    finally:
        store.close()


def tables_in(database: Path) -> set[str]:
    engine = sa.create_engine(f"sqlite:///{database}")
    names = set(sa.inspect(engine).get_table_names())
    engine.dispose()
    return names


def test_migrations_make_what_the_schema_says(database: Path) -> None:
    migrate(database)
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    engine.dispose()
    assert tables_in(database) == {*schema.metadata.tables, "alembic_version"}


def test_a_database_in_the_present_form_stays_as_it_is(database: Path) -> None:
    migrate(database)
    row = {"id": 1, "beat": 5, "outage": 7}
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        connection.execute(sa.insert(schema.service), row)
    migrate(database)
    with engine.connect() as connection:
        assert connection.execute(sa.select(schema.service)).mappings().all() == [row]
    engine.dispose()


def test_a_database_of_a_newer_version_is_refused(database: Path) -> None:
    migrate(database)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(OptionError, match="newer version of Hastilude"):
        migrate(database)


def test_a_migration_that_fails_leaves_nothing_behind(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE presence (of_something_else)")
    connection.close()
    with pytest.raises(OptionError, match="already exists"):
        migrate(database)
    assert tables_in(database) == {"presence"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_tables_of_the_first_form_are_kept(
    kind: str, database: Path, request: pytest.FixtureRequest
) -> None:
    """When somebody was last there is read from the log, and so is whether a table is scripted."""
    store = Store(str(database) if kind == "sqlite" else request.getfixturevalue("shared"))
    with store.engine.begin() as connection:
        upgrade(connection, "0001")
        for code, script in (("plain", "null"), ("taught", '{"chance":[],"plays":[]}')):
            table = {"code": code, "game": "tornei", "phase": "playing", "watch": "link"}
            table |= {"people": 1, "free": 3, "opened_at": 100}
            insert(connection, "tables", table)
            for version, at, entry in (
                (1, 100, f'{{"kind":"opened","script":{script}}}'),
                (2, 200, '{"kind":"sat","name":"\\"script\\":{"}'),
            ):
                row = {"code": code, "version": version, "at": at, "entry": entry, "nonce": "n"}
                insert(connection, "log", row | {"seat": 0, "move": f"1/{version}"})
    store.migrate()
    tables = schema.tables.c
    found = sa.select(tables.code, tables.seen_at, tables.scripted).order_by(tables.code)
    log = schema.log.c
    kept = sa.select(log.code, log.version, log.at, log.nonce).order_by(log.code, log.version)
    with store.engine.connect() as connection:
        rows, entries = connection.execute(found).all(), connection.execute(kept).all()
    store.close()
    assert rows == [("plain", 200, False), ("taught", 200, True)]
    assert entries == [(code, n, 100 * n, "n") for code in ("plain", "taught") for n in (1, 2)]


def upgrade(connection: sa.Connection, revision: str) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("hastilude.server") / "migrations"))
    command.upgrade(config, revision)


def insert(connection: sa.Connection, table: str, row: dict[str, object]) -> None:
    """By name: the schema of today does not fit a database of then."""
    columns = [sa.column(name) for name in row]
    connection.execute(sa.insert(sa.table(table, *columns)), row)
