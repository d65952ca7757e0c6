"""The named parts of an encoding."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    name: str
    size: int
    meaning: str


class Layout:
    """Where in an encoding each named part lies.

    >>> layout = Layout(Part("hand", 3, "cards held"), Part("turn", 1, "whose turn"))
    >>> layout.size, layout["turn"]
    (4, slice(3, 4, None))
    """

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self._slices: dict[str, slice] = {}
        self.size = 0
        for part in parts:
            self._slices[part.name] = slice(self.size, self.size + part.size)
            self.size += part.size

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def start(self, name: str) -> int:
        return int(self._slices[name].start)

    def table(self) -> str:
        """The layout as a Markdown table, for the documentation."""
        rows = [
            f"| `{part.name}` | {self.start(part.name)} | {part.size} | {part.meaning} |"
            for part in self.parts
        ]
        head = ["| part | from | size | meaning |", "|---|---:|---:|---|"]
        return "\n".join([*head, *rows, f"| *total* | | **{self.size}** | |"])
