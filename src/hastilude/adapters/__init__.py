"""The games as environments of the libraries that researchers use: the extra `research`.

One module a library: `pettingzoo`, `open_spiel`, `gymnasium`. They translate between the library's
words and ours, and nothing else in the package imports those libraries.
"""

from hastilude.messages import Message

REWARDS = ("match", "score")  # the match's result at its end, or score differences as they happen


def missing(error: ImportError) -> ImportError:
    """The error to raise instead: it says what to install."""
    return ImportError(str(Message("research_missing", {"module": error.name})), name=error.name)
