"""Stands in for the worker of reviews: fast, and a test decides when it goes on, and what it says.

    python review_worker.py FOLDER

It notes its process and its orders in the folder. After the first piece of a review it waits until
there is a file `go`; if there is a file `says`, it says that instead and ends.
"""

import json
import os
import sys
import time
from pathlib import Path

FIRST = {"point": {"step": 0, "chances": [[0.5, 0.02], [0.5, 0.02]]}}
RESULT = {"step": 9, "chances": [[1.0, 0.0], [0.0, 0.0]]}
BALANCE = {part: [0.2, 0.1] for part in ("start", "deal", "others", "offered", "given_away")}
END = {"end": {"result": RESULT, "balance": {**BALANCE, "outcome": 1.0}, "open": [RESULT]}}


def main(folder: Path) -> None:
    draft = folder / "starting"
    draft.write_text(str(os.getpid()))
    draft.replace(folder / "worker")  # so that the test never reads half of it
    for line in sys.stdin:
        order = json.loads(line)
        names = json.loads(order["record"])["names"]
        with (folder / "orders").open("a") as orders:
            orders.write(f"{names[0]}{order['seat']}\n")
        say({"total": 1})
        say(FIRST)
        while not (folder / "go").exists():
            time.sleep(0.01)
        if (folder / "says").exists():
            sys.stdout.write((folder / "says").read_text())
            return
        say(END)


def say(piece: object) -> None:
    sys.stdout.write(json.dumps(piece) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
