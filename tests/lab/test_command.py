"""`hastilude lab` as a user meets it."""

import json
import re

import pytest

from hastilude import lab
from hastilude.cli import main

MINE = """
[mine]
question = { en = "Is one seat better off?", ja = "有利な席はありますか。" }
game = "triatri"
options = { players = 2 }
bots = ["random"]
measures = ["seats"]
deals = 60
batch = 3
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    return path


def test_the_list_has_every_study_with_its_question(run):
    code, out, err = run("lab", "list")
    assert (code, err) == (0, [])
    assert all(any(name in line for line in out) for name in lab.shipped())
    lines = [json.loads(line) for line in run("lab", "list", "--json")[1]]
    assert [line["study"] for line in lines] == list(lab.shipped())
    assert lines[0]["question"].keys() == {"en", "ja"}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_study_is_answered_in_words(run, mine, tmp_path, language):
    code, out, err = run("lab", "run", mine, "--folder", tmp_path, "--workers", 1,
                         "--language", language)  # fmt: skip
    assert (code, err) == (0, [])
    asked = {"en": "Is one seat better off?", "ja": "有利な席はありますか。"}[language]
    assert out[0] == f"mine: {asked}"
    text = "\n".join(out)
    said = {
        "en": ["No seat wins significantly more", "win share", "seat 1", "if equal", "no",
               "All intervals of a study together are right with 95 % probability."],
        "ja": ["勝率が有意に高い席はありません", "勝率", "席1", "均等なら", "いいえ",
               "区間がすべて正しい"],
    }  # fmt: skip
    assert [words for words in said[language] if words not in text] == []
    if language == "ja":  # only the names of the study and of its variant
        assert set(re.findall("[a-z]{2,}", "\n".join(out[:-1]))) == {"mine", "players"}
    assert (tmp_path / "mine.jsonl").exists()


def test_json_has_every_figure_with_its_interval(run, mine, tmp_path):
    _, out, _ = run("lab", "run", mine, "--folder", tmp_path, "--workers", 1, "--json")
    told = json.loads(out[0])
    (variant,) = told["variants"]
    assert (variant["deals"], variant["options"]["players"]) == (60, 2)
    figure = variant["figures"]["seats"][0]
    assert figure["low"] < figure["value"] < figure["high"]
    assert figure["significant"] is False
    more = run("lab", "run", mine, "--folder", tmp_path, "--deals", 90, "--workers", 1, "--json")
    assert json.loads(more[1][0])["variants"][0]["deals"] == 90


def test_the_solved_joust_needs_no_deals(run, tmp_path):
    _, out, _ = run("lab", "run", "kings_tournament-joust", "--folder", tmp_path, "--json")
    (variant,) = json.loads(out[0])["variants"]
    shares = {one["row"]: one["value"] for one in variant["figures"]["exact"]
              if one["part"] == "how often the hand is dealt"}  # fmt: skip
    assert sum(shares.values()) == pytest.approx(1)
    places = [one["value"] for one in variant["figures"]["exact"]
              if one["part"] == "where a card goes: D"]  # fmt: skip
    assert sum(places) == pytest.approx(1)
    assert places[-1] < 0.001  # a double strike is never discarded


def test_the_name_of_a_game_is_all_of_its_studies():
    from hastilude.cli.lab import chosen  # noqa: PLC0415  # what `lab run` runs

    wanted = [study for study in lab.shipped().values() if study.game == "triatri"]
    assert chosen(["triatri"]) == wanted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "tornei-seat"], "There is no study named tornei-seat. Did you mean tornei-seats?"),
        (["run", "none.toml"], "Cannot read none.toml: No such file or directory."),
        (["run"], "Missing argument 'NAME…'"),
        (["run", "tornei-seats", "--deals", "0"], "Invalid value for '--deals'"),
        (["run", "tornei-seats", "--folder", "/dev/null/lab"], "Cannot write /dev/null/lab"),
        (["report", "--folder", "/nowhere"], "/nowhere has no results of a known study."),
    ],
)
def test_refusals(refused, arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in refused("lab", *arguments)


def test_a_variant_that_is_not_allowed_is_one_sentence_with_the_line(refused, mine):
    mine.write_text(MINE.replace("players = 2", "players = 9"), "utf-8")
    said = refused("lab", "run", mine)
    assert said.startswith(f"{mine}, line 2, study mine: Invalid players: 9.")


def test_an_own_study_does_not_take_the_name_of_a_shipped_one(refused, mine):
    mine.write_text(MINE.replace("[mine]", "[tornei-seats]"), "utf-8")
    assert "is the name of a shipped study" in refused("lab", "run", mine)


def test_results_of_other_settings_are_one_sentence(refused, run, mine, tmp_path):
    run("lab", "run", mine, "--folder", tmp_path, "--workers", 1)
    mine.write_text(MINE + "seed = 5\n", "utf-8")
    said = refused("lab", "run", mine, "--folder", tmp_path, "--workers", 1)
    assert "contains results for other settings: its seed is 0, not 5." in said


def test_a_report_of_own_results(run, mine, tmp_path):
    run("lab", "run", mine, "--folder", tmp_path, "--workers", 1)
    out = tmp_path / "report"
    code, said, err = run("lab", "report", mine, "--folder", tmp_path, "--out", out)
    assert (code, err) == (0, [])
    assert str(out) in said[0]
    assert {path.name for path in out.rglob("*.*")} == {
        "index.md", "index.html", "triatri.md", "mine.svg",
    }  # fmt: skip
    assert f"\nhastilude lab run {mine}\n" in (out / "triatri.md").read_text("utf-8")


def test_a_report_has_the_command_with_its_number_of_deals(run, mine, tmp_path):
    run("lab", "run", mine, "--folder", tmp_path, "--deals", 90, "--workers", 1)
    run("lab", "report", mine, "--folder", tmp_path, "--out", tmp_path)
    page = (tmp_path / "triatri.md").read_text("utf-8")
    assert f"\nhastilude lab run {mine} --deals 90\n" in page
    assert "90 deals" in page


def test_a_report_says_how_many_deals_were_enough(run, mine, tmp_path):
    mine.write_text(MINE.replace("deals = 60", "deals = 6000\nwidth = 0.9"), "utf-8")
    run("lab", "run", mine, "--folder", tmp_path, "--workers", 1)
    run("lab", "report", mine, "--folder", tmp_path, "--out", tmp_path)
    page = (tmp_path / "triatri.md").read_text("utf-8")
    assert f"\nhastilude lab run {mine}\n" in page
    assert "750 of at most 6,000 deals" in page


def test_a_report_does_not_take_an_interrupted_study_for_a_finished_one(run, mine, tmp_path):
    mine.write_text(MINE.replace("deals = 60", "deals = 6000"), "utf-8")
    run("lab", "run", mine, "--folder", tmp_path, "--deals", 900, "--workers", 1)
    mine.write_text(MINE.replace("deals = 60", "deals = 6000\nwidth = 0.9"), "utf-8")
    run("lab", "report", mine, "--folder", tmp_path, "--out", tmp_path)
    page = (tmp_path / "triatri.md").read_text("utf-8")
    assert f"\nhastilude lab run {mine} --deals 900\n" in page
    assert "players: 900 deals;" in page


def test_a_report_says_which_results_it_leaves_out(run, mine, tmp_path):
    run("lab", "run", mine, "--folder", tmp_path, "--workers", 1)
    (tmp_path / "other.jsonl").write_text("")
    _, _, err = run("lab", "report", mine, "--folder", tmp_path, "--out", tmp_path / "report")
    assert len(err) == 1
    assert "not named: other.jsonl. Name the files" in err[0]
    code, _, err = run("lab", "report", "--folder", tmp_path)
    assert (code, len(err)) == (2, 2)
    assert "not named: mine.jsonl, other.jsonl." in err[0]
    assert "has no results of a known study." in err[1]


def test_help_has_an_example(capsys):
    for command in ("list", "run", "report"):
        assert main(["lab", command, "--help"]) == 0
        assert "Example: hastilude lab" in capsys.readouterr().out
