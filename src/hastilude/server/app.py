"""The ASGI application: the API, the sockets and the page, behind one gate."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import Match, WebSocketRoute
from starlette.types import ASGIApp

import hastilude
from hastilude.core.errors import HastiludeError
from hastilude.messages import Message
from hastilude.server.answers import HEADERS, refusal
from hastilude.server.api import OFTEN, router
from hastilude.server.connections import client_of
from hastilude.server.house import House
from hastilude.server.limits import Ledger, Rates
from hastilude.server.metrics import CLOSED
from hastilude.server.page import Page
from hastilude.server.peers import BUCKETS
from hastilude.server.puzzle_api import router as puzzle_router
from hastilude.server.reasons import CLOSE_CODES
from hastilude.server.settings import Settings
from hastilude.server.shortcuts import Shortcut
from hastilude.server.sockets import Guest
from hastilude.server.store import Store
from hastilude.server.time import Time
from hastilude.server.tokens import Sources

HOST = re.compile(rb"[\w.:\[\]-]{0,255}")

logger = logging.getLogger("hastilude")


def create_app(
    settings: Settings,
    time: Time | None = None,
    sources: Sources | None = None,
    ledger: Ledger | None = None,
    buckets: Iterable[int] = range(BUCKETS),
) -> FastAPI:
    """The server as an ASGI application; tests provide their own time and secrets."""
    house = House(settings, Store(settings.database), time, sources, ledger, buckets)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await house.start()
        yield
        await house.stop()

    app = Application(
        house,
        title="Hastilude",
        version=hastilude.__version__,
        description="Tables for card games. Moves go over the WebSocket "
        " /api/tables/{code}/socket; docs/server.md describes its frames.",
        lifespan=lifespan,
        docs_url=None,  # that page would load scripts from other sites
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.board = None  # what the workers share, if this is one of several
    app.state.page = Page(settings.web)
    app.include_router(router)
    app.include_router(puzzle_router)
    app.router.routes.append(app.sockets)
    app.state.page.serve(app)
    app.add_exception_handler(HastiludeError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_form)
    app.add_exception_handler(HTTPException, _refuse_http)
    return app


class Application(FastAPI):
    def __init__(self, house: House, **description: Any) -> None:
        super().__init__(**description)
        rates = Rates(house.settings, house.ledger)
        self.state.house, self.state.rates = house, rates
        self.sockets = WebSocketRoute("/api/tables/{code}/socket", SocketGate(house, rates))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope["app"] = self
        if self.middleware_stack is None:
            self.middleware_stack = self.build_middleware_stack()
        await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """Only what our routes need: the gate reports errors."""
        app = AsyncExitStackMiddleware(self.router)
        handled = ExceptionMiddleware(app, self.exception_handlers)
        return Gate(handled, self.state.house.settings, self.state.rates, self.sockets)


async def _refuse(_: Request, error: Any) -> JSONResponse:
    return refusal(error.message)


async def _refuse_form(_: Request, error: Any) -> JSONResponse:
    """Name the first error; never repeat what was sent."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")[:100]
    return refusal(Message("request_form", {"field": where, "problem": first["msg"][:200]}))


async def _refuse_http(request: Request, error: Any) -> Response:
    if error.status_code == HTTPStatus.NOT_FOUND:
        if _reads_pages(request):
            return await request.app.state.page.index(request, status=HTTPStatus.NOT_FOUND)
        return refusal(Message("page_unknown"))
    text = HTTPStatus(error.status_code).phrase
    answer = refusal(Message("request_http", {"problem": text}), error.status_code)
    answer.headers.update(error.headers or {})
    return answer


def _reads_pages(request: Request) -> bool:
    """Whether the request comes from a person with a browser, not from a program."""
    wanted = request.headers.get("accept", "")
    return "text/html" in wanted and not request.url.path.startswith("/api/")


PROGRAMS = ("/api/", "/health", "/metrics")  # everything else is the page and its files


class Gate:
    """Comes before everything else. It finds out the client's address, limits the rate and size of
    requests, and adds the security headers to every answer, including errors."""

    def __init__(
        self, app: ASGIApp, settings: Settings, rates: Rates, sockets: WebSocketRoute
    ) -> None:
        self._app = app
        self._sockets = sockets
        routes = (route for route in router.routes if isinstance(route, APIRoute))
        self._shortcuts = [Shortcut(route, app) for route in routes if route.name in OFTEN]
        self._settings = settings
        self._rates = rates

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["client"] = (client_of(scope, self._settings), 0)
        if self._settings.behind_proxy:
            _believe_scheme(scope)
        if scope["type"] == "websocket":
            # Directly: what FastAPI puts around its routes is for requests, and costs a lot.
            match, found = self._sockets.matches(scope)
            scope.update(found)
            route = self._sockets.handle if match is Match.FULL else self._app
            await route(scope, receive, send)
            return
        started = False

        async def with_headers(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        headers = dict(reversed(scope["headers"]))  # the first of each name
        answer = self._refused(scope, headers) or self._shortcut(scope, headers) or self._app
        if b"content-length" not in headers:
            receive = self._bounded(receive)
        try:
            await answer(scope, receive, with_headers)
        except Exception:
            if started:
                raise
            logger.exception("a request failed")
            await refusal(Message("failed"))(scope, receive, with_headers)

    def _shortcut(self, scope: Any, headers: dict[bytes, bytes]) -> Shortcut | None:
        return next((way for way in self._shortcuts if way.may_take(scope, headers)), None)

    def _refused(self, scope: Any, headers: dict[bytes, bytes]) -> JSONResponse | None:
        rates = self._rates
        rate = rates.requests if scope["path"].startswith(PROGRAMS) else rates.pages
        if not rate.take(scope["client"][0]):
            return refusal(Message("too_many"))
        if not HOST.fullmatch(headers.get(b"host", b"")):  # it becomes part of links and QR codes
            return refusal(Message("request_http", {"problem": "Host"}))
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:12]) > self._settings.frame_bytes:
            return refusal(Message("body_large", {"most": self._settings.frame_bytes}))
        return None

    def _bounded(self, receive: Any) -> Any:
        """Refuse a body of unknown length as soon as it is too long."""
        read = 0

        async def bounded() -> Any:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._settings.frame_bytes:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        return bounded


def _believe_scheme(scope: Any) -> None:
    """Use the client's scheme for links: TLS ends at the proxy."""
    forwarded = Headers(scope=scope).get("x-forwarded-proto", "").strip().lower()
    if forwarded in ("http", "https"):
        plain = "ws" if scope["type"] == "websocket" else "http"
        scope["scheme"] = forwarded.replace("http", plain)


class SocketGate:
    """Decides who may open a socket: pages from our own address, and programs. Limits how many."""

    def __init__(self, house: House, rates: Rates) -> None:
        self._house = house
        self._rates = rates
        self._open = house.ledger.tally("sockets")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address = scope["client"][0]
        settings = self._house.settings
        await receive()  # websocket.connect
        if not self._welcome(Headers(scope=scope)):
            await self._refuse(send, "origin_refused")
            return
        full = self._open.total >= settings.sockets
        many = self._open.count(address) >= settings.sockets_per_address
        if full or many or not self._rates.requests.take(address):
            await self._refuse(send, "too_many")
            return
        code = scope["path_params"]["code"]
        self._open.add(address)
        try:
            await send({"type": "websocket.accept"})
            wire = scope["wire"]
            await Guest(self._house, self._rates, code, address, wire, receive, send).run()
        finally:
            self._open.remove(address)

    async def _refuse(self, send: Any, key: str) -> None:
        """Close before the upgrade; the client sees HTTP 403."""
        CLOSED.labels(key).inc()
        await send({"type": "websocket.close", "code": CLOSE_CODES[key]})

    def _welcome(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:
            return True
        settings = self._house.settings
        own = {headers.get("host", ""), urlsplit(settings.public_url).netloc}
        return origin in settings.origins or _host_of(origin) in own - {""}


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # not from a browser
        return ""
