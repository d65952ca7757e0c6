from collections import Counter

import hypothesis
import pytest

# The first example of a test may have to compile a kernel, so there is no deadline.
hypothesis.settings.register_profile("hastilude", deadline=None, derandomize=True)
hypothesis.settings.load_profile("hastilude")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report what this machine cannot test."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, tests in reasons.items():
        if reason.startswith("NOTHING"):
            terminalreporter.write_line(f"{reason} ({tests} tests skipped).", yellow=True)
