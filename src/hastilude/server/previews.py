"""What a link shows where it is pasted: the title, description and picture of an address.

Chat programs read them from the page's head and do not run the page. They keep what they read, so
a table's link names its game and nobody who is there.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from html import escape

from fastapi import Request

from hastilude.core.errors import HastiludeError
from hastilude.games.registry import GAMES
from hastilude.messages import LANGUAGES, Message, render
from hastilude.server.api import address

LOCALES = {"en": "en_GB", "ja": "ja_JP"}
# The sentences of each kind of address: its title and its description.
SENTENCES = {
    "play": ("{game}_title", "{game}_about"),
    "rules": ("web_rules_of", "{game}_about"),
    "learn": ("web_lesson_title", "{game}_about"),
    "puzzles": ("web_puzzles_of", "puzzle_question"),
    "table": ("preview_table", "preview_join"),
    "replay": ("preview_replay", "{game}_about"),
}
PICTURE = "/preview.png"
WIDTH, HEIGHT = 1200, 630
PATIENCE = 1.0  # seconds to find out what is played at a table


@dataclass(frozen=True)
class Preview:
    """The sentences for an address; `path` is without what only a browser needs."""

    title: Message | None  # None: the name of the program
    about: Message
    path: str

    def head(self, language: str, base: str) -> str:
        """The elements for the head of the page."""
        title = render(self.title, language) if self.title else "Hastilude"
        about = render(self.about, language)
        properties = {
            "og:site_name": "Hastilude",
            "og:type": "website",
            "og:title": title,
            "og:description": about,
            "og:url": base + self.path,
            "og:image": base + PICTURE,
            "og:image:width": WIDTH,
            "og:image:height": HEIGHT,
            "og:locale": LOCALES[language],
        }
        lines = [f"<title>{escape(title)}</title>"]
        lines += [_meta("property", name, content) for name, content in properties.items()]
        lines += [_meta("name", "description", about)]
        lines += [_meta("name", "twitter:card", "summary_large_image")]
        return "\n".join(lines)


HOME = Preview(None, Message("web_tagline"), "/")


def _meta(kind: str, name: str, content: object) -> str:
    return f'<meta {kind}="{name}" content="{escape(str(content))}">'


async def preview_of(request: Request) -> Preview:
    """The preview of an address; that of the first page if nothing is known about it."""
    given, path = request.path_params, request.url.path
    if "code" in given:
        kind, game = "replay" if "match" in given else "table", await _game_at(request)
    else:
        kind, game = path.split("/")[1], given.get("game")
    if game not in GAMES:
        return HOME
    values = {"title": Message(f"{game}_title")}
    title, about = (Message(key.format(game=game), values) for key in SENTENCES[kind])
    return Preview(title, about, path)


async def _game_at(request: Request) -> str | None:
    """The game of a table. Looking it up is limited like asking the API for the table, and wrong
    codes are counted with those."""
    state, client = request.app.state, address(request)
    if not state.rates.requests.take(client):
        return None
    try:
        with state.rates.guesses.guess(client):
            async with asyncio.timeout(PATIENCE):
                game: str = await state.house.game_at(request.path_params["code"])
                return game
    except (HastiludeError, TimeoutError):
        return None


def language_of(request: Request) -> str:
    """The first of our languages that the browser names; people order them by preference."""
    named = request.headers.get("accept-language", "").lower().split(",")
    wanted = (name.strip()[:2] for name in named)
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])
