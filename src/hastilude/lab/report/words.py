"""Figures in words, and the answer to a study in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, isfinite
from typing import Any

from hastilude.games.registry import needed_part
from hastilude.lab.findings import Figure, Findings, VariantFindings
from hastilude.lab.measures import EXACT
from hastilude.lab.measures.measure import COUNT, MATCHES, MILLISECONDS, POINTS, SHARE
from hastilude.lab.report.names import named
from hastilude.messages import Message

FORMS = {SHARE: ".1%", POINTS: ".2f", COUNT: ".4g", MILLISECONDS: ".3g"}
UNKNOWN = "?"
NAMES = ("part", "row", "best", "worst")  # values that are names of tables and rows


def written(value: float, unit: str, signed: bool = False) -> str:
    """A number in its unit; `signed` for differences.

    >>> written(0.257, SHARE), written(0.257, SHARE, signed=True), written(271.2, MATCHES)
    ('25.7%', '+25.7%', '272')
    """
    if not isfinite(value):
        return UNKNOWN
    if unit == MATCHES:
        return f"{ceil(value):,}"
    form = ".3g" if signed and unit == COUNT else FORMS.get(unit, ".1e")
    text = f"{value:{'+' if signed else ''}{form}}"
    return f"{text} ms" if unit == MILLISECONDS else text


def interval(figure: Figure, signed: bool = False) -> str | Message:
    """A figure with its interval; a figure that was worked out exactly has none."""
    unit = figure.label.unit
    value: str | Message = written(figure.value, unit, signed)
    if unit == MATCHES:
        value = _matches(figure.value)
    if figure.low == figure.high or not isfinite(figure.value):
        return value
    if not (isfinite(figure.low) or isfinite(figure.high)):
        return Message("lab_interval_unknown", {"value": value})
    low, high = (written(end, unit, signed) for end in (figure.low, figure.high))
    if unit == MATCHES and not isfinite(figure.high):
        return Message("lab_interval_open", {"value": value, "low": low})
    return Message("lab_interval", {"value": value, "low": low, "high": high})


def _matches(value: float) -> Message:
    if not isfinite(value):
        return Message("lab_matches_unknown")
    return Message("lab_matches", {"count": ceil(value), "number": written(value, MATCHES)})


def answer(found: Findings) -> list[Message]:
    """The answer to a study: what its first measure says of each variant, and which variants are
    significantly different from the first."""
    return [_with_names(message, found.study.game) for message in _answer(found)]


def _with_names(message: Message, game: str) -> Message:
    """The message with names of the catalogue."""
    values = {
        name: _with_names(value, game)
        if isinstance(value, Message)
        else named(value, game)
        if name in NAMES
        else value
        for name, value in message.values.items()
    }
    return replace(message, values=values)


def _answer(found: Findings) -> list[Message]:
    name = found.study.measures[0]
    if name == EXACT:
        message: Message = needed_part(found.study.game, EXACT, "lab_exact_unknown").answer()
        return [message]
    sentences = [_sentence(name, variant) for variant in found.variants]
    if len(sentences) > 1:
        sentences = [
            Message("lab_answer_variant", {"variant": one.variant.name, "sentence": sentence})
            for one, sentence in zip(found.variants, sentences, strict=True)
        ]
    return [*sentences, *_compared(found)]


def _sentence(name: str, variant: VariantFindings) -> Message:
    figures = [one for one in variant.figures[name] if isfinite(one.value)]
    return SENTENCES[name](figures) if figures else Message("lab_answer_nothing")


def _compared(found: Findings) -> list[Message]:
    """The clearest difference of each variant to the first."""
    first = found.variants[0].variant.name
    compared = [one for one in found.variants if one.differences]
    messages, unchanged = [], []
    for one in compared:
        figures = [figure for some in one.differences.values() for figure in some]
        clear = [figure for figure in figures if figure.significant and figure.label.main]
        if clear:
            clearest = max(clear, key=lambda figure: abs(figure.value) / figure.width)
            names = {"first": first, "variant": one.variant.name, "part": clearest.label.part}
            messages.append(Message("lab_answer_difference", _change(clearest) | names))
        else:
            unchanged.append(f"“{one.variant.name}”")
    if unchanged:
        values = {"first": first, "unchanged": tuple(unchanged)}
        messages.append(Message("lab_answer_no_difference", values))
    return messages


def _values(figure: Figure, signed: bool = False) -> dict[str, Any]:
    unit = figure.label.unit
    numbers = {
        name: written(getattr(figure, name), unit, signed) for name in ("value", "low", "high")
    }
    equal = figure.label.equal
    return (
        numbers
        | {"row": figure.label.row}
        | ({} if equal is None else {"equal": written(equal, unit)})
    )


def _change(figure: Figure, signed: bool = True) -> dict[str, Any]:
    """The values of a figure that is a difference."""
    values: dict[str, Any] = _values(figure, signed)
    if figure.label.unit == SHARE:  # so that nobody takes them for parts of a share
        low, high = (values[end].removesuffix("%") for end in ("low", "high"))
        values |= {"value": _in_points(values["value"]), "low": low, "high": high}
    return values


def _in_points(percent: str) -> Message:
    return Message("lab_percentage_points", {"number": percent.removesuffix("%")})


def _part(figures: Sequence[Figure]) -> list[Figure]:
    """The figures of the first part."""
    return [one for one in figures if one.label.part == figures[0].label.part]


def _best(key: str, none: str) -> Callable[[Sequence[Figure]], Message]:
    """A sentence about each figure that is significantly above the equal share, or about none."""

    def sentence(figures: Sequence[Figure]) -> Message:
        part = _part(figures)
        above = [one for one in part if one.significant and one.value > (one.label.equal or 0)]
        if above:
            above.sort(key=lambda one: -one.value)
            return _joined([Message(key, _values(one)) for one in above])
        equal = part[0].label.equal or 0.0
        reach = max(max(one.high - equal, equal - one.low) for one in part)
        values = {"reach": _in_points(written(reach, SHARE)), "equal": written(equal, SHARE)}
        return Message(none, values)

    return sentence


def _joined(sentences: Sequence[Message]) -> Message:
    first, *others = sentences
    if not others:
        return first
    return Message("lab_answer_and", {"one": first, "more": _joined(others)})


def _plain(key: str, place: int = 0) -> Callable[[Sequence[Figure]], Message]:
    """A sentence about one of the figures."""
    return lambda figures: Message(key, _values(figures[place]))


def _phases(figures: Sequence[Figure]) -> Message:
    largest = max(figures, key=lambda one: one.value)
    key = "lab_answer_phases" if largest.significant else "lab_answer_phases_none"
    return Message(key, _values(largest))


def _luck(figures: Sequence[Figure]) -> Message:
    """The cards, the players, and what these decide at random; the rest is in the table."""
    _, cards, players, _, chance = figures
    parts = {"cards": cards, "players": players, "chance": chance}
    return Message("lab_answer_luck", {name: interval(one) for name, one in parts.items()})


def _ladder(figures: Sequence[Figure]) -> Message:
    share, matches = figures[0], figures[-1]
    if not share.significant or len(figures) == 1:
        return Message("lab_answer_ladder_none", _values(share))
    return Message("lab_answer_ladder", _values(share) | {"matches": interval(matches)})


def _cards(figures: Sequence[Figure]) -> Message:
    part = sorted(_part(figures), key=lambda one: one.value)
    worst, best = part[0], part[-1]
    if not best.significant:
        return Message("lab_answer_cards_none")
    written_best = _values(best)
    return Message(
        "lab_answer_cards",
        written_best
        | {
            "best": best.label.row,
            "worst": worst.label.row,
            "worst_value": interval(worst, signed=True),
        },
    )


def _actions(figures: Sequence[Figure]) -> Message:
    lost = [one for one in figures if one.label.unit == SHARE and one.significant]
    lost = [one for one in lost if one.value > 0]
    if not lost:
        return Message("lab_answer_actions_none")
    return Message(
        "lab_answer_actions", _change(max(lost, key=lambda one: one.value), signed=False)
    )


SENTENCES: dict[str, Callable[[Sequence[Figure]], Message]] = {
    "seats": _best("lab_answer_seats", "lab_answer_seats_none"),
    "ties": _plain("lab_answer_ties"),
    "margin": _plain("lab_answer_margin", 2),
    "length": _plain("lab_answer_length", 1),
    "comebacks": _plain("lab_answer_comebacks", -1),
    "phases": _phases,
    "roles": _best("lab_answer_role", "lab_answer_role_none"),
    "starts": _best("lab_answer_role", "lab_answer_role_none"),
    "feats": _plain("lab_answer_feats"),
    "cards": _cards,
    "actions": _actions,
    "ladder": _ladder,
    "luck": _luck,
}
