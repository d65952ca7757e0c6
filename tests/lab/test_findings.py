"""Figures and their intervals."""

import re

import numpy as np
import pytest

from hastilude import lab
from hastilude.arena.statistics import interval, t_quantile
from hastilude.lab.deal import table_of
from hastilude.lab.findings import WRONG, findings
from hastilude.lab.measures import EXACT, measures_of
from hastilude.lab.report.names import named
from hastilude.lab.report.tables import sentences
from hastilude.lab.report.words import UNKNOWN, answer, written
from hastilude.messages import render

TABLE = {"question": "?", "game": "kings_tournament", "measures": ["seats"], "bots": ["random"],
         "batch": 1}  # fmt: skip


def batch(share, lead=0.0, place=1.5):
    """A match of a deal, by the sums of the measure `seats`."""
    return 1, {"seats": {
        "matches": np.array([1.0]),
        "shares": np.array([share, 1 - share]),
        "leads": np.array([lead, -lead]),
        "places": np.array([place, 3 - place]),
    }}  # fmt: skip


def found(*variants, **table):
    names = [{"name": str(number)} for number in range(len(variants))]
    study = lab.of("who", TABLE | {"variants": names} | table)
    return findings(study, [dict(enumerate(batches)) for batches in variants])


def test_the_interval_of_a_mean_is_that_of_student_wider_for_all_figures_of_the_study():
    shares = np.random.default_rng(1).random(40)
    figure = found([batch(share) for share in shares]).variants[0].figures["seats"][0]
    alone = interval(shares.tolist())
    assert figure.value == pytest.approx(alone.mean)
    six_figures = t_quantile(39, WRONG / 2 / 6) / t_quantile(39)
    assert figure.high - figure.value == pytest.approx((alone.high - alone.mean) * six_figures)


def test_intervals_of_a_study_hold_together():
    """In 95 of 100 studies all figures are right: here nothing is to be found."""
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(400):
        figures = found([batch(*rng.normal(0.5, 0.2, 1), lead, place)
                         for lead, place in rng.normal([0, 1.5], 1, (30, 2))])  # fmt: skip
        wrong += any(one.significant for one in figures.variants[0].figures["seats"])
    assert wrong / 400 < 0.075


def test_a_difference_is_found_and_a_chance_is_not():
    rng = np.random.default_rng(3)
    fair, better = ([batch(share) for share in rng.normal(mean, 0.2, 200)] for mean in (0.5, 0.6))
    study = found(fair, better)
    assert not study.variants[0].figures["seats"][0].significant
    assert study.variants[1].figures["seats"][0].significant
    (share, *_) = study.variants[1].differences["seats"]
    assert share.significant
    assert share.low < 0.1 < share.high
    assert not study.variants[0].differences


@pytest.mark.parametrize("seats", [(0, 1), (1, 0)])
def test_an_unknown_interval_is_not_the_widest(seats):
    """One seat has the same share in every match, so that its interval is unknown."""
    batches = [batch(share) for share in np.random.default_rng(4).random(40)]
    for _, sums in batches:
        sums["seats"]["shares"] = np.array([0.3, sums["seats"]["shares"][0]])[list(seats)]
    variant = found(batches).variants[0]
    assert variant.width == variant.figures["seats"][seats.index(1)].width > 0


def test_variants_with_other_bots_are_not_compared():
    bots = [{"name": "a"}, {"name": "b", "bots": ["reference"]}]
    study = found([batch(0.5)], [batch(0.5)], variants=bots)
    assert not study.variants[1].differences


def test_a_single_batch_has_no_interval_and_claims_nothing():
    figure = found([batch(0.9)]).variants[0].figures["seats"][0]
    assert not figure.significant
    assert written(figure.low, "share") == UNKNOWN


def test_a_study_without_deals_says_so():
    study = found([])
    assert [message.key for message in answer(study)] == ["lab_answer_nothing"]


def test_what_was_always_the_same_is_not_certain():
    shares = [(1.0, 3.0, 1.5)] * 30
    share, _, lead, *_ = found([batch(*one) for one in shares]).variants[0].figures["seats"]
    assert 0.7 < share.low < share.value == 1
    assert share.significant
    assert not lead.significant  # how far it could be from 3 is unknown


def test_a_difference_that_was_always_the_same_is_not_certain():
    """Two deals with equal results, as in the first batches of a study that was interrupted."""
    study = found([batch(0.5, lead=1.0)] * 2, [batch(0.75, lead=3.0)] * 2)
    share, _, lead, *_ = study.variants[1].differences["seats"]
    assert (share.value, lead.value) == (0.25, 2.0)
    assert not share.significant
    assert not lead.significant
    assert written(lead.low, "points") == UNKNOWN
    assert [message.key for message in answer(study)][-1] == "lab_answer_no_difference"


def test_what_never_happened_is_as_rare_as_so_many_deals_can_tell():
    sums = {"matches": np.array([1.0]), "shared": np.zeros(2)}
    study = lab.of("who", TABLE | {"measures": ["ties"]})
    batches = [{number: (1, {"ties": sums}) for number in range(300)}]
    figure = findings(study, batches).variants[0].figures["ties"][0]
    assert (figure.value, figure.low) == (0, 0)
    assert 0.005 < figure.high < 0.02


def ladder(ahead):
    """A study of two bots, by the lead of the first in each match."""
    study = lab.of("who", TABLE | {"measures": ["ladder"], "bots": ["reference", "random"]})
    sums = [{"ladder": {"sums": np.array([1.0, 0.5 + one / 2, one, one**2])}} for one in ahead]
    return findings(study, [dict(enumerate((1, one) for one in sums))])


@pytest.mark.parametrize(
    ("mean", "language", "said"),
    [
        (0.2, "en", r"and leads with 95 % probability after \d+ matches \(\d+ to \d+\)\."),
        (0.07, "en", r"after \d+ matches \(\d+ or more\)|No significant difference"),
        (0.2, "ja", r"95 %の確率で勝ち越すまでに\d+ゲーム（\d+～\d+）かかります。"),
    ],
)
def test_matches_until_the_better_player_leads_in_words(mean, language, said):
    found = ladder(np.random.default_rng(5).normal(mean, 0.5, 400))
    (sentence,) = sentences(found, language)
    assert re.search(said, sentence)


def test_names_of_tables_and_rows_are_known_in_both_languages():
    """Of every shipped study. Cards and bots have the same names in Japanese."""
    for study in lab.shipped().values():
        for label in labels(study):
            for name in (label.part, label.row):
                message = named(name, study.game)
                if isinstance(message, str):
                    assert re.fullmatch(r"[A-Z]?\d*|[a-z]+", name), name
                else:
                    assert render(message) == name
                    english = set(re.findall("[a-z]{2,}", render(message, "ja")))
                    bots = {bot for variant in study.variants for bot in variant.bots}
                    assert english <= bots, name


def labels(study):
    if study.measures == (EXACT,):
        return [one.label for one in findings(study, [{}]).variants[0].figures[EXACT]]
    return [
        label
        for variant in study.variants
        for measure in measures_of(study.measures, table_of(variant)).values()
        for label in measure.labels
    ]
