"""Makes reviews in a process of its own: `python -m hastilude.reviews.worker`.

An order is one line of JSON on stdin, with a `record` and a `seat`. The answer is lines of JSON on
stdout: the `total` number of pieces, each piece (a `point` or a `decision`) as soon as it is ready,
and at the `end` what the whole review adds. The process has the lowest priority, and ends when its
pipes do.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

LINE_BYTES = 1024 * 1024  # the maximum of an order and of a piece
LOWEST_PRIORITY = 19


def main() -> None:
    give_way()
    try:
        while order := sys.stdin.buffer.readline(LINE_BYTES):
            for piece in pieces(**json.loads(order)):
                sys.stdout.buffer.write(json.dumps(piece, ensure_ascii=False).encode() + b"\n")
                sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(0)  # without another attempt to write what is buffered


def give_way() -> None:
    """Give everything else on this machine priority over this process."""
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    # Linux may share out time among sessions first, and then priorities count only inside one. The
    # server starts this process in a session of its own.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY))


def pieces(record: str, seat: int) -> Iterator[dict[str, Any]]:
    # Importing the compiler takes a second, which should have the lowest priority too.
    from hastilude.core.record import Record  # noqa: PLC0415
    from hastilude.games.registry import replay  # noqa: PLC0415
    from hastilude.reviews.review import Reviewer, open_graph  # noqa: PLC0415

    match = replay(Record.from_json(record))
    reviewer = Reviewer(match, seat)
    yield {"total": reviewer.total}
    while not reviewer.finished:
        points = len(reviewer.graph)
        reviewer.advance()
        if len(reviewer.graph) > points:
            yield {"point": asdict(reviewer.graph[-1])}
        else:
            yield {"decision": asdict(reviewer.decisions[-1])}
    review = reviewer.review()
    opened = open_graph(match, [point.step for point in reviewer.graph])
    yield {
        "end": {
            "result": asdict(review.graph[-1]),
            "balance": asdict(review.balance),
            "open": [asdict(point) for point in opened],
        }
    }


if __name__ == "__main__":
    main()
