"""Which tests run one after another in the same test process, instead of in whichever is free.

pytest-xdist has marks for this, but with pytest 9.2 they do nothing (pytest-xdist issue 1386).
"""

from xdist.scheduler import LoadScopeScheduling

# Most share kernels that nothing else uses; several processes would compile them several times.
TOGETHER = {
    "tests/adapters/test_examples.py": "learning",
    "tests/adapters/test_gymnasium.py": "learning",
    "tests/adapters/test_open_spiel.py": "open_spiel",
    "tests/kings_tournament/test_mixing.py": "mixing",
    "tests/workers/test_cluster.py": "cluster",  # they share a Ray
}


class Scheduling(LoadScopeScheduling):
    """The groups with the most tests begin first, single tests fill the gaps at the end."""

    def _split_scope(self, nodeid: str) -> str:
        """The group of a test; a test without one is a group of its own."""
        file = nodeid.partition("::")[0]
        if file.startswith("tests/web/"):
            return file  # its tests may share a server and what was played there
        return TOGETHER.get(file, nodeid)
