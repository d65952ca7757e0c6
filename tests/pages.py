"""Runs the examples in Markdown pages."""

import doctest
import re
from pathlib import Path


def run_examples(path: Path) -> None:
    """Run the page's `>>>` lines as one session; the output must match the page."""
    text = re.sub(r"^```.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    session = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert session.examples
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(session, out=said.append)
    assert not said, "".join(said)
