"""Replays the logs of tables, without blocking the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from hastilude.server import log
from hastilude.server.errors import Refusal
from hastilude.server.store import Store
from hastilude.server.table import Table

SLICE_SECONDS = 0.002  # after this, the event loop gets a turn


class Replayer:
    """Replays one log at a time: many at once would block the event loop like one long slice."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one_at_a_time = asyncio.Lock()

    async def table(self, code: str, match: int | None = None) -> tuple[Table, dict[int, bytes]]:
        """The table as it is now, or as it was at the end of a match, and its master seeds."""
        rows = await self._store.entries(code)
        if not rows:
            raise Refusal.of("table_unknown", code=code)
        masters = await self._store.masters(code)
        table = Table(code, masters.__getitem__)
        async with self._one_at_a_time:
            await _fold(table, rows, match)
        return table, masters


async def _fold(table: Table, rows: Sequence[Any], match: int | None) -> None:
    pause = time.monotonic() + SLICE_SECONDS
    for row in rows:
        entry = log.entries.validate_json(row.entry)
        if isinstance(entry, log.Started) and table.number == match:
            break
        table.apply(entry, row.at)
        if time.monotonic() > pause:
            await asyncio.sleep(0)
            pause = time.monotonic() + SLICE_SECONDS
