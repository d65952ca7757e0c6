import os
from collections import Counter
from typing import Any

import hypothesis
import pytest

from hastilude.prepare import compile_new
from tests.scheduling import Scheduling

# The first example of a test may have to compile a kernel, so there is no deadline.
hypothesis.settings.register_profile("hastilude", deadline=None, derandomize=True)
hypothesis.settings.load_profile("hastilude")


def pytest_configure(config: pytest.Config) -> None:
    """Compile with all cores before several test processes would compile the same."""
    if config.getoption("numprocesses", None):
        compile_new(lambda: print("Compiling the games.", flush=True))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests often wait for a browser, a server or a timer."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    return Scheduling(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report what this machine cannot test."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, tests in reasons.items():
        if reason.startswith("NOTHING"):
            terminalreporter.write_line(f"{reason} ({tests} tests skipped).", yellow=True)
