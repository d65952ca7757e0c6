"""Start-up: what the command line asked for, or an unfinished match."""

from __future__ import annotations

from dataclasses import dataclass

from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.terminal.local import LocalSettings, LocalTable, new_table, resumed_table
from hastilude.terminal.saved import SavedMatch
from hastilude.terminal.seating import LEVEL, Seating


@dataclass(frozen=True)
class Startup:
    """What the command line asked for. People choose what is missing."""

    settings: LocalSettings
    game: Game | None = None
    seating: Seating | None = None
    level: str = LEVEL
    new: bool = False
    resume: bool = False

    def offered(self) -> list[SavedMatch]:
        """The unfinished matches to choose from, the latest first."""
        if self.new:
            return []
        return self.settings.saved.unfinished(self.game.name if self.game else None)

    async def table(self) -> LocalTable | None:
        """The table, unless people must choose first; OptionError if there is nothing to resume."""
        if self.resume:
            saved = self.offered()
            if not saved:
                raise OptionError.of("terminal_nothing_kept")
            return await resumed_table(saved[0], self.settings)
        if self.game and self.seating and not self.offered():
            return await new_table(self.game, self.seating, self.settings)
        return None
