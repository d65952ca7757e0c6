"""Serves the page: the browser client if it is installed, otherwise a short notice.

Every address of the page gets the same file, with its own preview in the head (`previews.py`); the
browser then decides what to show. All files are held in memory, plain and compressed, as the build
made them.
"""

import gzip
from collections.abc import Awaitable, Callable
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

import hastilude
from hastilude.core.errors import OptionError
from hastilude.server import known
from hastilude.server.api import base_url
from hastilude.server.previews import HOME, Preview, language_of, preview_of

BUILT = Path(hastilude.__file__).parent / "web"
# The same as in web/src/routes.svelte.ts.
ADDRESSES = (
    "/",
    "/play/{game}",
    "/t/{code}",
    "/t/{code}/{match}",
    "/rules/{game}",
    "/learn/{game}",
    "/puzzles/{game}",
    "/puzzles/{game}/{id}",
)
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
COMPRESSED = {"br": ".br", "gzip": ".gz"}  # smaller files first
FOREVER = "public, max-age=31536000, immutable"  # changed content gets a new file name
FOR_A_DAY = "public, max-age=86400"  # icons and pictures, whose names stay the same
EACH_TIME = "no-cache"
HEADS = 256  # previews that are held in memory
TITLE, LANGUAGE = "<title>Hastilude</title>", '<html lang="en"'  # of index.html, to be replaced
Forms = dict[str, bytes]  # a file by its encoding, the preferred encoding first
WORDS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hastilude</title>
<h1>Hastilude</h1>
<p>Tables for card games are open here. The browser client is not part of this installation.
Programs find the API described in
<a href="/api/openapi.json">openapi.json</a>.</p>
</html>
"""


class Page:
    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not (folder / "index.html").is_file():
            raise OptionError.of("settings_form", setting="web", value=str(folder))
        self._files = _read(folder or BUILT)
        self._files |= {path: _packed(content) for path, content in known.files().items()}
        index = self._files.pop("/index.html", {"": WORDS.encode()})[""].decode()
        self._filled = lru_cache(HEADS)(lambda head, language: _forms(index, head, language))

    def serve(self, app: FastAPI) -> None:
        for address in ADDRESSES:
            app.add_route(address, self._index, include_in_schema=False)
        app.add_route("/assets/{name}", self._file(FOREVER), include_in_schema=False)
        app.add_route("/{name}", self._file(FOR_A_DAY), include_in_schema=False)

    async def index(
        self, request: Request, preview: Preview = HOME, status: int = HTTPStatus.OK
    ) -> Response:
        language = language_of(request)
        forms = self._filled(preview.head(language, base_url(request)), language)
        answer = _answer(forms, request, "text/html", EACH_TIME, status)
        answer.headers["vary"] += ", accept-language"
        return answer

    async def _index(self, request: Request) -> Response:
        return await self.index(request, await preview_of(request))

    def _file(self, keep: str) -> Callable[[Request], Awaitable[Response]]:
        async def file(request: Request) -> Response:
            path = request.url.path
            if path not in self._files:
                raise HTTPException(HTTPStatus.NOT_FOUND)
            kind = KINDS.get(Path(path).suffix, "application/octet-stream")
            return _answer(self._files[path], request, kind, keep)

        return file


def _answer(
    forms: Forms, request: Request, kind: str, keep: str, status: int = HTTPStatus.OK
) -> Response:
    encoding = next(form for form in forms if not form or form in _accepted(request))
    headers = {"cache-control": keep, "vary": "accept-encoding"}
    if encoding:
        headers["content-encoding"] = encoding
    return Response(forms[encoding], status, headers, kind)


def _forms(index: str, head: str, language: str) -> Forms:
    """The page with a head of its own."""
    return _packed(
        index.replace(TITLE, head, 1).replace(LANGUAGE, f'<html lang="{language}"', 1).encode()
    )


def _packed(content: bytes) -> Forms:
    return {"gzip": gzip.compress(content, mtime=0), "": content}


def _read(folder: Path) -> dict[str, Forms]:
    """The contents of each file by its address, without what the build notes for itself."""
    return {
        f"/{path.relative_to(folder).as_posix()}": {
            encoding: Path(f"{path}{ending}").read_bytes()
            for encoding, ending in {**COMPRESSED, "": ""}.items()
            if Path(f"{path}{ending}").is_file()
        }
        for path in folder.rglob("[!.]*")
        if path.is_file() and path.suffix not in COMPRESSED.values()
    }


def _accepted(request: Request) -> set[str]:
    """The encodings that a browser accepts: those it names, except with `q=0`."""
    named = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return {name.partition(";")[0] for name in named if not name.endswith((";q=0", ";q=0.0"))}
