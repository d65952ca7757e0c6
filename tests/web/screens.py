"""Takes screenshots, for people to look at."""

from pathlib import Path

from playwright.sync_api import Page

FOLDER = Path(__file__).parents[2] / "build" / "screens"


def snap(page: Page, name: str) -> None:
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
