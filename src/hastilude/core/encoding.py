"""The named parts of an encoding, and how sets are written into it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hastilude.core.bits import ONE, Bits
from hastilude.core.kernel import kernel

_BYTE = 8
_SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")


@kernel
def write_bits(out: npt.NDArray[np.uint8], first: int, bits: Bits, size: int) -> None:
    """Write a set of numbers below `size` as `size` bytes of 0 or 1, eight at a time."""
    whole = size // _BYTE
    for k in range(whole):
        spread = _SPREAD[(bits >> np.uint64(_BYTE * k)) & np.uint64(255)]
        for j in range(_BYTE):
            out[first + _BYTE * k + j] = spread[j]
    for number in range(_BYTE * whole, size):
        out[first + number] = (bits >> np.uint64(number)) & ONE


@dataclass(frozen=True)
class Part:
    name: str
    size: int
    meaning: str


class Layout:
    """The position of each named part in an encoding.

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
