"""The graph of a review as SVG: every seat's chance to win, over the whole match."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hastilude.core.markup import Markup, element, joined
from hastilude.core.match import Dealt, Match
from hastilude.reviews.judging import Label
from hastilude.reviews.review import Point, Review

WIDTH, HEIGHT = 400, 210
LEFT, RIGHT, TOP, BOTTOM = 36, 394, 8, 202  # of the graph in the picture
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
COLOURS = 6  # seats beyond them have the colours of the first ones


class Mark(NamedTuple):
    """A decision in the graph: its label, its text, and the element that says more."""

    step: int
    label: Label
    text: str
    target: str


class Chart:
    """Draws the graph of a review. `open_points` are the chances with all cards open."""

    def __init__(self, match: Match, review: Review, open_points: Sequence[Point]) -> None:
        self._match = match
        self._review = review
        self._open = open_points

    def svg(self, title: str, marks: Iterable[Mark]) -> Markup:
        return element(
            "svg",
            element("title", title),
            self._grid(),
            self._deals(),
            self._band(),
            element("g", *self._lines(self._open), class_="open"),
            *self._lines(self._review.graph),
            *map(self._mark, marks),
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            class_="graph",
        )

    def _x(self, step: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * step / len(self._match.steps), 1)

    def _grid(self) -> Markup:
        lines = (
            joined(
                element("path", d=f"M{LEFT} {y(chance)}H{RIGHT}"),
                element("text", f"{chance:.0%}", x=LEFT - 4, y=y(chance), dy="0.35em"),
            )
            for chance in GRID
        )
        return element("g", *lines, class_="grid")

    def _deals(self) -> Markup:
        """Where cards are dealt after the first deal; events in a row are one deal."""
        steps = self._match.steps
        starts = (
            number
            for number in range(1, len(steps))
            if isinstance(steps[number], Dealt) and not isinstance(steps[number - 1], Dealt)
        )
        path = "".join(f"M{self._x(step)} {TOP}V{BOTTOM}" for step in starts)
        return element("path", d=path, class_="deals")

    def _band(self) -> Markup:
        """The 95 % interval of the reviewed seat."""
        seat, graph = self._review.seat, self._review.graph
        own = [(point.step, *point.chances[seat]) for point in graph]
        above = [(self._x(step), y(chance + margin)) for step, chance, margin in own]
        below = [(self._x(step), y(chance - margin)) for step, chance, margin in reversed(own)]
        return element("polygon", points=written(above + below), class_=f"band {colour(seat)}")

    def _lines(self, points: Sequence[Point]) -> list[Markup]:
        """One per seat; the reviewed seat's is the last, above the others."""
        seats = sorted(range(self._match.game.seats), key=lambda seat: seat == self._review.seat)
        return [
            element(
                "polyline",
                points=written(
                    [(self._x(point.step), y(point.chances[seat].value)) for point in points]
                ),
                class_=f"line {colour(seat)}" + " own" * (seat == self._review.seat),
            )
            for seat in seats
        ]

    def _mark(self, mark: Mark) -> Markup:
        """At the chance before the decision."""
        (point,) = (point for point in self._review.graph if point.step == mark.step)
        height = y(point.chances[self._review.seat].value)
        circle = element("circle", element("title", mark.text), cx=self._x(mark.step), cy=height)
        return element("a", circle, href=f"#{mark.target}", class_=f"mark {mark.label}")


def y(chance: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, chance)), 1)


def colour(seat: int) -> str:
    """The CSS class with the colour of a seat."""
    return f"seat{seat % COLOURS}"


def written(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{across},{down}" for across, down in points)


def legend(names: Sequence[str], seat: int) -> Markup:
    """Which line is whose."""
    keys = (
        element("li", element("i", class_=colour(one)), name, class_="own" if one == seat else "")
        for one, name in enumerate(names)
    )
    return element("ul", *keys, class_="legend")
