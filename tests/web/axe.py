"""Accessibility problems of a page, found by axe-core."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

STILL = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def serious(page: Page) -> list[str]:
    """The problems that axe rates as serious or critical."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    page.wait_for_function(STILL)  # during a transition, colours have too little contrast
    found: dict[str, Any] = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{problem['id']}: {node['html']}"
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
        for node in problem["nodes"]
    ]
