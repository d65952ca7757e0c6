from dataclasses import replace

import pytest

from hastilude.prepare import prepare
from hastilude.terminal.seats import Seats
from tests.server.running import GENEROUS, in_thread


@pytest.fixture(scope="session")
def prepared():
    """Compile first: a server that compiles while it serves would keep its clients waiting."""
    prepare(lambda: None)


@pytest.fixture(scope="module")
def hall(prepared, tmp_path_factory):
    database = tmp_path_factory.mktemp("hall") / "tables.db"
    with in_thread(replace(GENEROUS, database=str(database))) as address:
        yield address


@pytest.fixture
def seats(tmp_path):
    return Seats(tmp_path / "config" / "seats")
