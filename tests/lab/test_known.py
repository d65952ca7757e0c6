"""The shipped report belongs to the shipped studies."""

import re
from pathlib import Path

import pytest

import hastilude
from hastilude import lab

KNOWN = Path(hastilude.__file__).parent / "known"


def chapter(study):
    """What the page of its game says about a study, from its question to the next."""
    page = (KNOWN / f"{study.game}.md").read_text("utf-8")
    assert page.count(f"\n## {study.asked('en')}\n") == 1
    return page.partition(f"\n## {study.asked('en')}\n")[2].partition("\n## ")[0]


def test_every_study_is_answered_and_nothing_else():
    studies = lab.shipped().values()
    index = (KNOWN / "index.md").read_text("utf-8")
    assert all(f"- **{study.asked('en')}**" in index for study in studies)
    pages = "".join(path.read_text("utf-8") for path in KNOWN.glob("*.md"))
    commands = re.findall(r"^hastilude lab run (.+)$", pages, re.MULTILINE)
    assert sorted(commands) == sorted(lab.shipped())


@pytest.mark.parametrize("study", lab.shipped().values(), ids=lambda study: study.name)
def test_a_study_was_played_to_its_end(study):
    """With all deals, unless fewer were enough."""
    told = re.findall(r"^- (.+): ([\d,]+)(?: of at most ([\d,]+))? deals; ", chapter(study), re.M)
    played = {name: (deals, most or deals) for name, deals, most in told}
    assert list(played) == [variant.name for variant in study.variants if study.deals]
    for deals, most in played.values():
        assert int(most.replace(",", "")) == study.deals
        assert int(deals.replace(",", "")) <= study.deals
