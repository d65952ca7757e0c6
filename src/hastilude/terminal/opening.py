"""How an evening begins: with what the command line asked for, or an unfinished match."""

from __future__ import annotations

from dataclasses import dataclass

from hastilude.core.errors import OptionError
from hastilude.core.game import Game
from hastilude.terminal.local import House, LocalTable, new_table, resumed_table
from hastilude.terminal.party import LEVEL, Party
from hastilude.terminal.shelf import Kept


@dataclass(frozen=True)
class Opening:
    """What was asked for. Without a game and a party, people choose them."""

    house: House
    game: Game | None = None
    party: Party | None = None
    level: str = LEVEL
    new: bool = False
    resume: bool = False

    def offered(self) -> list[Kept]:
        """The unfinished matches that come into question, the latest first."""
        if self.new:
            return []
        return self.house.shelf.unfinished(self.game.name if self.game else None)

    async def table(self) -> LocalTable | None:
        """The table, if no question is open. OptionError if there is nothing to resume."""
        if self.resume:
            kept = self.offered()
            if not kept:
                raise OptionError.of("terminal_nothing_kept")
            return await resumed_table(kept[0], self.house)
        if self.game and self.party and not self.offered():
            return await new_table(self.game, self.party, self.house)
        return None
