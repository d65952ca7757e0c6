"""Serves the page: the browser client if it is installed, otherwise a short notice.

Every address of the page gets the same file; the browser then decides what to show. All files are
held in memory, plain and compressed, as the build made them.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

import hastilude
from hastilude.core.errors import OptionError

BUILT = Path(hastilude.__file__).parent / "web"
# The same as in web/src/routes.svelte.ts.
ADDRESSES = (
    "/",
    "/play/{game}",
    "/t/{code}",
    "/t/{code}/{match}",
    "/rules/{game}",
    "/learn/{game}",
)
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
COMPRESSED = {"br": ".br", "gzip": ".gz"}  # smaller files first
FOREVER = "public, max-age=31536000, immutable"  # changed content gets a new file name
EACH_TIME = "no-cache"
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
        self._files.setdefault("/index.html", {"": WORDS.encode()})

    def serve(self, app: FastAPI) -> None:
        for address in ADDRESSES:
            app.add_route(address, self._index, include_in_schema=False)
        app.add_route("/icon.svg", self._file(EACH_TIME), include_in_schema=False)
        app.add_route("/assets/{name}", self._file(FOREVER), include_in_schema=False)

    def index(self, request: Request, status: int = HTTPStatus.OK) -> Response:
        return self._answer("/index.html", request, EACH_TIME, status)

    async def _index(self, request: Request) -> Response:
        return self.index(request)

    def _file(self, keep: str) -> Callable[[Request], Awaitable[Response]]:
        async def file(request: Request) -> Response:
            if request.url.path not in self._files:
                raise HTTPException(HTTPStatus.NOT_FOUND)
            return self._answer(request.url.path, request, keep)

        return file

    def _answer(
        self, path: str, request: Request, keep: str, status: int = HTTPStatus.OK
    ) -> Response:
        forms = self._files[path]
        encoding = next(form for form in forms if not form or form in _accepted(request))
        headers = {"cache-control": keep, "vary": "accept-encoding"}
        if encoding:
            headers["content-encoding"] = encoding
        kind = KINDS.get(Path(path).suffix, "application/octet-stream")
        return Response(forms[encoding], status, headers, kind)


def _read(folder: Path) -> dict[str, dict[str, bytes]]:
    """The contents of each file by its address and encoding, the preferred encoding first."""
    return {
        f"/{path.relative_to(folder).as_posix()}": {
            encoding: Path(f"{path}{ending}").read_bytes()
            for encoding, ending in {**COMPRESSED, "": ""}.items()
            if Path(f"{path}{ending}").is_file()
        }
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in COMPRESSED.values()
    }


def _accepted(request: Request) -> set[str]:
    """The encodings that a browser accepts: those it names, except with `q=0`."""
    named = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return {name.partition(";")[0] for name in named if not name.endswith((";q=0", ";q=0.0"))}
