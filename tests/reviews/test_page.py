"""The page of a review: one file that needs nothing else."""

import re
from html.parser import HTMLParser

import pytest

import hastilude
from hastilude.core.markup import VOID
from hastilude.messages import LANGUAGES, catalogue
from hastilude.reviews.page import page
from hastilude.reviews.review import open_graph
from hastilude.reviews.words import marked
from hastilude.terminal.review import words_for
from tests.reviews.matches import NAMES, with_mistakes


class Read(HTMLParser):
    """Reads a page strictly: every element that begins ends."""

    def __init__(self, source):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def all(self, tag, **wanted):
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and wanted.items() <= attrs.items()
        ]


@pytest.fixture(scope="module")
def reviewed():
    record = with_mistakes()
    match = hastilude.replay(record)
    reviews = [hastilude.review(record, seat=seat) for seat in range(2)]
    return record, reviews, open_graph(match, [point.step for point in reviews[0].graph])


@pytest.fixture(scope="module", params=LANGUAGES)
def source(reviewed, request):
    record, reviews, open_points = reviewed
    told = [(one, words_for(record, one.seat, request.param, drawn=True)) for one in reviews]
    return page(told, open_points)


def test_it_needs_nothing_else(source):
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|\bsrc=| on\w+=", source)


def test_names_are_text_and_not_elements(source):
    read = Read(source)
    for name in NAMES:
        assert name in read.text
    assert "<i>" not in source


def test_it_is_in_one_language(source):
    read = Read(source)
    (html,) = read.all("html")
    language = html["lang"]
    assert catalogue(language)["review_about"] in read.text
    other = catalogue("en" if language == "ja" else "ja")
    assert other["review_about"] not in read.text
    assert other["review_label_blunder"] not in read.text


def test_the_graph_has_every_seat_twice_and_leads_to_the_marked_decisions(source, reviewed):
    _, reviews, _ = reviewed
    read = Read(source)
    assert len(read.all("svg")) == len(reviews)
    assert len(read.all("polyline")) == len(reviews) * 2 * 2  # known and open
    assert len(read.all("polygon")) == len(reviews)  # the band of the reviewed seat
    assert len(read.all("input", type="checkbox")) == len(reviews)
    links = [attrs["href"] for attrs in read.all("a") if "mark" in attrs.get("class", "")]
    assert len(links) == sum(len(marked(review)) for review in reviews) > 0
    places = {attrs["id"] for attrs in read.all("article")}
    assert len(places) == sum(len(review.decisions) for review in reviews)
    assert {link.removeprefix("#") for link in links} <= places


def test_the_chances_of_all_choices_are_drawn_and_written(source, reviewed):
    _, reviews, _ = reviewed
    read = Read(source)
    choices = [one for review in reviews for made in review.decisions for one in made.alternatives]
    bars = [attrs["style"] for attrs in read.all("i", **{"class": "win"})]
    widths = [f"left:0.0%;width:{100 * one.win.value:.1f}%" for one in choices]
    assert sorted(bars) == sorted(widths)
    for one in choices:
        assert f"{round(100 * one.win.value)}% ±" in read.text


def test_skill_and_luck_are_in_figures(source, reviewed):
    _, reviews, _ = reviewed
    read = Read(source)
    for review in reviews:
        assert f"{100 * review.balance.start.value:.0f}" in read.text
        assert f"{100 * review.balance.outcome:.1f}" in read.text
