"""Studies as they are written in TOML, and what is refused."""

import re

import pytest

import hastilude
from hastilude import lab
from hastilude.core.errors import OptionError, RecordError
from hastilude.lab.measures import EXACT, MEASURES

SEATS = {"question": "Who?", "game": "triatri", "measures": ["seats"], "bots": ["random"]}


def test_a_study_has_what_its_table_says():
    variants = [{"options": {"players": 2}}, {"name": "four", "options": {"players": 4}}]
    study = lab.of("mine", SEATS | {"variants": variants, "deals": 120, "batch": 50, "width": 0.1})
    assert [variant.name for variant in study.variants] == ["players 2", "four"]
    assert [variant.game.seats for variant in study.variants] == [2, 4]
    assert study.variants[1].bots == ("random",) * 4
    assert (study.deals, study.batches) == (150, 3)  # batches are whole


def test_a_variant_changes_options_and_bots_of_its_study():
    table = SEATS | {"options": {"players": 2}, "variants": [{"bots": ["reference", "random"]}]}
    (variant,) = lab.of("mine", table).variants
    assert variant.game.options["players"] == 2
    assert variant.bots == ("reference", "random")


def test_slow_bots_are_saved_deal_by_deal():
    assert lab.of("mine", SEATS).batch > 1
    assert lab.of("mine", SEATS | {"bots": ["search:20"]}).batch == 1


def test_a_question_may_be_in_two_languages():
    study = lab.of("mine", SEATS | {"question": {"en": "Who?", "ja": "誰？"}})
    assert (study.asked("ja"), study.asked("en")) == ("誰？", "Who?")
    assert lab.of("mine", SEATS).asked("ja") == "Who?"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "tornai"}, "There is no game named tornai. Did you mean tornei?"),
        ({"options": {"players": 7}}, "Invalid players: 7."),
        ({"options": {"plyers": 2}}, "plyers"),
        ({"bots": ["heurist"]}, "There is no bot named heurist. Did you mean heuristic?"),
        ({"bots": ["random"] * 5}, "5 bots"),
        ({"measures": ["seat"]}, "There is no measure seat. Did you mean seats?"),
        ({"measures": []}, "Its measures must be a list of measures."),
        (
            {"measures": ["exact", "seats"], "game": "kings_tournament"},
            "The measure exact needs no deals",
        ),
        ({"measures": ["exact"]}, "Nothing is worked out exactly for triatri."),
        ({"measures": ["ladder"]}, "two different ones"),
        ({"measures": ["luck"]}, "luck needs a different bot in each seat"),
        ({"deals": 0}, "Its deals must be a positive number."),
        ({"deals": "many"}, "Its deals must be a positive number."),
        ({"width": -1}, "Its width must be a positive number."),
        ({"seed": -1}, "Its seed must be a number from 0."),
        ({"question": 7}, "Its question must be a text"),
        ({"dealz": 5}, "There is no field dealz. Did you mean deals?"),
        ({"xyz": 5}, "There is no field xyz. Known: question,"),
        ({"variants": [{"option": {}}]}, "There is no field option. Did you mean options?"),
        ({"variants": [7]}, "Its variants must be a list of tables."),
        ({"variants": []}, "Its variants must be a list of tables."),
        ({"variants": [{"name": "a"}, {"name": "a"}]}, "Two variants are named a."),
    ],
)
def test_a_wrong_field_is_named(change, said):
    with pytest.raises(OptionError, match=re.escape(said)):
        lab.of("mine", SEATS | change)


def test_a_missing_field_is_named():
    with pytest.raises(OptionError, match="It has no question"):
        lab.of("mine", {"game": "tornei", "measures": ["seats"]})


def test_a_name_is_a_file_name():
    with pytest.raises(OptionError, match="not My Study"):
        lab.of("My Study", SEATS)


def test_an_unknown_study_names_the_nearest():
    with pytest.raises(OptionError, match=r"named tornei-seat\. Did you mean tornei-seats"):
        lab.study("tornei-seat")
    with pytest.raises(OptionError, match="hastilude lab list"):
        lab.study("xyz")


MINE = """
[mine]
question = "Who?"
game = "triatri"
measures = ["seats"]

[other]
question = "What?"
game = "triatri"
measures = ["lenght"]
"""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[mine]\nquestion = \n", "mine.toml is not a TOML file: Invalid value (at line 2,"),
        (b"", "mine.toml has no study."),
        (b"mine = 7\n", "mine.toml, line 1, study mine: A study must be a table."),
        (b"\xff\xfe", "mine.toml is not a text file"),
        (MINE.replace("[mine]", "[other-one]").encode(), "mine.toml, line 7, study other: There"),
        (MINE.encode(), "mine.toml, line 7, study other: There is no measure lenght. Did you mean"),
    ],
)
def test_a_broken_file_is_refused_with_the_line(tmp_path, content, said):
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(RecordError) as refusal:
        lab.read(path)
    assert said in str(refusal.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(RecordError, match="No such file"):
        lab.read(tmp_path / "mine.toml")


def test_every_game_and_every_measure_has_shipped_studies():
    studies = lab.shipped().values()
    assert {study.game for study in studies} == set(hastilude.games())
    assert {name for study in studies for name in study.measures} == {*MEASURES, EXACT}


def test_every_variant_of_the_rules_is_studied():
    """Each option that changes a rule, with values besides the printed one."""
    for name in hastilude.games():
        game = hastilude.load(name)
        for option in (option for option in game.known_options if option.variant):
            values = {
                str(variant.game.options[option.name])
                for study in lab.shipped().values()
                if study.game == name
                for variant in study.variants
            }
            assert len(values) > 1, option.name


def test_shipped_studies_ask_in_both_languages_and_begin_with_their_game():
    for name, study in lab.shipped().items():
        assert name.startswith(f"{study.game}-")
        assert study.question.keys() == {"en", "ja"}
