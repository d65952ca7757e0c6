"""A game made from the template can be played in the browser, with the template's drawing."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import fourth_game
from tests.server.running import process
from tests.web.screens import snap


def test_a_match_against_a_bot(tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = fourth_game.make(tmp_path)
    (tmp_path / "web/node_modules").symlink_to(fourth_game.ROOT / "web/node_modules")
    build = [sys.executable, "hatch_build.py"]
    subprocess.run(build, cwd=tmp_path, env=environment, check=True)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # quicker than compiling so small a game
    with process(tmp_path / "tables.db") as server:
        page.goto(server.address.url)
        page.get_by_role("article", name="Tiny").get_by_role("link", name="Play").click()
        page.get_by_role("button", name="Play", exact=True).click()
        playable = page.locator(".hand li:not([inert]) .playable")
        for left in (2, 1):
            expect(playable).to_have_count(left)
            playable.first.click()
            snap(page, f"fourth-game-{left}")
            page.locator(".drawing .primary").click()
        page.get_by_role("button", name="Tap to go on").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        snap(page, "fourth-game-over")
        page.close()  # it would miss its server
