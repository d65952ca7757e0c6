"""The lab: studies of the games, played by bots and measured with intervals.

>>> from hastilude import lab
>>> table = {"question": "Is one seat better off?", "game": "triatri", "measures": ["seats"]}
>>> study = lab.of("mine", table | {"bots": ["random"], "deals": 100, "batch": 5})
>>> found = lab.run(study, workers=1)
>>> first = found.variants[0].figures["seats"][0]
>>> first.label.part, first.label.row, first.low < first.value < first.high
('win share', 'seat 1', True)
"""

from hastilude.lab.findings import Figure, Findings, VariantFindings
from hastilude.lab.library import of, read, shipped, study
from hastilude.lab.running import Running, run
from hastilude.lab.study import Study, Variant

__all__ = [
    "Figure",
    "Findings",
    "Running",
    "Study",
    "Variant",
    "VariantFindings",
    "of",
    "read",
    "run",
    "shipped",
    "study",
]
