"""What the README promises."""

import re
from pathlib import Path

from hastilude.cli import main
from tests.pages import run_examples

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_python_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_examples(README)


def test_the_commands_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^hastilude (.+)$", README.read_text("utf-8"), re.MULTILINE)
    assert lines
    for line in lines:
        assert main(line.replace("--games 100", "--games 3").split()) == 0, line


def test_the_make_targets_exist():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    wanted = re.findall(r"^make ([a-z]+)", README.read_text("utf-8"), re.MULTILINE)
    assert wanted == ["run", "test"]
    assert set(wanted) <= set(targets)


def test_ci_runs_the_test_command():
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "make test"


def test_the_files_it_links_to_exist():
    for link in re.findall(r"\]\(([^)]+)\)", README.read_text("utf-8")):
        assert (ROOT / link).exists(), link


def test_designers_are_credited():
    for page in ("README.md", "LICENSE"):
        text = " ".join((ROOT / page).read_text("utf-8").split())
        for name in ("戸塚中央", "有我悟", "A.I.Lab.遊", "Jim Palmeri", "Charles Sinning",
                     "Michael Warth", "Flatworks Gaming", "おるー"):  # fmt: skip
            assert name in text, (page, name)
