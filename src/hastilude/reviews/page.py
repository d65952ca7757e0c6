"""Reviews as one HTML file, which needs no network and no script."""

from collections.abc import Sequence
from importlib.resources import files

from hastilude.core.markup import Markup, element, joined
from hastilude.messages import Message, render
from hastilude.reviews.chart import Chart, Mark, legend
from hastilude.reviews.estimate import Estimate
from hastilude.reviews.judging import MARKED, Alternative, Decision
from hastilude.reviews.review import Point, Review
from hastilude.reviews.words import Part, Words, marked, parts, percent, signed

Told = tuple[Review, Words]


def page(told: Sequence[Told], open_points: Sequence[Point]) -> str:
    """The page of the reviews of one match. `open_points` are the chances with all cards open."""
    words = told[0][1]
    title = words("review_title", title=words.match.game.title)
    style = (files(__package__) / "page.css").read_text("utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element("h1", title),
        element("p", result(words)),
        seat_links(told),
        element("p", words("review_about")),
        *(seat_section(review, words, open_points) for review, words in told),
    )
    return f"<!doctype html>\n{element('html', head, body, lang=words.language)}\n"


def result(words: Words) -> str:
    """Who won, and the scores."""
    match, separator = words.match, words("list_separator")
    sentences = [Message("web_winners", {"winners": match.winners})]
    sentences += [
        Message("seat_score", {"seat": seat, "score": score})
        for seat, score in enumerate(match.scores)
    ]
    winners, *scores = (render(one, words.language, words.names) for one in sentences)
    return words("score_part", part=winners, points=separator.join(scores))


def seat_links(told: Sequence[Told]) -> Markup:
    if len(told) == 1:
        return Markup()
    links = (
        element("li", element("a", words.title(), href=f"#{seat_id(review)}"))
        for review, words in told
    )
    return element("nav", element("ul", *links))


def seat_section(review: Review, words: Words, open_points: Sequence[Point]) -> Markup:
    others = [decision for decision in review.decisions if decision.label not in MARKED]
    return element(
        "section",
        element("h2", words.title()),
        element("p", words.counts(review)),
        graph(review, words, open_points),
        skill_and_luck(review, words),
        *(article(review, words, decision) for decision in marked(review)),
        element(
            "details",
            element("summary", words("review_others", count=len(others))),
            *(article(review, words, decision) for decision in others),
        ),
        id=seat_id(review),
    )


def seat_id(review: Review) -> str:
    return f"seat{review.seat}"


def decision_id(review: Review, decision: Decision) -> str:
    return f"seat{review.seat}step{decision.step}"


# --- the graph ------------------------------------------------------------------------------------


def graph(review: Review, words: Words, open_points: Sequence[Point]) -> Markup:
    marks = [
        Mark(
            decision.step,
            decision.label,
            f"{words.where(decision)}\n{words.mark(decision)}",
            decision_id(review, decision),
        )
        for decision in marked(review)
    ]
    switch = f"open{review.seat}"
    about = words("review_graph")
    return element(
        "figure",
        element("input", type="checkbox", id=switch),
        element("label", words("review_open"), for_=switch),
        Chart(words.match, review, open_points).svg(about, marks),
        legend(words.names[: words.match.game.seats], review.seat),
        element("figcaption", about),
    )


# --- skill and luck -------------------------------------------------------------------------------


def skill_and_luck(review: Review, words: Words) -> Markup:
    """Each part begins where the one before ended."""
    found = parts(review.balance)
    rows, now = [], 0.0
    for part in found:
        start = now if part.is_change else 0.0
        now = start + part.points
        rows.append((part, start, now))
    lowest = min(0.0, *(end for _, _, end in rows))
    highest = max(100.0, *(end for _, _, end in rows))
    scale = 100 / (highest - lowest)
    return element(
        "table",
        element("caption", words("review_skill_and_luck")),
        *(
            part_row(words, part, (min(start, end) - lowest) * scale, abs(end - start) * scale)
            for part, start, end in rows
        ),
        class_="parts",
    )


def part_row(words: Words, part: Part, left: float, width: float) -> Markup:
    kind = ("gain" if part.points >= 0 else "loss") if part.is_change else "total"
    return element(
        "tr",
        element("th", words(f"review_part_{part.name}"), scope="row"),
        element("td", bar(left, width, kind), class_="bar"),
        element("td", part.shown),
        element("td", f"±{part.margin:.1f}" if part.margin else ""),
    )


def bar(left: float, width: float, kind: str) -> Markup:
    return element("i", style=f"left:{left:.1f}%;width:{width:.1f}%", class_=kind)


# --- the decisions --------------------------------------------------------------------------------


def article(review: Review, words: Words, decision: Decision) -> Markup:
    label, comment = words.label(decision), list[str]()
    if decision.label in MARKED:
        label, *comment = words.explanation(decision)
    return element(
        "article",
        element("h3", words.where(decision)),
        element("p", label, class_="label"),
        *(element("p", line) for line in comment),
        choices(words, decision),
        id=decision_id(review, decision),
        class_=str(decision.label),
    )


def choices(words: Words, decision: Decision) -> Markup:
    """All alternatives with their chances to win, the best first."""
    headings = ("review_choice", "review_win", "", "review_loss")
    head = (element("th", words(key) if key else "", scope="col") for key in headings)
    rows = (
        choice_row(words, alternative, place == decision.played)
        for place, alternative in enumerate(decision.alternatives)
    )
    return element("table", element("tr", *head), *rows, class_="choices")


def choice_row(words: Words, alternative: Alternative, played: bool) -> Markup:
    win, loss = alternative.win, alternative.loss
    name = words.shared(alternative)
    lost = f"{signed(-100 * loss.value)} ±{100 * loss.margin:.1f}" if loss.value else ""
    return element(
        "tr",
        element("th", words("review_yours", choice=name) if played else name, scope="row"),
        element("td", chance_bar(win), class_="bar"),
        element("td", f"{percent(win)}% ±{100 * win.margin:.0f}"),
        element("td", lost),
        class_="played" if played else "",
    )


def chance_bar(win: Estimate) -> Markup:
    """The chance, and its interval as a thin line."""
    low, high = max(0.0, win.value - win.margin), min(1.0, win.value + win.margin)
    return joined(bar(0, 100 * win.value, "win"), bar(100 * low, 100 * (high - low), "interval"))
