"""The page at `/`: the browser client if it is built in, else a few words about what is here."""

from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

WORDS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hastilude</title>
<h1>Hastilude</h1>
<p>Tables for Tornei, King's Tournament and TriATri are open here. The browser client is not part
of this installation; programs find the API described in
<a href="/api/openapi.json">openapi.json</a>.</p>
</html>
"""


def serve(app: FastAPI, web: Path | None) -> None:
    """Every table's address shows the same page; the page reads the code from it."""
    if web is not None:
        app.mount("/assets", StaticFiles(directory=web / "assets"))

    @app.get("/", include_in_schema=False)
    @app.get("/t/{code}", include_in_schema=False)
    async def index() -> Response:
        return HTMLResponse(WORDS) if web is None else FileResponse(web / "index.html")
