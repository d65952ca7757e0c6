"""Unfinished matches, kept in the user's data directory until they are played to their end.

Each has a folder: `table.json`, written once, tells who sits where; `match.json` is the record,
replaced as a whole after every move, so that nothing is lost when the terminal is closed or killed.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import IO

from platformdirs import user_data_path

from hastilude.core.chance import SEEDS, SeededChance
from hastilude.core.errors import OptionError, RecordError
from hastilude.core.game import Game
from hastilude.core.match import Match
from hastilude.core.record import Record
from hastilude.games.registry import load, replay
from hastilude.terminal.party import Party

try:
    import fcntl
except ImportError:  # Windows: a match open in two terminals is then not noticed
    fcntl = None  # type: ignore[assignment]

FORMAT = 1


class Kept:
    """One match on the shelf. It is held, so that no other terminal offers it, until `let_go`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hold: IO[str] | None = None

    @property
    def record_path(self) -> Path:
        return self.folder / "match.json"

    @property
    def when(self) -> datetime:
        return datetime.fromtimestamp(self.record_path.stat().st_mtime)

    def hold(self) -> bool:
        """False if another terminal has it."""
        try:
            self._hold = (self.folder / "table.json").open(encoding="utf-8")
            if fcntl:
                fcntl.flock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # another terminal has it, or it was finished just now
            self.let_go()
            return False
        return True

    def is_free(self) -> bool:
        """Whether there is a match, and in no other terminal."""
        if not self.record_path.exists() or not self.hold():
            return False
        self.let_go()
        return True

    def let_go(self) -> None:
        if self._hold:
            self._hold.close()
            self._hold = None

    def save(self, record: Record) -> None:
        record.save(self.record_path)

    def load(self) -> tuple[Match, Party]:
        """The match, held and to be played on with new luck; RecordError if it cannot be."""
        if not self.hold():
            raise RecordError.of("terminal_kept_busy", path=str(self.folder))
        record, party = self.read()
        return replay(record, then=SeededChance(secrets.randbelow(SEEDS))), party

    def read(self) -> tuple[Record, Party]:
        record = Record.load(self.record_path)
        try:
            table = json.loads((self.folder / "table.json").read_text("utf-8"))
            return record, Party(tuple(table["players"]), tuple(table["names"]))
        except (OSError, ValueError, KeyError, TypeError):
            raise RecordError.of("terminal_kept_unreadable", path=str(self.folder)) from None

    def described(self, language: str) -> dict[str, str]:
        """Its `title`, `when` it was left, its `players`; RecordError if it cannot be read."""
        record, party = self.read()
        try:
            game = load(record.game, **record.options)
        except OptionError as error:
            raise RecordError.of("record_options", problem=error.message) from None
        return {
            "title": game.title,
            "when": f"{self.when:%Y-%m-%d %H:%M}",
            "players": ", ".join(party.names(game, language)[: game.seats]),
        }

    def forget(self) -> None:
        self.let_go()
        shutil.rmtree(self.folder, ignore_errors=True)


class Shelf:
    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_data_path("hastilude") / "unfinished"

    def put(self, game: Game, party: Party) -> Kept:
        """A place for a new match, held; OSError if there can be none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = Kept(Path(tempfile.mkdtemp(prefix=f"{game.name}-", dir=self.folder)))
        table = {"version": FORMAT, "players": party.players, "names": party.given}
        (kept.folder / "table.json").write_text(json.dumps(table, ensure_ascii=False), "utf-8")
        kept.hold()
        return kept

    def unfinished(self, game: str | None = None) -> list[Kept]:
        """The matches (of a game) that can be gone on with, the latest first."""
        wanted = "*" if game is None else f"{game}-*"
        kept = [one for one in map(Kept, self.folder.glob(wanted)) if one.is_free()]
        return sorted(kept, key=lambda one: one.when, reverse=True)
