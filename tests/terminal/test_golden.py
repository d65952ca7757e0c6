"""The main screens are as written down, and fit a terminal of 80 by 24 cells."""

import pytest
from rich.cells import cell_len

from tests.terminal.golden import FOLDER, SNAPSHOTS, path, snapshot


@pytest.mark.parametrize(("name", "language"), SNAPSHOTS)
def test_a_screen_is_as_written_down(name, language):
    seen = snapshot(name, language)
    assert len(seen) <= 24
    assert max(map(cell_len, seen)) <= 80
    written = path(name, language).read_text("utf-8").splitlines()
    assert seen == written, "`python -m tests.terminal.golden` if this is meant"


def test_every_snapshot_belongs_to_a_screen():
    assert set(FOLDER.glob("*.txt")) == {path(*one) for one in SNAPSHOTS}
