"""Pages that the code tells are what the code tells; examples in pages run."""

import re
import runpy
from pathlib import Path

import pytest

from hastilude.cli import main
from tests.pages import run_examples

ROOT = Path(__file__).parents[1]
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_generated_pages_are_fresh(path):
    assert path.read_text("utf-8") == PAGES[path], "stale: make docs"


@pytest.mark.parametrize(
    "page", ["arena", "bots", "environments", "lab", "records", "review", "shuffles"]
)
def test_the_examples_of_a_page_run(tmp_path, monkeypatch, page):
    monkeypatch.chdir(tmp_path)
    run_examples(ROOT / "docs" / f"{page}.md")


def test_the_review_on_its_page_is_what_the_command_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "review.md").read_text("utf-8")
    (example,) = re.findall(r"^```\n(\$ .+?)^```", text, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^\$ hastilude (.+)$", example, re.MULTILINE)
    for command in commands:
        capsys.readouterr()
        assert main([*command.split(), "--language", "en"]) == 0
    printed = capsys.readouterr().out
    for passage in example.partition(commands[-1])[2].split("…"):
        assert passage.strip() in printed


@pytest.mark.parametrize("name", ["runtime", "dev"])
def test_requirements_are_locked_by_hash_and_name_no_registry(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text
    assert not [line for line in text.splitlines() if line.startswith("-")]
