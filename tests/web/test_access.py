"""axe-core finds nothing serious on any screen around the games."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Address
from tests.web.axe import serious
from tests.web.test_lobby import DESKTOP, OpenPage, seated

PHONE = {"width": 360, "height": 640}


def home(page: Page, site: Address) -> None:
    seated(site, watch="anyone")
    page.goto(site.url)
    expect(page.get_by_role("article").first).to_be_visible()


def settings(page: Page, site: Address) -> None:
    home(page, site)
    page.locator("header button.icon").click()


def new_table(page: Page, site: Address) -> None:
    page.goto(f"{site.url}/play/kings_tournament")
    folded = page.locator("summary")
    expect(folded).to_have_count(2)  # more options, variants
    for summary in folded.all():
        summary.click()


def rules(page: Page, site: Address) -> None:
    page.goto(f"{site.url}/rules/triatri#A3")
    expect(page.locator("#A3")).to_be_visible()


def known(page: Page, site: Address) -> None:
    page.goto(f"{site.url}/rules/triatri")
    page.locator('a[href^="/known.html"]').click()
    expect(page.get_by_role("heading", name="TriATri", exact=True)).to_be_in_viewport()


def gathering(page: Page, site: Address) -> None:
    page.goto(seated(site)[1])
    expect(page.locator(".gathering")).to_be_visible()


def sit_down(page: Page, site: Address) -> None:
    page.goto(f"{site.url}/t/{seated(site)[0]}")
    expect(page.locator("form")).to_be_visible()


def table_menu(page: Page, site: Address) -> None:
    gathering(page, site)
    page.keyboard.press("m")
    expect(page.get_by_role("dialog")).to_be_visible()


def unknown(page: Page, site: Address) -> None:
    page.goto(f"{site.url}/play/chess")
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "screen", [home, settings, new_table, rules, known, gathering, sit_down, table_menu, unknown]
)
def test_nothing_serious(
    site: Address,
    open_page: OpenPage,
    screen: Callable[[Page, Address], None],
    scheme: str,
) -> None:
    # Without motion, lest axe measures colours of a dialog that is still fading in.
    page = open_page(
        color_scheme=scheme,
        reduced_motion="reduce",
        locale="ja-JP" if scheme == "dark" else "en-GB",
        viewport=DESKTOP if scheme == "dark" else PHONE,
    )
    screen(page, site)
    assert serious(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
