"""The page opens in a browser."""

from playwright.sync_api import Page

from tests.server.running import Address
from tests.web.screens import snap


def test_the_page_opens(site: Address, page: Page) -> None:
    page.goto(site.url)
    page.wait_for_function("document.title === 'Hastilude'")
    snap(page, "home")


def test_what_breaks_the_security_policy_would_be_noticed(
    site: Address, page: Page, troubles: list[str]
) -> None:
    page.goto(site.url)
    page.evaluate("document.body.append(document.createElement('style'))")
    page.evaluate("document.querySelector('style').textContent = 'body { color: red }'")
    page.evaluate("document.body.innerHTML += '<b style=\"color: red\"></b>'")
    assert any("Content Security Policy" in trouble for trouble in troubles)
    troubles.clear()


def test_what_breaks_in_a_script_would_be_noticed(
    site: Address, page: Page, troubles: list[str]
) -> None:
    page.goto(site.url)
    with page.expect_event("pageerror"):
        page.evaluate("setTimeout(() => { throw new Error('broken') })")
    assert "broken" in troubles.pop()
