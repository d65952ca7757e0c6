"""Draws the icons of the page, the picture that a pasted link shows, and those of the README:
`make pictures`.

The first two are in web/public, because browsers and chat programs want PNG files, and because
building the page needs no browser. Everything in them is drawn from our own SVG files and
components.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hastilude.server.previews import HEIGHT, WIDTH
from tests.server.running import GENEROUS, Address, in_thread
from tests.web import chromium, positions

ROOT = Path(__file__).parents[2]
PUBLIC = ROOT / "web" / "public"
README = ROOT / "docs" / "pictures"
DESK = {"width": 1280, "height": 800}
# Tables in the README, and the moment to be seen.
TABLES: dict[str, tuple[Callable[[Address, Page], Iterator[str]], str]] = {
    "tornei": (lambda site, page: positions.tornei(site, page, players=4, seed=0), "play"),
    "kings_tournament": (positions.kings_tournament, "mounted"),
    "triatri": (
        lambda site, page: positions.triatri(site, page, players=4, seed=34),
        "exchange",
    ),
}
GROUND = "#1d4638"  # of icon.svg
# How much of its file an icon fills. A system may cut a maskable icon to a circle.
ICONS = {
    "icon-192.png": (192, 1.0, "none"),
    "icon-512.png": (512, 1.0, "none"),
    "icon-maskable.png": (512, 0.64, GROUND),
    "apple-touch-icon.png": (180, 0.92, GROUND),
}
# The first game's picture is large, the others are beside it.
LAYOUT = """() => {
  const pictures = [...document.querySelectorAll("article .picture")];
  const icon = Object.assign(new Image(), { src: "/icon.svg" });
  const name = Object.assign(document.createElement("b"), { textContent: "Hastilude" });
  const head = document.createElement("div");
  head.append(icon, name);
  document.body.replaceChildren(head, ...pictures);
  const style = (elements, text) => elements.forEach((one) => (one.style.cssText = text));
  style([document.body], "margin:0;padding:0 20px;box-sizing:border-box;height:630px;display:grid;"
    + "grid-template:164px 213px 213px/776px 376px;gap:10px 8px;background:var(--page)");
  style([head], "grid-column:span 2;display:flex;gap:28px;align-items:center");
  style([icon], "height:112px");
  style([name], "font:700 92px/1 var(--serif);color:var(--text)");
  style(pictures, "border-radius:16px;overflow:hidden;aspect-ratio:auto");
  pictures[0].style.gridRow = "span 2";
  return icon.decode();
}"""


def draw_icon(browser: Browser, size: int, filled: float, ground: str) -> bytes:
    page = browser.new_page(viewport={"width": size, "height": size})
    inset = (1 - filled) / 2 * size
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    page.set_content(
        f"<style>body {{ margin: 0; padding: {inset}px; background: {ground} }}"
        f" svg {{ display: block; width: {filled * size}px }}</style>{drawing}"
    )
    return page.screenshot(omit_background=True)


def draw_preview(browser: Browser, site: Address) -> bytes:
    page = browser.new_page(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", locale="en-GB"
    )
    page.goto(site.url)
    expect(page.get_by_role("article").first).to_be_visible()
    page.evaluate(LAYOUT)
    return page.screenshot()


def draw_table(browser: Browser, site: Address, game: str) -> bytes:
    """A table in the middle of a match. That its deals were written is not worth a picture."""
    page = browser.new_page(
        viewport=DESK, color_scheme="light", locale="en-GB", reduced_motion="reduce"
    )
    positions.prepare(page)
    walk, wanted = TABLES[game]
    next(moment for moment in walk(site, page) if wanted in moment)
    page.locator(".scripted").evaluate("(line) => line.remove()")
    return page.screenshot()


@contextmanager
def serving() -> Iterator[Address]:
    with (
        tempfile.TemporaryDirectory() as folder,
        in_thread(replace(GENEROUS, database=f"{folder}/tables.db")) as site,
    ):
        yield site


def with_few_colours(png: bytes) -> bytes:
    """The same picture with a palette, which makes the file much smaller."""
    picture = Image.open(BytesIO(png))
    if picture.mode == "RGBA":
        picture = picture.quantize(128, dither=Image.Dither.NONE)
    else:  # this method keeps rare colours too, but no transparency
        method = Image.Quantize.MAXCOVERAGE
        picture = picture.quantize(256, method, kmeans=2, dither=Image.Dither.NONE)
    smaller = BytesIO()
    picture.save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def main() -> None:
    path = chromium.find()
    assert path, chromium.MISSING
    with sync_playwright() as playwright, serving() as site:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        for game in TABLES:
            (README / f"{game}.png").write_bytes(with_few_colours(draw_table(browser, site, game)))
        for name, (size, filled, ground) in ICONS.items():
            (PUBLIC / name).write_bytes(with_few_colours(draw_icon(browser, size, filled, ground)))
        (PUBLIC / "preview.png").write_bytes(with_few_colours(draw_preview(browser, site)))


if __name__ == "__main__":
    main()
