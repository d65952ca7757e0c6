from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hastilude.prepare import prepare
from hastilude.server import alarm
from tests.server import postgres as real
from tests.server.running import GENEROUS, Address, Clockwork, in_thread


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """Compile first: a server that compiles while it serves would keep its clients waiting."""
    prepare(lambda: None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[real.Postgres]:
    """This test process's own PostgreSQL, which tests may stop and start."""
    with ExitStack() as running:
        try:
            server = running.enter_context(real.running())
        except Exception as error:  # for example, there is no user to run it
            pytest.skip(f"NOTHING ABOUT POSTGRESQL IS TESTED, it cannot be started here: {error}")
        yield server


@pytest.fixture
def shared(postgres: real.Postgres) -> str:
    """The address of an empty PostgreSQL database."""
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    shared: str = request.getfixturevalue("shared")
    return shared


@pytest.fixture
def pair(shared: str) -> Iterator[tuple[Address, Address]]:
    """Two servers on one PostgreSQL."""
    settings = replace(GENEROUS, database=shared)
    with in_thread(settings) as one, in_thread(settings) as other:
        yield one, other


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Address]:
    """A separate server for one test, without limits, and with bots that answer at once."""
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db"))) as address:
        yield address


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server for all tests of a module, each with its own tables."""
    database = tmp_path_factory.mktemp("hall") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        yield address


@dataclass
class Timed(Address):
    """A server whose time the test controls."""

    time: Clockwork


@pytest.fixture
def timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Timed]:
    """A server whose time the test controls; it checks the time continuously."""
    monkeypatch.setattr(alarm, "ALARM_SECONDS", 0.01)
    time = Clockwork()
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db")), time) as address:
        yield Timed(address.url, time)
