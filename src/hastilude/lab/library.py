"""Reads studies: the shipped ones, from the games' folders, and files of a user's own.

A file has a TOML table for each study: see docs/lab.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hastilude import bots
from hastilude.core.chance import SEEDS
from hastilude.core.errors import HastiludeError, OptionError, RecordError, nearest
from hastilude.core.kernel import PACKAGE
from hastilude.games.registry import GAMES, game_class, needed_part
from hastilude.lab.matches import POLICIES
from hastilude.lab.measures import EXACT, MEASURES
from hastilude.lab.study import BATCH, DEALS, Study, Variant, whole
from hastilude.messages import Message

SHIPPED = "studies.toml"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
BOTS = ["heuristic"]
PAIR = 2


def _is_positive(value: Any) -> bool:
    return type(value) is int and value > 0


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _is_question(value: Any) -> bool:
    if isinstance(value, dict):
        return "en" in value and all(isinstance(text, str) for text in value.values())
    return isinstance(value, str)


def _is_options(value: Any) -> bool:
    return isinstance(value, dict)


# The fields of a study: whether a value has the right form, and the name of that form.
FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "question": (_is_question, "question"),
    "game": (lambda value: isinstance(value, str), "game"),
    "measures": (_is_texts, "measures"),
    "bots": (_is_texts, "bots"),
    "options": (_is_options, "options"),
    "variants": (lambda value: isinstance(value, list) and bool(value), "variants"),
    "deals": (_is_positive, "positive"),
    "batch": (_is_positive, "positive"),
    "width": (lambda value: isinstance(value, (int, float)) and value > 0, "positive"),
    "seed": (lambda value: type(value) is int and 0 <= value < SEEDS, "number"),
    "name": (lambda value: isinstance(value, str), "text"),
}
QUESTIONS = '{ en = "…" }'  # a question in several languages
OF_A_STUDY = tuple(name for name in FORMS if name != "name")
OF_A_VARIANT = ("name", "bots", "options")
REQUIRED = ("question", "game", "measures")


@cache
def shipped() -> dict[str, Study]:
    """All studies of the games, by name."""
    found: dict[str, Study] = {}
    for game in GAMES:
        path = PACKAGE / "games" / game / SHIPPED
        if path.exists():
            found |= {name: replace(one, file=None) for name, one in read(path).items()}
    return found


def study(name: str) -> Study:
    """A shipped study; OptionError names the nearest if there is none of this name."""
    if name not in shipped():
        near = nearest(name, list(shipped()))
        key = "lab_unknown_near" if near else "lab_unknown"
        raise OptionError.of(key, study=name, near=near)
    return shipped()[name]


def read(path: str | Path) -> dict[str, Study]:
    """The studies of a file; RecordError says what is wrong in it, and where."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise RecordError.of("record_unreadable", path=str(path), problem=error.strerror) from None
    except UnicodeDecodeError:
        raise RecordError.of("record_not_text", path=str(path)) from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError.of("lab_not_toml", path=str(path), problem=str(error)) from None
    if not content:
        raise RecordError.of("lab_no_studies", path=str(path))
    return {name: _located(path, text, name, table) for name, table in content.items()}


def _located(path: str | Path, text: str, name: str, table: Any) -> Study:
    """The study; errors name the line on which it begins."""
    try:
        return replace(of(name, table), file=str(path))
    except HastiludeError as error:
        begins = re.search(rf"^\s*\[+\s*[\"']?{re.escape(name)}(?![\w-])", text, re.MULTILINE)
        line = text.count("\n", 0, begins.end()) + 1 if begins else 1
        raise RecordError.of(
            "lab_study_wrong", path=str(path), line=line, study=name, problem=error.message
        ) from None


def of(name: str, table: Mapping[str, Any]) -> Study:
    """A study from its table; OptionError says what is wrong."""
    if not NAME.fullmatch(name):
        raise OptionError.of("lab_name", study=name)
    if not isinstance(table, Mapping):
        raise OptionError.of("lab_no_table")
    _check(table, OF_A_STUDY)
    for field in REQUIRED:
        if field not in table:
            raise OptionError.of("lab_lacks", field=field)
    measures = _measures(table["game"], table["measures"])
    variants = tuple(_variant(table, own) for own in table.get("variants", [{}]))
    names = [variant.name for variant in variants]
    for variant_name in names:
        if names.count(variant_name) > 1:
            raise OptionError.of("lab_variant_twice", name=variant_name)
    for variant in variants:
        if "ladder" in measures and len(set(variant.bots)) != PAIR:
            raise OptionError.of("lab_one_bot", name=variant.name)
        if "luck" in measures and len(set(variant.bots)) != variant.game.seats:
            raise OptionError.of("lab_luck_bots", name=variant.name)
    fast = all(bot in POLICIES for variant in variants for bot in variant.bots)
    batch = table.get("batch", BATCH if fast else 1)
    question = table["question"]
    return Study(
        name=name,
        question={"en": question} if isinstance(question, str) else question,
        game=table["game"],
        measures=measures,
        variants=variants,
        deals=0 if measures == (EXACT,) else whole(table.get("deals", DEALS), batch),
        width=table.get("width"),
        seed=table.get("seed", 0),
        batch=batch,
    )


def _check(table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for field, value in table.items():
        if field not in known:
            near = nearest(field, known)
            key = "lab_field_unknown_near" if near else "lab_field_unknown"
            raise OptionError.of(key, field=field, near=near, known=known)
        is_right, form = FORMS[field]
        if not is_right(value):
            raise _wrong(field, form)


def _wrong(field: str, form: str) -> Exception:
    return OptionError.of(
        "lab_field", field=field, wanted=Message(f"lab_form_{form}", {"example": QUESTIONS})
    )


def _measures(game: str, names: list[str]) -> tuple[str, ...]:
    known = (*MEASURES, EXACT)
    for name in names:
        if name not in known:
            near = nearest(name, known)
            key = "lab_measure_unknown_near" if near else "lab_measure_unknown"
            raise OptionError.of(key, measure=name, near=near, known=known)
    if EXACT in names:
        needed_part(game, EXACT, "lab_exact_unknown")
        if len(names) > 1:
            raise OptionError.of("lab_exact_alone")
    return tuple(dict.fromkeys(names))


def _variant(table: Mapping[str, Any], own: Any) -> Variant:
    if not isinstance(own, Mapping):
        raise _wrong("variants", "variants")
    _check(own, OF_A_VARIANT)
    options = {**table.get("options", {}), **own.get("options", {})}
    game = game_class(table["game"])(**options)
    names = own.get("bots", table.get("bots", BOTS))
    if len(names) > game.seats:
        count, players = len(names), game.seats
        raise OptionError.of("bots_too_many", count=count, game=game.title, players=players)
    for bot in names:
        bots.make(bot, game, 0)
    seated = (*names, *[names[-1]] * (game.seats - len(names)))
    return Variant(own.get("name") or _name(own, game.seats), game, seated)


def _name(own: Mapping[str, Any], players: int) -> str:
    """The name of a variant that has none: its own options, or how many players it has."""
    chosen = [f"{option} {value}" for option, value in own.get("options", {}).items()]
    return ", ".join(chosen) or f"{players} players"
