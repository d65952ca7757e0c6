"""What all tables of a server share."""

from dataclasses import dataclass

from hastilude.server.peers import Peers
from hastilude.server.settings import Settings
from hastilude.server.store import Store
from hastilude.server.thinking import Thinkers
from hastilude.server.time import Time
from hastilude.server.tokens import Sources

ALIVE_BEATS = 5  # after so many missing heartbeats, a server counts as dead


@dataclass(frozen=True)
class Services:
    store: Store
    peers: Peers
    time: Time
    settings: Settings
    sources: Sources
    thinkers: Thinkers

    def alive_since(self) -> int:
        """The time since which other servers must have had a heartbeat to count as alive."""
        return self.time.now() - int(1000 * ALIVE_BEATS * self.settings.beat_seconds)
