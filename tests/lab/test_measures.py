"""What is estimated of made-up games is what is known about them."""

import numpy as np
import pytest

import hastilude
from hastilude import lab
from hastilude.lab.deal import Deal, table_of
from hastilude.lab.measures import MEASURES, added
from hastilude.lab.measures.choices import Cards
from hastilude.lab.measures.course import Phases
from hastilude.lab.measures.measure import lead
from hastilude.lab.measures.results import places
from hastilude.lab.measures.strength import matches_until_ahead, parts_of, shares_of
from hastilude.lab.study import Variant
from tests.lab import synthetic


def test_places_are_shared_by_equal_scores():
    assert places(np.array([5, 9, 5, 1])).tolist() == [2.5, 1, 2.5, 4]


def test_a_lead_is_over_the_mean_of_the_others():
    assert lead(np.array([6.0, 3.0, 0.0])).tolist() == [4.5, 0, -4.5]


# Seats have cards and places of their own, players have skill, chance does the rest.
def results(rng, deals, seats, seat, cards, skill, suits, chance):
    """Results by deal, seat, player and repeat, as of matches in which all seats share a victory:
    what one seat gets more, the others get less."""
    place = np.linspace(-1, 1, seats)
    place *= seat / place.std()
    strong = np.linspace(-1, 1, seats)
    strong *= skill / strong.std()
    for _ in range(deals):
        dealt = rng.normal(0, cards, seats)
        fit = rng.normal(0, suits, (seats, seats))
        y = np.empty((seats, seats, 2))
        for turn in range(seats):
            for repeat in range(2):
                one = np.array([
                    place[s] + dealt[s] + strong[(s - turn) % seats] + fit[s, (s - turn) % seats]
                    for s in range(seats)
                ]) + rng.normal(0, chance, seats)  # fmt: skip
                one -= one.mean()
                for s in range(seats):
                    y[s, (s - turn) % seats, repeat] = one[s]
        yield y


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_luck_is_divided_as_it_was_made(seats):
    spreads = {"seat": 0.2, "cards": 0.6, "skill": 0.5, "suits": 0.0, "chance": 0.8}
    rng = np.random.default_rng(1)
    sums = added(parts_of(y) for y in results(rng, 6000, seats, **spreads))
    # The mean of all seats is taken out of each match, so a part of every random number is lost.
    left = (seats - 1) / seats
    wanted = np.array([0.04, 0.36 * left, 0.25, 0.0, 0.64 * left])
    assert shares_of(sums) == pytest.approx(wanted / wanted.sum(), abs=0.02)


def test_luck_knows_which_cards_suit_whom():
    spreads = {"seat": 0.0, "cards": 0.5, "skill": 0.0, "suits": 1.0, "chance": 0.0}
    sums = added(parts_of(y) for y in results(np.random.default_rng(2), 4000, 4, **spreads))
    # What suits a player is in part the same for all players of a seat, which counts as cards:
    # of its 16 numbers 3 are differences between seats, and 4 are lost with the means of matches.
    suits, cards = 1.0 * 9 / 16, 0.25 * 3 / 4 + 1.0 * 3 / 16
    assert shares_of(sums) == pytest.approx(
        np.array([0, cards, 0, suits, 0]) / (suits + cards), abs=0.02
    )


def test_equal_players_without_chance_have_only_cards():
    spreads = {"seat": 0.0, "cards": 1.0, "skill": 0.0, "suits": 0.0, "chance": 0.0}
    sums = added(parts_of(y) for y in results(np.random.default_rng(3), 500, 3, **spreads))
    assert shares_of(sums)[1:] == pytest.approx([1, 0, 0, 0], abs=0.01)


def test_what_a_section_decides_is_its_part_of_the_variance():
    rng = np.random.default_rng(4)
    table = synthetic.table(2, sections=("first", "second"), stages=("first", "second"))
    phases = Phases(table)
    sums = added(phases.gather(synthetic.Added(table, (1.0, 2.0), rng)) for _ in range(20_000))
    assert phases.estimate(sums) == pytest.approx([0.2, 0.8], abs=0.03)


def test_a_card_is_worth_what_it_adds_and_what_the_others_lack():
    rng = np.random.default_rng(5)
    values, copies = np.array([0.0, 1.0, 2.0, 5.0]), np.array([4, 3, 2, 1])
    pack = np.repeat(np.arange(4), copies)
    table = synthetic.table(2, cards=4)
    cards = Cards(table)
    sums = added(cards.gather(synthetic.Dealt(table, pack, values, 4, rng)) for _ in range(12_000))
    mean = values @ copies / copies.sum()
    # What is not in the own hand of 4 is in the other's with probability 4 / 6.
    wanted = (values - mean) * (1 + 4 / 6)
    assert cards.estimate(sums)[:4] == pytest.approx(wanted, abs=0.25)


def test_matches_until_the_better_player_is_ahead():
    """As often as simulated: with a win chance of 60 %, 95 % of runs of that length are won."""
    chance = 0.6
    mean, spread = 2 * chance - 1, 2 * np.sqrt(chance * (1 - chance))
    count = round(matches_until_ahead(mean / spread))
    rng = np.random.default_rng(6)
    won = rng.binomial(count, chance, 20_000)
    ahead = (won > count / 2).mean() + (won == count / 2).mean() / 2
    assert ahead == pytest.approx(0.95, abs=0.01)
    assert matches_until_ahead(-0.1) == np.inf


@pytest.mark.parametrize("name", hastilude.games())
@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_a_figure_for_each_label(name, measure):
    game = hastilude.load(name)
    bots = ("random", *("reference",) * (game.seats - 1))
    table = table_of(Variant("a", game, bots))
    one = MEASURES[measure](table)
    sums = added(one.gather(Deal(table, 1, number)) for number in range(2))
    assert one.estimate(sums).shape == (len(one.labels),)


def test_equal_bots_play_equally_and_a_better_one_wins():
    table = {"question": "?", "game": "triatri", "options": {"players": 2}, "batch": 5}
    study = lab.of("skill", table | {"measures": ["ladder"], "bots": ["reference", "random"],
                                     "deals": 200})  # fmt: skip
    share, matches = lab.run(study, workers=1).variants[0].figures["ladder"]
    assert share.significant
    assert share.value > 0.6
    assert 1 <= matches.low <= matches.value <= matches.high < 20
