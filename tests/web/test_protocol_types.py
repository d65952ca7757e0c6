"""The page's types are those of the server."""

import runpy
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_types_of_the_page_are_fresh():
    types = runpy.run_path(str(WEB / "generate.py"))["types"]()
    assert (WEB / "src" / "protocol.ts").read_text("utf-8") == types, "stale: make types"
