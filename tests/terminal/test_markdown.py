"""The Markdown of the rules in a terminal."""

import pytest
from rich.console import Console

from hastilude.terminal.markdown import Markdown, plain

PAGE = """# Title

- **T9 Follow.** A *void* suit,
  `W14`.

  *Ruling:* another paragraph.
- Next.

1. An example
   of two lines.
"""


def test_plain_text_has_no_marks_and_keeps_paragraphs_and_items_apart():
    assert plain(PAGE, 80).splitlines() == [
        "Title",
        "",
        "- T9 Follow. A void suit, W14.",
        "",
        "  Ruling: another paragraph.",
        "",
        "- Next.",
        "",
        "1. An example of two lines.",
    ]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("- one two three", 9, ["- one two", "  three"]),
        ("強いカードが勝つ。", 8, ["強いカー", "ドが勝", "つ。"]),
        ("強いカードが勝つ。", 16, ["強いカードが勝", "つ。"]),
        ("値は（強）です", 6, ["値は", "（強）", "です"]),
        ("W14とC1", 4, ["W14", "とC1"]),
        ("incomprehensible", 5, ["incomprehensible"]),
    ],
)
def test_lines_are_broken_between_words_and_japanese_characters(text, width, lines):
    assert plain(text, width).splitlines() == lines


def test_a_terminal_shows_emphasis():
    console = Console(force_terminal=True, width=40, color_system="standard")
    with console.capture() as capture:
        console.print(Markdown("**T9 Follow.** A *void* suit."))
    assert capture.get() == "\x1b[1mT9 Follow.\x1b[0m A \x1b[3mvoid\x1b[0m suit.\n"
