from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.running import GENEROUS, Address, in_thread


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Address]:
    """A server of its own for a test, with no limits in the way and bots that answer at once."""
    with in_thread(replace(GENEROUS, database=str(tmp_path / "tables.db"))) as address:
        yield address
