"""The finished deals of a contest, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hastilude.arena.contest import Contest
from hastilude.arena.deals import DealResult
from hastilude.arena.lines import Lines

FORMAT = 1


class Results(Lines[DealResult]):
    """One line per deal."""

    name = "arena"

    def __init__(self, contest: Contest, path: str | Path | None = None) -> None:
        super().__init__(FORMAT, contest.settings(), path)

    def key(self, result: DealResult) -> int:
        return result.deal

    def to_json(self, result: DealResult) -> dict[str, Any]:
        return result.to_json()

    def from_json(self, content: dict[str, Any]) -> DealResult:
        return DealResult.from_json(content)
