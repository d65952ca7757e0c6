"""The names of tables and rows in the reader's language.

Measures and games name what they tell apart in English. The catalogue has these names as
`lab_name_…`, those of a game as `GAME_lab_…`; a name with a number or a letter has it as a value.
"""

from __future__ import annotations

import re

from hastilude.messages import Message, catalogue

VALUE = re.compile(r"\b(?:\d+|[A-Z])\b")
# Names that are made of two others, by what is between them.
PAIRS = {": ": "colon", ", ": "comma", " as ": "as", " against ": "against"}
BEFORE = "before "


def named(name: str, game: str) -> str | Message:
    """A name as a sentence of the catalogue; as it is, if that has none.

    >>> from hastilude.messages import render
    >>> [render(named(name, "tornei"), "ja") for name in ("seat 2", "before deal 3", "lead C low")]
    ['席2', '第3ラウンドの配札の前', 'Cの低いカードをリード']
    """
    if found := _found(name, game):
        return Message(found)
    values = VALUE.findall(name)
    found = _found(VALUE.sub("", name), game) if len(values) == 1 else None
    if found and "{number}" in catalogue("en")[found]:
        return Message(found, {"number": values[0]})
    if name.startswith(BEFORE):
        return Message("lab_name_before", {"one": named(name.removeprefix(BEFORE), game)})
    for between, key in PAIRS.items():
        one, separator, two = name.partition(between)
        if separator:
            return Message(f"lab_pair_{key}", {"one": named(one, game), "two": named(two, game)})
    return name


def _found(name: str, game: str) -> str | None:
    """The key of a name."""
    key = "_".join(re.findall(r"[a-z0-9]+", name.lower()))
    keys = (f"{game}_lab_{key}", f"lab_name_{key}")
    return next((key for key in keys if key in catalogue("en")), None)
