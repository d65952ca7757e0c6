"""What axe-core has to say against a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

STILL = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def serious(page: Page) -> list[str]:
    """What axe finds to be serious or critical."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    page.wait_for_function(STILL)  # what is still changing its colour is pale
    found: dict[str, Any] = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {node['html']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
