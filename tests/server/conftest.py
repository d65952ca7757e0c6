from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hastilude.prepare import prepare
from hastilude.server import live
from tests.server.running import GENEROUS, Address, Clockwork, in_thread


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """A server that compiles while it serves would keep its clients waiting."""
    prepare(lambda: None)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Address]:
    """A server of its own for a test, with no limits in the way and bots that answer at once."""
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db"))) as address:
        yield address


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The same for all tests of a module, each at tables of its own."""
    database = tmp_path_factory.mktemp("hall") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        yield address


@dataclass
class Timed(Address):
    """A server whose time the test moves."""

    time: Clockwork


@pytest.fixture
def timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Timed]:
    """The same, with a time that the test moves; the server looks at it all the time."""
    monkeypatch.setattr(live, "ALARM_SECONDS", 0.01)
    time = Clockwork()
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db")), time) as address:
        yield Timed(address.url, time)
