"""Counts open connections, in total and per address, and finds a client's address."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from starlette.datastructures import Headers

from hastilude.server.limits import Ledger
from hastilude.server.metrics import CLOSED
from hastilude.server.settings import Settings

MAC_FILES = 10_240  # macOS refuses more, although it reports no limit
RESERVED_FILES = 100  # for the database, the log and the page
HOUSEHOLD_BITS = 64  # the part of an IPv6 address that is the same for all of one household
LOG_SECONDS = 60.0  # between two warnings about a limit

logger = logging.getLogger("hastilude")


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows; returns how many.

    Each connection is an open file, and the usual limit of 1,024 is too low.
    """
    if sys.platform == "win32":  # it has no such limit
        return sys.maxsize
    import resource  # noqa: PLC0415  # not on Windows

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(hard, MAC_FILES) if sys.platform == "darwin" else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return sys.maxsize if most == resource.RLIM_INFINITY else most


class Connections:
    """The open TCP connections of all protocols.

    Behind a proxy they all have its address, so only their total is limited here.
    """

    def __init__(self, settings: Settings, files: int, ledger: Ledger) -> None:
        self._most = max(1, files - RESERVED_FILES)
        self._most_per_address = (
            self._most if settings.behind_proxy else settings.connections_per_address
        )
        rate = ledger.rate("connections", settings.connection_rate)
        self._rate = None if settings.behind_proxy else rate
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._tally = ledger.tally("connections")
        self._warned = -LOG_SECONDS

    def add(self, transport: asyncio.BaseTransport, address: str, *, new: bool = True) -> bool:
        """Count a connection; False if there are too many, or too many new ones. One that comes
        from another worker is not new."""
        address = network_of(address)
        if len(self._addresses) >= self._most:
            self._warn("all %d connections are in use, new ones are refused", self._most)
            return False
        if self._tally.count(address) >= self._most_per_address:
            self._warn("an address has all its %d connections in use", self._most_per_address)
            return False
        if new and self._rate and not self._rate.take(address):
            CLOSED.labels("connections").inc()
            return False
        self._addresses[transport] = address
        self._tally.add(address)
        return True

    def remove(self, transport: asyncio.BaseTransport) -> None:
        address = self._addresses.pop(transport, None)
        if address is not None:
            self._tally.remove(address)

    def _warn(self, text: str, most: int) -> None:
        CLOSED.labels("connections").inc()
        if time.monotonic() - self._warned >= LOG_SECONDS:
            self._warned = time.monotonic()
            logger.warning(text, most)


# --- addresses ------------------------------------------------------------------------------------


@lru_cache(4096)
def network_of(address: str) -> str:
    """The key that limits use: an IPv4 address, or the network of an IPv6 address, because one
    household can use any number of addresses in it."""
    try:
        ip = ip_address(address)
    except ValueError:  # a Unix socket has no IP address
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(IPv6Network((int(ip), HOUSEHOLD_BITS), strict=False))


def client_of(scope: Any, settings: Settings) -> str:
    """The key of a request's client for limits."""
    address = scope["client"][0] if scope.get("client") else ""
    if settings.behind_proxy:
        address = _forwarded_for(scope, settings.proxies) or address
    return network_of(address)


def _forwarded_for(scope: Any, proxies: int) -> str:
    """The address that our outermost proxy saw. Each proxy adds one on the right; anything further
    left is the client's own claim."""
    lines = Headers(scope=scope).getlist("x-forwarded-for")
    added = [text.strip() for text in ",".join(lines).split(",")][-proxies:]
    return _without_port(added[0])


def _without_port(text: str) -> str:
    """The IP address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; else
    nothing."""
    bare = text[1:].partition("]")[0] if text.startswith("[") else text
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ip_address(bare))
    except ValueError:
        return ""
