"""The card tracker: who is allowed to use it, and what it shows."""

import random

import pytest

import hastilude
from hastilude.server import log
from tests.server.folding import Folded
from tests.server.running import Address
from tests.variants import PARAMETERS

TRACKED = [one for one in PARAMETERS if one.values[0] in ("tornei", "triatri")]


@pytest.mark.parametrize(
    ("game", "wanted", "allowed"),
    [
        ("tornei", {}, False),  # friends: the host has to allow it
        ("tornei", {"tracker": True}, True),
        ("tornei", {"seats": [None, "page", "page", "page"]}, True),  # nobody else minds
        ("tornei", {"seats": [None, "page", "page", "page"], "tracker": False}, False),
        ("triatri", {"seats": [None, None, "page"], "practice": True}, False),
        ("kings_tournament", {"tracker": True}, None),  # its discard piles are open (K15)
    ],
)
def test_the_host_decides_who_may_use_it(hall: Address, game, wanted, allowed):
    code = hall.open_table(game, **wanted)["code"]
    assert hall.get(f"/api/tables/{code}")["tracker"] is allowed
    spectator = hall.client(code)
    assert spectator.expect("welcome")["tracker"] is allowed
    seats = hall.get(f"/api/tables/{code}")["seats"]
    for name in ("Anna", "Ben", "Cleo", "Dora")[: [seat["kind"] for seat in seats].count("empty")]:
        hall.sit(code, name)
    update = spectator.wait_for(lambda update: update["view"])
    assert (update["tracker"] is not None) == (allowed is True)


def test_tables_opened_before_there_was_a_tracker_have_none():
    table = Folded("tornei", seats=[None] * 4)
    stored = table.log[0][0].model_dump()
    assert not stored.pop("tracker")
    assert log.entries.validate_python(stored).tracker is False


@pytest.mark.parametrize(("name", "options"), TRACKED)
def test_every_card_of_the_pack_is_held_seen_or_unseen(name, options):
    """Against what the records of chance and plays say."""
    match, choose = hastilude.load(name, **options).new(seed=5), random.Random(5)
    while not match.over:
        for viewer in (None, 0):
            check(match, viewer)
        match.play(match.turn, choose.choice(match.legal(match.turn)))


def check(match, viewer):
    tracked = [
        (card if card == suit.suit else suit.suit + card, where)
        for suit in match.tracker(viewer)
        for card, where in suit.cards
    ]
    deal = next(event[1] for event in match.record().events[::-1] if event[0] == "deal")
    everything = [card for cards in flat(deal) for card in cards]
    assert sorted(card for card, _ in tracked) == sorted(everything)
    view = match.view(viewer)
    assert sorted(card for card, where in tracked if where == "hand") == sorted(view.hand)
    unseen = [card for card, where in tracked if where == "unseen"]
    others = sum(size for seat, size in enumerate(view.hand_sizes) if seat != viewer)
    assert len(unseen) == others - known(view, viewer) + face_down(view, viewer)


def flat(deal):
    return [*deal["hands"], *(cards for part, cards in deal.items() if part != "hands")]


def known(view, viewer):
    """Cards in the hands of others that everybody has seen."""
    hands = getattr(view, "known", ())
    return sum(len(cards) for seat, cards in enumerate(hands) if seat != viewer)


def face_down(view, viewer):
    """Cards of others that lie face down: predictions, the dummy's pile, the cards set aside."""
    predicted = getattr(view, "predicted", ())
    hidden = sum(down for seat, down in enumerate(predicted) if seat != viewer)
    dummy = getattr(view, "dummy", None)
    return hidden + (dummy.pile_left if dummy else 0) + getattr(view, "aside", 0)
