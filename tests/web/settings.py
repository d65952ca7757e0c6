"""The settings that a browser remembers."""

import json

from playwright.sync_api import Page


def remember(page: Page, **settings: str | bool) -> None:
    """Settings for a page that is not open yet: English and no pauses, unless told otherwise.
    What the page changes later is kept."""
    kept = json.dumps(json.dumps({"language": "en", "pace": "instant", **settings}))
    page.add_init_script(f"localStorage['hastilude:settings'] ??= {kept}")
