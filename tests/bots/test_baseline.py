"""The yardstick does not move, and the ceiling is for the arena alone."""

import pytest

import hastilude
from hastilude import bots
from hastilude.arena.contest import Contest
from hastilude.arena.deals import play_deal
from hastilude.core.errors import OptionError

# What `baseline:200` plays in all seats from the start of a match. This never changes: if it does,
# figures against the baseline can no longer be compared with earlier ones.
CHOICES = {
    "tornei": "F1 C7 S9 C5 F7 F5 F13 F12 F3 S8 S5 F2 S11 F6 F11 F9 C9 S1 W13 C4 C12 C14 C10 C1",
    "kings_tournament": "10 D B 5 1 3 7 2 9 8 6 B 2 4 5 6 4 10 D 3 8 D 6 2",
    "triatri": "G3 B6 R5 supply:R R7 R3 X own:R R6 R4 R2 own:R B4 G5 B7 supply:B B2 B5 G6 "
    "supply:B G7 G4 G2 G6",
}


def choices(name):
    game = hastilude.load(name)
    match = game.new(seed=5)
    players = [bots.make("baseline:200", game, seat) for seat in range(game.seats)]
    made = []
    while len(made) < 24:
        seat = match.turn
        action = players[seat].choose(match.redacted(seat), seat)
        made.append(game.text(action))
        match.play(seat, action)
    return " ".join(made)


@pytest.mark.parametrize("name", CHOICES)
def test_the_baseline_never_changes(name):
    assert choices(name) == CHOICES[name]


@pytest.mark.parametrize(
    ("name", "deals"), [("tornei", 4), ("kings_tournament", 8), ("triatri", 24)]
)
def test_with_all_cards_open_the_same_search_is_stronger(name, deals):
    contest = Contest.of(hastilude.load(name), ["ceiling:300", "baseline:300"])
    shares = []
    for deal in range(deals):
        for match in play_deal(contest, deal).matches:
            assert match.forfeit is None
            shares.append((match.seats.index("a") in match.winners) / len(match.winners))
    assert sum(shares) / len(shares) > 1.25 / contest.game.seats


def test_at_a_table_nobody_can_have_the_ceiling():
    assert "ceiling" not in bots.bots()
    with pytest.raises(OptionError):
        bots.make("ceiling:50ms", hastilude.load("triatri"), 1)
    with pytest.raises(OptionError):
        Contest.of(hastilude.load("triatri"), ["ceiling:fast", "random"])
