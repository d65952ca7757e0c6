"""What is known about the games: the report of the lab that comes with this package.

It is one HTML file with its style inside, which pages of a server may not have. So the style gets
an address of its own.
"""

import re
from functools import cache

from hastilude.core.kernel import PACKAGE

REPORT = PACKAGE / "known" / "index.html"
ADDRESS, STYLE = "/known.html", "/known.css"
SHEET = re.compile("<style>(.*?)</style>", re.DOTALL)


@cache
def files() -> dict[str, bytes]:
    """The report and its style by their addresses; none if there is no report."""
    if not REPORT.is_file():
        return {}
    text = REPORT.read_text("utf-8")
    sheet = SHEET.search(text)
    style = sheet[1] if sheet else ""
    linked = SHEET.sub(f'<link rel="stylesheet" href="{STYLE}">', text, count=1)
    return {ADDRESS: linked.encode(), STYLE: style.encode()}


def is_known(game: str) -> bool:
    """Whether the report has a chapter about the game."""
    return f'id="{game}"'.encode() in files().get(ADDRESS, b"")
