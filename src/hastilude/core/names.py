"""Cleaning and checking the names of people."""

import unicodedata

from hastilude.core.errors import OptionError

NAME_LENGTH = 24
# Invisible, although Unicode counts them as letters or marks: fillers and variation selectors.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)


def clean_name(text: str) -> str:
    """The name in composed form, without characters that could deceive or disturb; OptionError if
    nothing is left or it is too long."""
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(c for c in composed if unicodedata.category(c)[0] != "C" and c not in BLANK)
    name = " ".join(visible.split())
    if not name or not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise OptionError.of("name_empty")
    if len(name) > NAME_LENGTH:
        raise OptionError.of("name_long", most=NAME_LENGTH)
    return name
