"""What the lab can measure."""

from hastilude.lab.deal import Table
from hastilude.lab.measures.choices import Actions, Cards
from hastilude.lab.measures.course import Comebacks, Feats, Phases, Roles, Starts
from hastilude.lab.measures.measure import Label, Measure, Sums, added
from hastilude.lab.measures.results import Length, Margin, Seats, Ties
from hastilude.lab.measures.strength import Ladder, Luck

__all__ = ["EXACT", "MEASURES", "Label", "Measure", "Sums", "added", "measures_of"]

MEASURES: dict[str, type[Measure]] = {
    "seats": Seats,
    "ties": Ties,
    "margin": Margin,
    "length": Length,
    "comebacks": Comebacks,
    "phases": Phases,
    "roles": Roles,
    "starts": Starts,
    "feats": Feats,
    "cards": Cards,
    "actions": Actions,
    "ladder": Ladder,
    "luck": Luck,
}
EXACT = "exact"  # is worked out by the game, without deals


def measures_of(names: tuple[str, ...], table: Table) -> dict[str, Measure]:
    return {name: MEASURES[name](table) for name in names}
