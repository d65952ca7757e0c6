"""The encoding says the same as the view."""

import numpy as np
import pytest

import hastilude
from hastilude.core.calls import encode_at
from hastilude.games.kings_tournament.encode import LAYOUT
from hastilude.games.kings_tournament.notation import CARD_TEXTS
from hastilude.games.kings_tournament.view import PHASES
from hastilude.testing import played
from tests.kings_tournament.subject import VARIANTS
from tests.variants import label, subject


def encoding(match, viewer):
    out = np.zeros(LAYOUT.size, np.uint8)
    encode_at(match.redacted(viewer), 0, out)
    return {part.name: out[LAYOUT[part.name]].tolist() for part in LAYOUT.parts}


def counts(*piles):
    return [pile.count(card) for pile in piles for card in CARD_TEXTS]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: label("", options))
def test_encoding_says_the_same_as_the_view(options):
    for match, choose in played(subject("kings_tournament", options, matches=2)):
        viewer = choose.choice((0, 1, None))
        view, found = match.view(viewer), encoding(match, viewer)
        order = (1, 0) if viewer == 1 else (0, 1)

        def by_seat(values, order=order):
            return [int(values[seat]) for seat in order]

        assert found["hand"] == counts(view.hand)
        assert found["choice"][: len(view.choice)] == [
            1 + CARD_TEXTS.index(card) for card in view.choice
        ]
        assert found["unseen"] == counts(*(view.unseen[seat] for seat in order))
        assert found["sure"] == counts(*(view.sure[seat] for seat in order))
        assert found["hand_sizes"] == by_seat(view.hand_sizes)
        assert found["deck_sizes"] == by_seat(view.deck_sizes)
        assert found["mounted"] == by_seat(view.mounted)
        assert found["chosen"] == by_seat(view.chosen)
        assert found["won"] == by_seat(view.scores)
        assert found["pending"] == [int(seat in view.pending) for seat in order]
        assert found["leader"] == [int(seat == view.leader) for seat in order]
        assert found["reveals"] == [view.reveals // 256, view.reveals % 256]
        assert found["phase"] == [int(phase == view.phase) for phase in PHASES]
        assert sum(found["seen"][:12]) == 33 - sum(
            (view.hand_sizes[order[0]], view.deck_sizes[order[0]])
        )


def test_the_size_is_stated():
    assert hastilude.load("kings_tournament").layout.size == LAYOUT.size == 139
