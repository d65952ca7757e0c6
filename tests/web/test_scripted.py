"""A table whose deals were written in advance says so, wherever its facts are shown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from hastilude.messages import catalogue
from tests.server.running import Address, play_out
from tests.web.axe import serious
from tests.web.screens import snap
from tests.web.test_kings_tournament import SCRIPT

OpenPage = Callable[..., Page]


def scripted_table(site: Address) -> str:
    wanted = {"seats": [None, "script"], "options": {"best_of": 1}, "script": SCRIPT}
    code: str = site.open_table(**wanted)["code"]
    return code


@pytest.mark.parametrize("language", ["en", "ja"])
def test_before_sitting_down_at_the_table_and_where_shuffles_are_checked(
    site: Address, open_page: OpenPage, language: str
) -> None:
    words = catalogue(language)
    said = words["terminal_scripted"]
    page = open_page(locale=language)
    code = scripted_table(site)
    page.goto(f"{site.url}/t/{code}")
    expect(page.get_by_text(said)).to_be_visible()
    assert serious(page) == []
    snap(page, f"scripted-join-{language}")

    page.get_by_role("button", name=words["web_sit_down"]).click()
    expect(page.get_by_text(words["web_scripted"])).to_be_visible()
    assert serious(page) == []
    snap(page, f"scripted-table-{language}")
    page.get_by_role("button", name=words["web_menu"]).click()
    expect(page.get_by_role("dialog").get_by_text(said)).to_be_visible()
    assert serious(page) == []
    snap(page, f"scripted-menu-{language}")
    seat = page.evaluate("JSON.parse(localStorage['hastilude:seats'])[0]")
    assert "seeds" not in seat  # nothing was promised

    play_out([site.client(code, seat["token"])])
    page.goto(f"{site.url}/t/{code}/1")
    page.get_by_role("button", name=words["web_menu"]).click()
    expect(page.get_by_role("dialog").get_by_text(said)).to_be_visible()
    expect(page.get_by_role("button", name=words["web_shuffles_check"])).to_have_count(0)
    page.get_by_text(said).scroll_into_view_if_needed()
    snap(page, f"scripted-replay-{language}")


def test_a_fair_table_says_nothing_of_it(site: Address, page: Page) -> None:
    code = site.open_table(seats=[None, "page"])["code"]
    page.goto(f"{site.url}/t/{code}")
    sit = page.get_by_role("button", name=catalogue("en")["web_sit_down"])
    expect(sit).to_be_visible()
    expect(page.get_by_text(catalogue("en")["terminal_scripted"])).to_have_count(0)
    sit.click()
    expect(page.locator("[data-region=hand] button").first).to_be_visible()
    expect(page.get_by_text(catalogue("en")["web_scripted"])).to_have_count(0)
