"""Which code made a result."""

import hashlib
from functools import cache
from pathlib import Path

from hastilude.core.kernel import PACKAGE, source_digest

LAB = Path(__file__).parent
# Besides what the digest of the kernels has: the seeds, the seats, and the options of a game.
MORE = ("arena/contest.py", "arena/tables.py", "games/*/game.py", "games/*/*.npz")
OTHERS = ("report", "findings.py", "library.py", "__init__.py")  # they read results, and make none


@cache
def code_digest() -> str:
    """A digest of the rules, the bots, what these have learned, how deals are made and seats are
    changed, and how the lab measures."""
    digest = hashlib.sha256(source_digest().encode())
    more = [path for pattern in MORE for path in PACKAGE.glob(pattern)]
    own = [path for path in LAB.rglob("*.py") if path.relative_to(LAB).parts[0] not in OTHERS]
    for path in sorted([*more, *own]):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
