"""The client's colours can be told apart and read by everyone, in both themes.

Shapes, letters and kanji always stand beside a colour: lightness is not relied upon.
"""

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

Colour = NDArray[np.float64]  # linear RGB

WEB = Path(__file__).parents[2] / "web"
PALETTES = [WEB / "src/style/palette.css", *sorted((WEB / "src/games").glob("*/colours.css"))]
CSS = re.sub(r"/\*.*?\*/", "", "".join(map(Path.read_text, PALETTES)), flags=re.DOTALL)

SUITS = {
    "tornei": ("tornei-w", "tornei-f", "tornei-s", "tornei-c"),
    "kings_tournament": ("kings-red", "kings-blue"),
    "triatri": ("triatri-r", "triatri-b", "triatri-g", "triatri-x"),
}
EVERY_SUIT = [suit for suits in SUITS.values() for suit in suits]
GROUNDS = ("page", "surface", "raised", "sunken")

# Machado, Oliveira and Fernandes 2009, severity 1.0; they apply to linear RGB.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)  # of linear sRGB; its own white is the white of CIELAB


def declared(selector: str) -> dict[str, str]:
    """The custom properties that a selector sets."""
    return {
        name: value.strip()
        for selectors, body in re.findall(r"([^{}]+)\{([^}]*)\}", CSS)
        if selectors.strip() == selector
        for name, value in re.findall(r"--([\w-]+):([^;]+);", body)
    }


def themed(theme: int) -> dict[str, str]:
    """What `:root` sets in the light theme (0) or the dark one (1)."""
    return {
        name: re.sub(r"^light-dark\(([^,]+), ([^,]+)\)$", rf"\{theme + 1}", value)
        for name, value in declared(":root").items()
    }


LIGHT = themed(0)
DARK = themed(1)
TABLE = declared(".on-table")
CARD = declared(":root .card")

OPEN_GROUNDS = {
    "light": LIGHT,
    "dark": DARK,
    "light table": LIGHT | TABLE,
    "dark table": DARK | TABLE,
}
CARDS = {"light card": LIGHT | CARD, "dark card": DARK | CARD}
open_grounds = pytest.mark.parametrize("scope", OPEN_GROUNDS.values(), ids=OPEN_GROUNDS)
cards = pytest.mark.parametrize("scope", CARDS.values(), ids=CARDS)
everywhere = pytest.mark.parametrize(
    "scope", [*OPEN_GROUNDS.values(), *CARDS.values()], ids=[*OPEN_GROUNDS, *CARDS]
)


def colour(scope: dict[str, str], name: str) -> Colour:
    value = scope[name]
    while reference := re.fullmatch(r"var\(--([\w-]+)\)", value):
        value = scope[reference[1]]
    assert re.fullmatch("#[0-9a-f]{6}", value), f"--{name} is {value}, not six hexadecimal figures"
    encoded = np.array([int(value[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour) -> float:
    """The ratio of WCAG 2."""
    darker, lighter = sorted((float(XYZ[1] @ one), float(XYZ[1] @ other)))
    return (lighter + 0.05) / (darker + 0.05)


def lab(seen: Colour) -> Colour:
    part = XYZ @ np.clip(seen, 0, 1) / XYZ.sum(axis=1)
    x, y, z = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: Colour, other: Colour, vision: Colour) -> float:
    """CIE76."""
    return float(np.linalg.norm(lab(vision @ one) - lab(vision @ other)))


def assert_contrast(
    scope: dict[str, str], figures: list[str], grounds: tuple[str, ...], least: float
) -> None:
    weak = {
        f"{figure} on {ground}": round(ratio, 2)
        for figure, ground in product(figures, grounds)
        if (ratio := contrast(colour(scope, figure), colour(scope, ground))) < least
    }
    assert not weak


def test_measures_are_right() -> None:
    black, white, red = np.zeros(3), np.ones(3), np.array([1.0, 0.0, 0.0])
    assert contrast(black, white) == pytest.approx(21)
    assert lab(white) == pytest.approx([100, 0, 0], abs=1e-6)
    assert lab(red) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


def test_themes_differ_in_their_colours() -> None:
    changed = {name for name, value in LIGHT.items() if value != DARK[name]}
    assert {"text", *GROUNDS, *EVERY_SUIT} <= changed


@everywhere
@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("game", SUITS)
def test_suits_are_told_apart(game: str, vision: str, scope: dict[str, str]) -> None:
    distances = {
        f"{one} {other}": distance(colour(scope, one), colour(scope, other), VISIONS[vision])
        for one, other in combinations(SUITS[game], 2)
    }
    assert min(distances.values()) >= 25, distances


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("scope", [LIGHT, DARK], ids=["light", "dark"])
def test_the_lines_of_seats_are_told_apart(vision: str, scope: dict[str, str]) -> None:
    seats = [colour(scope, f"seat-{seat}") for seat in range(4)]
    assert min(distance(*two, VISIONS[vision]) for two in combinations(seats, 2)) >= 25
    assert_contrast(scope, [f"seat-{seat}" for seat in range(4)], GROUNDS[:3], 3)


@open_grounds
def test_words_are_read(scope: dict[str, str]) -> None:
    words = ["text", "muted", "accent", "gold", "good", "danger"]
    assert_contrast(scope, words, GROUNDS, 4.5)
    assert_contrast(scope, ["on-accent"], ("accent", "accent-strong"), 4.5)
    assert_contrast(scope, ["on-danger"], ("danger",), 4.5)


@open_grounds
def test_shapes_are_seen(scope: dict[str, str]) -> None:
    assert_contrast(scope, ["edge", "focus", "lift", *EVERY_SUIT], GROUNDS[:3], 3)


@cards
def test_cards_are_read(scope: dict[str, str]) -> None:
    assert_contrast(scope, ["ink", "ink-muted", *EVERY_SUIT], ("stock",), 4.5)
    assert_contrast(scope, ["stock-edge"], ("stock",), 3)


@cards
def test_lowered_cards_are_read(scope: dict[str, str]) -> None:
    assert_contrast(scope, ["ink-muted"], ("stock-dim",), 4.5)
    assert_contrast(scope, EVERY_SUIT, ("stock-dim",), 3)


@cards
def test_backs_are_seen(scope: dict[str, str]) -> None:
    backs = ("tornei-back", "triatri-back", "kings-red", "kings-blue")
    assert_contrast(scope, ["back-line"], backs, 3)


@open_grounds
def test_gems_and_knights_stand_out_by_fill_or_rim(scope: dict[str, str]) -> None:
    inks = [f"{suit}-ink" for suit in (*SUITS["kings_tournament"], *SUITS["triatri"][:3])]
    for fill, ground in product(inks, GROUNDS[:3]):
        below = colour(scope, ground)
        assert max(contrast(colour(scope, part), below) for part in (fill, "stock")) >= 3, fill
        assert contrast(colour(scope, fill), colour(scope, "stock")) >= 3, fill


SOURCES = {
    path.relative_to(WEB / "src").as_posix(): path.read_text()
    for path in sorted((WEB / "src").rglob("*"))
    if path.suffix in (".svelte", ".css")
}
PROPERTIES = {name for text in SOURCES.values() for name in re.findall(r"--([\w-]+)[:=]", text)}


@pytest.mark.parametrize("source", SOURCES)
def test_every_property_is_set_somewhere(source: str) -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", SOURCES[source]))
    assert used <= PROPERTIES


@pytest.mark.parametrize("source", [name for name in SOURCES if WEB / "src" / name not in PALETTES])
def test_every_colour_comes_from_the_palette(source: str) -> None:
    own = re.findall(
        r"""(?:[:,(] *|=")(?:#[0-9a-fA-F]{3,8}\b|(?:rgb|hsl|ok)\w*\()""", SOURCES[source]
    )
    assert not own
