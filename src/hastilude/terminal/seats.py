"""The seats that people of this machine have at tables of servers, so that they come back to them.

A token is all that a seat asks for: the folder and its files are for their owner alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from platformdirs import user_config_path

from hastilude.core.files import replacing


class Seats:
    """One file a table, with the tokens by name, the last one used at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_config_path("hastilude") / "seats"

    def token(self, table: str, name: str | None = None) -> str | None:
        """The token of the person of that name, or of whoever was there last."""
        kept = self._read(table)
        return kept.get(name) if name else next(reversed(kept.values()), None)

    def keep(self, table: str, name: str, token: str) -> None:
        """OSError if it cannot be written."""
        kept = {one: other for one, other in self._read(table).items() if other != token}
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
        except (OSError, ValueError):  # nobody was there, or it is not ours
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
