"""Unfinished matches, saved in the user's data directory until they are finished.

Each has a folder. `table.json` is written once and says who sits where. `match.json` is the record,
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
from hastilude.terminal.seating import Seating

try:
    import fcntl
except ImportError:  # Windows: nothing notices a match that is open in two terminals
    fcntl = None  # type: ignore[assignment]

FORMAT = 1


class SavedMatch:
    """One saved match. While it is held, no other terminal offers it."""

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
            self.release()
            return False
        return True

    def is_free(self) -> bool:
        """Whether there is a match, and no other terminal holds it."""
        if not self.record_path.exists() or not self.hold():
            return False
        self.release()
        return True

    def release(self) -> None:
        if self._hold:
            self._hold.close()
            self._hold = None

    def save(self, record: Record) -> None:
        record.save(self.record_path)

    def load(self) -> tuple[Match, Seating]:
        """Hold the match and continue it with new chance events; RecordError if that fails."""
        if not self.hold():
            raise RecordError.of("terminal_kept_busy", path=str(self.folder))
        record, seating = self.read()
        return replay(record, then=SeededChance(secrets.randbelow(SEEDS))), seating

    def read(self) -> tuple[Record, Seating]:
        record = Record.load(self.record_path)
        try:
            table = json.loads((self.folder / "table.json").read_text("utf-8"))
            return record, Seating(tuple(table["players"]), tuple(table["names"]))
        except (OSError, ValueError, KeyError, TypeError):
            raise RecordError.of("terminal_kept_unreadable", path=str(self.folder)) from None

    def described(self, language: str) -> dict[str, str]:
        """Its game's `title`, `when` it was last played, and its `players`; RecordError if it
        cannot be read."""
        record, seating = self.read()
        try:
            game = load(record.game, **record.options)
        except OptionError as error:
            raise RecordError.of("record_options", problem=error.message) from None
        return {
            "title": game.title,
            "when": f"{self.when:%Y-%m-%d %H:%M}",
            "players": ", ".join(seating.names(game, language)[: game.seats]),
        }

    def forget(self) -> None:
        self.release()
        shutil.rmtree(self.folder, ignore_errors=True)


class SavedMatches:
    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_data_path("hastilude") / "unfinished"

    def add(self, game: Game, seating: Seating) -> SavedMatch:
        """A folder for a new match, held; OSError if it cannot be created."""
        self.folder.mkdir(parents=True, exist_ok=True)
        saved = SavedMatch(Path(tempfile.mkdtemp(prefix=f"{game.name}-", dir=self.folder)))
        table = {"version": FORMAT, "players": seating.players, "names": seating.given}
        (saved.folder / "table.json").write_text(json.dumps(table, ensure_ascii=False), "utf-8")
        saved.hold()
        return saved

    def unfinished(self, game: str | None = None) -> list[SavedMatch]:
        """The matches (of a game) that can be continued, the latest first."""
        wanted = "*" if game is None else f"{game}-*"
        free = [match for match in map(SavedMatch, self.folder.glob(wanted)) if match.is_free()]
        return sorted(free, key=lambda match: match.when, reverse=True)
