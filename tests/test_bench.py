"""The benchmark measures what it says; how fast we are is no test."""

import json
import shutil

import pytest

import hastilude
from hastilude.bench import Row, table, variants
from hastilude.cli import BAD_INPUT, main
from hastilude.cli.base import print_table

PER_PLAYERS = [
    "random play in the kernel",
    "VectorEnv of 4096 against random",
    "PettingZoo raw_env, last + step",
]
PER_GAME = [
    "legal + apply from Python",
    "Match.play",
    "state",
    "batch of 4096 with encodings",
    "search at the first decision",
    "hint",
    "review of one seat",
    "first play, from the cache",
]


def test_quick_bench_gives_every_row(capsys):
    assert main(["bench", "--quick", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(row["value"] > 0 for row in rows)
    measured = [(row["measure"], row["subject"]) for row in rows]
    assert len(set(measured)) == len(measured)
    for name in hastilude.games():
        for game in variants(name):
            for measure in PER_PLAYERS:
                assert (measure, f"{name}, {game.seats} players") in measured
        for measure in PER_GAME:
            assert any(row[0] == measure and row[1].startswith(name) for row in measured)
    assert ("--help", "hastilude") in measured


def bench(capsys, *arguments):
    code = main(["bench", "--quick", "--game", "tornei", *map(str, arguments)])
    return code, capsys.readouterr()


def test_bench_in_words(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # so that no cell is folded
    code, written = bench(capsys)
    assert code == 0
    assert "random play in the kernel" in written.out
    assert "OpenSpiel" in written.out


def test_the_table_cuts_nothing_at_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    row = Row(
        "VectorEnv of 4096 against random",
        "kings_tournament, 2 players",
        123.4e6,
        "simulations/s",
        {"legal + apply": 12.3, "kernel": 1234.5},
    )
    print_table(table([row]))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    for word in f"{row.measure} {row.subject} {row.unit} {' '.join(row.ratios)}".split():
        assert word in shown


@pytest.mark.skipif(not shutil.which("gcc"), reason="needs a C compiler")
def test_a_limit_in_c_is_measured_in_the_same_run(capsys, tmp_path):
    program = tmp_path / "tornei.c"
    told = json.dumps({"acts": 1000, "engine_s": 0.5}).replace('"', '\\"')
    program.write_text(f'#include <stdio.h>\nint main(void) {{ puts("{told}"); }}\n')
    code, written = bench(capsys, "--limit", program, "--json")
    (row,) = [row for row in map(json.loads, written.out.splitlines()) if row["ratios"]][:1]
    assert code == 0
    assert (row["subject"], row["value"]) == ("tornei.c", 2000)
    assert row["ratios"]["kernel"] > 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("chess.c", "", "must be named after the game it plays"),
        ("tornei.c", "int main(", "Could not compile or run"),
        ("tornei.c", "int main(void) { return 0; }", "Could not compile or run"),
    ],
)
def test_a_limit_that_does_not_work_is_one_sentence(capsys, tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    code, written = bench(capsys, "--limit", tmp_path / name)
    assert code == BAD_INPUT
    assert written.err.count("\n") == 1
    assert said in written.err


def test_an_unknown_game_is_refused(capsys):
    assert main(["bench", "--game", "torne"]) == BAD_INPUT
    assert "Did you mean tornei?" in capsys.readouterr().err
