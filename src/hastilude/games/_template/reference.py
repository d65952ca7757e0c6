"""Template's reference policy: the highest card first, which nobody can punish here."""

from hastilude.core.bits import highest
from hastilude.core.kernel import kernel
from hastilude.core.random import Rng
from hastilude.core.rules import Cards, State


@kernel
def reference(s: State, seat: int, rng: Rng, work: Cards) -> int:
    return highest(s["hand"][seat])
