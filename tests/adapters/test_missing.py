"""Without the extra the adapters say what to install, and nothing else needs it."""

import subprocess
import sys

import pytest

HIDE = """
import sys
sys.modules[{library!r}] = None  # as if it were not installed
import hastilude
hastilude.load("tornei")
try:
    import hastilude.adapters.{module}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "library"),
    [
        ("pettingzoo", "pettingzoo"),
        ("pettingzoo", "gymnasium"),
        ("gymnasium", "gymnasium"),
        ("open_spiel", "pyspiel"),
    ],
)
def test_a_missing_library_is_reported_with_the_install_line(module, library):
    ran = subprocess.run(
        [sys.executable, "-c", HIDE.format(module=module, library=library)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout == f"{library} is not installed. Run: pip install 'hastilude[research]'.\n"
