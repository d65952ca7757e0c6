"""What a request, a write or a connection can end with, other than success."""

from hastilude.core.errors import HastiludeError


class Refusal(HastiludeError):
    """Something a client wanted and may not have."""


class Again(Exception):
    """A play that is already kept, sent once more: it became `version` then."""

    def __init__(self, version: int) -> None:
        self.version = version


class TableGone(Exception):
    """An entry for a table that is not kept any more."""


class StoreFailed(HastiludeError):
    """The database is damaged, or unavailable while the server stops. The log names the cause."""
