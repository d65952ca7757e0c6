"""`hastilude serve`: run a server."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hastilude.cli.base import InLanguage, app, sentence


@app.command(epilog="Example: hastilude serve --host 0.0.0.0 --port 8000")
def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address to listen on.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Port; 0 for any free port.", show_default="8000"
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="SQLite file, sqlite:///FILE or postgresql://… URL.",
            show_default="hastilude.db",
        ),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Start of links, if behind a proxy.")
    ] = None,
    behind_proxy: Annotated[
        bool | None, typer.Option("--behind-proxy", help="Trust X-Forwarded-For.")
    ] = None,
    proxies: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Number of your proxies that a request passes through.",
            show_default="1",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of processes that share the port, with PostgreSQL.",
            show_default="1",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file with more settings.")
    ] = None,
    language: InLanguage = None,
) -> None:
    """Run a server that browsers and programs can play on."""
    from hastilude.server import several
    from hastilude.server.settings import Settings
    from hastilude.server.settings_file import read_settings

    given = {
        "host": host,
        "port": port,
        "database": database,
        "public_url": public_url,
        "behind_proxy": behind_proxy,
        "proxies": proxies,
        "workers": workers,
    }
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}

    def read() -> Settings:
        settings = Settings() if config is None else read_settings(config, Settings())
        settings = replace(settings, **chosen)
        several.check(settings)
        return settings

    settings = read()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    for chatty in ("alembic", "uvicorn", "websockets"):
        logging.getLogger(chatty).setLevel(logging.WARNING)

    def preparing() -> None:
        print(sentence("serve_preparing"), flush=True)

    def ready(address: str) -> None:
        print(sentence("serve_ready", address=address), flush=True)

    if settings.workers > 1:
        several.serve(read, preparing, ready)
    else:
        from hastilude.server import run

        run.serve(settings, preparing, ready)
