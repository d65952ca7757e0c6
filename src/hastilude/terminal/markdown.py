"""Renders the Markdown of the rules for a terminal: drawn with emphasis, or as plain text.

The rules use headings, paragraphs, lists, emphasis and code. Lines are broken between words, and
between the characters of Japanese, which has no spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

WIDEST = 100  # longer lines are hard to read
HEADING = re.compile(r"#+ ")
ITEM = re.compile(r"(?:- |\d+\. )")
MARKED = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*|`(?P<cyan>[^`]+)`")
# Japanese may be broken after any character, but not before these and not after those.
WIDE = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
CLOSING = "、。，．・：；！？ー）」』】ぁぃぅぇぉっゃゅょァィゥェォッャュョ"  # noqa: RUF001  # wide on purpose
OPENING = "（「『【"  # noqa: RUF001
UNIT = re.compile(rf"[{OPENING}]*(?:[{WIDE}]|[^\s{WIDE}]+)[{CLOSING}]*\s*|\s+")


@dataclass(frozen=True)
class Block:
    """A paragraph or heading; its first line begins with `mark`, the others are indented."""

    text: Text
    mark: str = ""

    def lines(self, width: int) -> Iterator[Text]:
        indent = len(self.mark)
        for number, line in enumerate(wrapped(self.text, max(width - indent, 1))):
            yield Text(" " * indent if number else self.mark) + line


@dataclass(frozen=True)
class Markdown:
    """Something that rich and Textual can draw, at any width."""

    text: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from lines(self.text, options.max_width)


def plain(text: str, width: int) -> str:
    """The text without any marks, in lines of a width."""
    return "\n".join(line.plain.rstrip() for line in lines(text, width))


def lines(text: str, width: int) -> Iterator[Text]:
    """The lines, with an empty line between paragraphs."""
    for number, block in enumerate(blocks(text)):
        if number:
            yield Text()
        yield from block.lines(min(width, WIDEST))


def blocks(text: str) -> Iterator[Block]:
    for paragraph in re.split(r"\n\s*\n|\n(?=- |\d+\. )", text.strip("\n")):
        inside = paragraph.startswith("  ")  # another paragraph of an item
        content = dedent(paragraph).strip()
        if heading := HEADING.match(content):
            yield Block(Text(content[heading.end() :], "bold underline"))
        elif item := ITEM.match(content):
            yield Block(styled(content[item.end() :]), item[0])
        else:
            yield Block(styled(content), "  " if inside else "")


def styled(text: str) -> Text:
    """A paragraph with its emphasis."""
    joined = re.sub(r"\s*\n\s*", " ", text)
    result = Text()
    end = 0
    for found in MARKED.finditer(joined):
        style = found.lastgroup or ""
        result.append(joined[end : found.start()]).append(found[style], style)
        end = found.end()
    return result.append(joined[end:])


def wrapped(text: Text, width: int) -> Iterator[Text]:
    """The lines of a paragraph."""
    begin = end = 0
    for unit in UNIT.finditer(text.plain):
        if end > begin and cell_len(text.plain[begin : unit.end()].rstrip()) > width:
            yield text[begin:end]
            begin = unit.start()
        end = unit.end()
    yield text[begin:end]
