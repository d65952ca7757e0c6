"""Who is connected to a table, through this server or another, and who is missing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from hastilude.server.table import Table
from hastilude.server.time import Time


@dataclass(frozen=True)
class Place:
    """A place in the queue for a seat."""

    name: str
    seed: str
    number: int  # lower ones come first


class Visitor(Protocol):
    """A connection to a table: its seat (None: a spectator), its address, and its place in the
    queue, if a spectator waits for a seat."""

    seat: int | None
    address: str
    queued: Place | None


class Attendance:
    def __init__(
        self, table: Table, guests: Collection[Visitor], time: Time, opener: str = ""
    ) -> None:
        self.elsewhere: set[int] = set()  # seats whose people are connected to other servers
        self.missed: dict[int, int] = {}  # seats whose people are not connected, and since when
        self._table = table
        self._guests = guests
        self._time = time
        self._opener = opener  # the address that opened the table, if this server still knows it

    def here(self) -> set[int]:
        """The seats whose people are connected, through this server or another."""
        return {guest.seat for guest in self._guests if guest.seat is not None} | self.elsewhere

    def queue(self) -> list[Place]:
        """Who waits for a seat, through this server."""
        places = [guest.queued for guest in self._guests if guest.queued]
        return sorted(places, key=lambda place: place.number)

    def note_missed(self) -> None:
        now = self._time.now()
        here = self.here()
        self.missed = {
            seat: self.missed.get(seat, now) for seat in self._table.people() if seat not in here
        }

    @property
    def anybody(self) -> bool:
        """Whether anybody is connected to the table."""
        return bool(self._guests or self.elsewhere)

    @property
    def address(self) -> str:
        """The address whose share of thinking time the table's bots use: that of the client who
        opened it, otherwise of somebody who sits there."""
        people = (guest.address for guest in self._guests if guest.seat is not None)
        return self._opener or next(people, "")
