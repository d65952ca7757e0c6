"""What the page weighs."""

from playwright.sync_api import Page, Response

from tests.server.running import Address

MOST = 80_000  # bytes, as they are sent


def test_the_first_load_is_light(site: Address, page: Page) -> None:
    answers: dict[str, Response] = {}
    page.on("response", lambda answer: answers.update({answer.url: answer}))
    page.goto(site.url, wait_until="networkidle")
    weights = {
        url.removeprefix(site.url): answer.request.sizes()["responseBodySize"]
        for url, answer in answers.items()
        if not url.startswith(f"{site.url}/api/")
    }
    assert "/" in weights
    assert any(path.endswith(".js") for path in weights)
    assert sum(weights.values()) < MOST, weights
