"""`hastilude arena` as a user meets it."""

import json

import pytest

from hastilude import bots
from tests.arena.players import Crashing

QUICK = ("--deals", 3, "--workers", 1)
PAIR = ("--bots", "random,random")


def test_json(run, tmp_path):
    path = tmp_path / "results"
    code, out, err = run("arena", "tornei", *PAIR, *QUICK, "--results", path, "--json")
    assert (code, err, len(out)) == (0, [], 1)
    told = json.loads(out[0])
    assert (told["game"], told["deals"], told["matches"], told["rounds"]) == ("tornei", 3, 12, 4)
    assert told["tables"].keys() == {"abbb"}
    for bot in told["bots"]:
        for figure in ("win_share", "difference", "difference_a_round", "score", "rating"):
            assert bot[figure]["low"] < bot[figure]["mean"] < bot[figure]["high"]
        assert bot["time"]["moves"] > 0
        assert bot["time"]["mean_ms"] > 0
        assert bot["time"]["percentile_99_ms"] > 0
        assert bot["time"]["over_budget"] is None
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize("language", ["en", "ja"])
def test_words(run, language):
    code, out, err = run("arena", "tornei", *PAIR, *QUICK, "--language", language)
    assert (code, err) == (0, [])
    text = "\n".join(out)
    for heading in (
        "win share",
        "difference",
        "per round",
        "rating",
        "score",
        "ms per move",
        "99 %",
    ):
        assert heading in text
    assert "over budget" not in text
    assert "forfeits" not in text
    assert ("3 deals of Tornei with seed 0, 12 matches" in text) == (language == "en")


def test_tables_and_options(run):
    options = ("--tables", "ab,aab", "--option", "players=3", "--seed", 5)
    code, out, _ = run("arena", "triatri", *PAIR, *QUICK, *options)
    assert code == 0
    assert [line.strip() for line in out if line.startswith("Table")] == ["Table abb", "Table aab"]


def test_a_plot(run, tmp_path):
    run("arena", "kings_tournament", *PAIR, *QUICK, "--plot", tmp_path / "ladder.svg")
    assert (tmp_path / "ladder.svg").stat().st_size > 1000


def test_a_forfeit_is_one_line_with_its_record(run, monkeypatch):
    monkeypatch.setattr(bots, "make", lambda name, game, seed: Crashing(game, seed))
    code, out, err = run("arena", "kings_tournament", *PAIR, "--deals", 1, "--workers", 1)
    assert (code, len(err)) == (0, 2)
    said, _, record = err[0].partition(" The match so far: ")
    assert said.startswith("Deal 0, seats ab: random, Player 1, forfeits the match (TimeoutError")
    assert json.loads(record)["end"] == {"forfeit": 0}
    assert any("forfeits" in line for line in out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tornei", "--bots", "random"], "An arena needs 2 to 26 bots, not 1"),
        (["tornei", "--bots", "random,nobody"], "There is no bot named nobody."),
        (["tornei", *PAIR, "--tables", "abx"], "The table abx is not valid."),
        (["tornei", *PAIR, "--plot", "ladder.gif"], "A plot must be a .svg or .png file"),
        (["tornei", *PAIR, "--results", "/"], "Cannot write /: Is a directory."),
        (["tornei", *PAIR, "--deals", "0"], "Invalid value for '--deals'"),
        (["tornei"], "Missing option '--bots'"),
        (["chess", *PAIR], "There is no game named chess."),
    ],
)
def test_refusals(refused, arguments, said):
    assert said in refused("arena", *arguments)


def test_a_results_file_of_other_settings_is_one_sentence(refused, run, tmp_path):
    path = tmp_path / "results"
    run("arena", "tornei", *PAIR, *QUICK, "--results", path, "--json")
    said = refused("arena", "tornei", *PAIR, *QUICK, "--results", path, "--seed", 1)
    assert said == (
        f"{path} contains results for other settings: its seed is 0, not 1. Choose another file."
    )
