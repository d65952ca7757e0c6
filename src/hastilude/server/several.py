"""Serves with several workers. Their number is known before anything of the server is imported,
because the metrics are kept in another way then."""
# ruff: noqa: PLC0415

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable

from hastilude.core.errors import OptionError
from hastilude.server.settings import Settings, is_postgres

MOST = 64


def check(settings: Settings) -> None:
    """OptionError if there cannot be so many workers."""
    if not 1 <= settings.workers <= MOST:
        raise OptionError.of("workers_range", value=settings.workers, most=MOST)
    if settings.workers > 1 and not is_postgres(settings.database):
        raise OptionError.of("workers_need_postgres")
    if settings.workers > 1 and sys.platform != "linux":
        raise OptionError.of("workers_need_linux")


def serve(
    read: Callable[[], Settings], preparing: Callable[[], None], ready: Callable[[str], None]
) -> None:
    """Serve until a signal arrives. `read` reads the settings, now and for each restart."""
    # While the server is not ready, SIGTERM ends it but not its folder, and a restart waits.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    with tempfile.TemporaryDirectory(prefix="hastilude-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # see metrics.py
        from hastilude.server import supervisor

        failed = supervisor.serve(read, preparing, ready)
    if failed:
        sys.exit(failed)
