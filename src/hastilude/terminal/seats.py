"""The seats that people on this machine have at servers' tables, so that they can return to them.

Whoever has a seat's token has the seat, so only their owner can read the folder and its files.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from platformdirs import user_config_path

from hastilude.core.files import replacing


class Seats:
    """One file per table, with the tokens by name; the last used token is at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_config_path("hastilude") / "seats"

    def token(self, table: str, name: str | None = None) -> str | None:
        """The token for that name, or the last one used."""
        kept = self._read(table)
        return kept.get(name) if name else next(reversed(kept.values()), None)

    def keep(self, table: str, name: str, token: str) -> None:
        """OSError if it cannot be written."""
        kept = {known: other for known, other in self._read(table).items() if other != token}
        kept.pop(name, None)
        self._write(table, kept | {name: token})

    def forget(self, table: str, token: str) -> None:
        kept = {name: other for name, other in self._read(table).items() if other != token}
        self._write(table, kept)

    def path(self, table: str) -> Path:
        return self.folder / f"{quote(table, safe='')}.json"

    def _read(self, table: str) -> dict[str, str]:
        try:
            kept = json.loads(self.path(table).read_text("utf-8"))
        except (OSError, ValueError):  # no such file, or not one of ours
            return {}
        known = kept.items() if isinstance(kept, dict) else ()
        return {name: token for name, token in known if isinstance(token, str)}

    def _write(self, table: str, kept: dict[str, str]) -> None:
        if not kept:
            self.path(table).unlink(missing_ok=True)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        with replacing(self.path(table), private=True) as draft:
            draft.write_text(json.dumps(kept, ensure_ascii=False), "utf-8")
