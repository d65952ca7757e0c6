"""`hastilude puzzles make`."""

from dataclasses import replace

import pytest

import hastilude
from hastilude.cli import BAD_INPUT, main
from hastilude.puzzles import making, mining
from hastilude.puzzles.difficulty import rate
from hastilude.puzzles.making import make
from hastilude.puzzles.puzzle import load_puzzles
from hastilude.reviews.estimate import BLOCK
from hastilude.workers import Local

GAME = "kings_tournament"
SHORT = ["--option", "best_of=1"]


@pytest.fixture(scope="module", autouse=True)
def modest():
    """Small leads are enough, on few deals: real puzzles are rare."""
    with pytest.MonkeyPatch.context() as patch:
        modest = mining.Demands((), 2 * BLOCK, 4 * BLOCK, lead=0.02, least_lead=-1.0)
        patch.setattr(mining, "DEMANDS", modest)
        yield


def made(path, count, workers=1, seed=5):
    for _ in make(hastilude.load(GAME, best_of=1), count, seed, path, Local(workers)):
        pass
    return path.read_bytes()


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    return made(tmp_path_factory.mktemp("puzzles") / "three.jsonl", 3)


def test_the_same_seed_gives_the_same_puzzles(three, tmp_path):
    assert made(tmp_path / "by_two.jsonl", 3, workers=2) == three
    assert made(tmp_path / "other.jsonl", 1, seed=6) not in three


def test_what_is_found_first_waits_for_what_comes_before_it():
    finished = [(6, "second"), (8, "fourth"), (5, "first"), (7, "third")]
    assert list(making.in_order(finished, 5)) == ["first", "second", "third", "fourth"]


def test_a_file_is_continued_where_it_ended(three, tmp_path):
    path = tmp_path / "pieces.jsonl"
    assert made(path, 1) == three[: three.index(b"\n") + 1]
    assert made(path, 3) == three
    assert made(path, 2) == three  # nothing is left to do


def test_a_puzzle_like_another_is_not_added(three, tmp_path, monkeypatch):
    (tmp_path / "three.jsonl").write_bytes(three)
    first, second, _ = load_puzzles(tmp_path / "three.jsonl")
    found = [first, replace(first, rating=first.rating + 150), None, second]
    monkeypatch.setattr(making, "mined", lambda *_: (puzzle for puzzle in found))
    added = list(make(hastilude.load(GAME, best_of=1), 2, 5, tmp_path / "two.jsonl"))
    assert added == [first, None, None, second]
    assert load_puzzles(tmp_path / "two.jsonl") == [first, second]


def test_a_puzzle_ends_where_its_seat_has_to_choose(three, tmp_path):
    path = tmp_path / "three.jsonl"
    path.write_bytes(three)
    for puzzle in load_puzzles(path):
        match = puzzle.match()
        assert puzzle.seat in match.pending
        for choice in puzzle.choices:
            assert match.game.number(choice.texts[0]) in match.legal(puzzle.seat)


def test_what_is_found_only_by_luck_has_no_rating(three, tmp_path):
    path = tmp_path / "three.jsonl"
    path.write_bytes(three)
    puzzle = load_puzzles(path)[0]
    match = puzzle.match()
    redacted = match.redacted(puzzle.seat)
    worst = match.game.number(puzzle.choices[-1].texts[0])
    assert rate(match.game, redacted, puzzle.seat, (worst,), seed=1) is None


def test_the_command_says_what_it_found(tmp_path, capsys):
    path = tmp_path / "one.jsonl"
    command = ["puzzles", "make", GAME, *SHORT, "--count", "1", "--seed", "5", "--out", str(path)]
    assert main(command) == 0
    assert f"added to {path}" in capsys.readouterr().out
    assert len(load_puzzles(path)) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "There is no game named chess"),
        ([GAME, "--count", "0"], "--count"),
        ([GAME, "--option", "best_of=2"], "best_of"),
        ([GAME, "--out", "missing/folder/file.jsonl"], "Cannot write missing/folder/file.jsonl"),
        ([GAME, "--out", "."], "Cannot read .: Is a directory"),
    ],
)
def test_bad_input_is_refused(arguments, reason, capsys):
    assert main(["puzzles", "make", *arguments, "--language", "en"]) == BAD_INPUT
    assert reason in capsys.readouterr().err


def test_a_file_with_other_puzzles_is_not_touched(three, tmp_path, capsys):
    path = tmp_path / "three.jsonl"
    path.write_bytes(three)
    for arguments in ([GAME, "--seed", "5"], [GAME, *SHORT, "--seed", "6"], ["tornei"]):
        command = ["puzzles", "make", *arguments, "--out", str(path), "--language", "en"]
        assert main(command) == BAD_INPUT
        assert "another game, other options or another seed" in capsys.readouterr().err
    path.write_bytes(three + b"{}\n")
    command = ["puzzles", "make", GAME, *SHORT, "--seed", "5", "--out", str(path)]
    assert main([*command, "--language", "en"]) == BAD_INPUT
    assert "line 4: this is not a puzzle" in capsys.readouterr().err
    assert path.read_bytes() == three + b"{}\n"
