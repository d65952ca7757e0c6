"""The server's exceptions: refused requests and failed writes."""

from hastilude.core.errors import HastiludeError


class Refusal(HastiludeError):
    """A request that the server refuses, with the reason."""


class AlreadyPlayed(Exception):
    """A play that was sent again although it is already stored, as `version`."""

    def __init__(self, version: int) -> None:
        self.version = version


class TableGone(Exception):
    """An entry for a table that has been deleted."""


class StoreFailed(HastiludeError):
    """The database is damaged, or unavailable while the server stops. The log names the cause."""
