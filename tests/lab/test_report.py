"""The report: readable, complete, and the same every time."""

import re
from xml.etree import ElementTree

import pytest

from hastilude import lab
from hastilude.lab import report

STUDIES = {
    "seats": {"question": "Is a seat <better> off?", "game": "triatri",
              "measures": ["seats", "ties"]},
    "course": {"question": "When?", "game": "kings_tournament", "measures": ["phases"],
               "options": {"best_of": 1}},
    "skill": {"question": "How long?", "game": "triatri", "measures": ["ladder"],
              "bots": ["reference", "random"], "options": {"players": 2}},
}  # fmt: skip


@pytest.fixture(scope="module")
def studies():
    more = {"bots": ["random"], "deals": 60, "batch": 3}
    return {name: lab.of(name, more | table) for name, table in STUDIES.items()}


@pytest.fixture(scope="module")
def results(studies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    for name, study in studies.items():
        lab.run(study, folder / f"{name}.jsonl", workers=1)
    return folder


@pytest.fixture(scope="module")
def written(results, studies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    report.write(results, folder, studies)
    return folder


def test_every_study_has_question_answer_figure_table_and_command(written):
    page = (written / "triatri.md").read_text("utf-8")
    chapter = page[page.index("## How long?") :]
    assert re.search(r"The first bot wins \d", chapter)
    assert "![How long?](figures/skill.svg)" in chapter
    assert "| win share | value | if equal |" in chapter
    assert re.search(r"\d% \(\d+\.\d% to \d+\.\d%\) \*", chapter)
    assert "hastilude lab run skill" in chapter
    assert "60 deals; bots reference, random" in chapter


def test_what_is_not_significant_is_said_to_be_so(written):
    page = (written / "triatri.md").read_text("utf-8")
    assert "no seat wins significantly more" in page.lower()
    assert "n.s." in page


def test_the_summary_links_to_the_games(written):
    page = (written / "index.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links == ["triatri.md", "kings_tournament.md"]
    assert all((written / link).exists() for link in links)


def test_the_page_needs_nothing_else_and_escapes(written):
    page = (written / "index.html").read_text("utf-8")
    assert "Is a seat &lt;better&gt; off?" in page
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "<script" not in page
    assert "@import" not in page
    assert page.count("<svg") == len(STUDIES)
    assert page.count("<style>") == page.count("prefers-color-scheme") == 1
    assert "xml version" not in page


def test_figures_are_readable_on_dark_and_light(written):
    for name in STUDIES:
        text = (written / "figures" / f"{name}.svg").read_text("utf-8")
        root = ElementTree.fromstring(text)
        assert root.tag.endswith("svg")
        assert "prefers-color-scheme:dark" in text
        assert "currentColor" in text
        for colour in re.findall(r"fill: (#[0-9a-fA-F]{6})", text):
            assert colour.lower() not in ("#000000", "#ffffff"), name


def test_the_same_results_give_the_same_bytes(written, results, studies, tmp_path):
    report.write(results, tmp_path, studies)
    files = [path.relative_to(written) for path in written.rglob("*.*")]
    assert files
    for path in files:
        assert (tmp_path / path).read_bytes() == (written / path).read_bytes(), path


def test_without_matplotlib_there_is_a_report_without_figures(
    results, studies, tmp_path, monkeypatch, capsys
):
    from hastilude.cli import main  # noqa: PLC0415  # only here

    monkeypatch.setattr(report, "can_draw", lambda: False)
    monkeypatch.setattr("hastilude.cli.lab.shipped", lambda: studies)
    command = ["lab", "report", "--folder", str(results), "--out", str(tmp_path)]
    assert main([*command, "--language", "en"]) == 0
    assert "pip install 'hastilude[lab]'" in capsys.readouterr().err
    assert "![" not in (tmp_path / "triatri.md").read_text("utf-8")
    assert not list(tmp_path.rglob("*.svg"))


def test_results_of_other_code_are_not_reported(results, studies, tmp_path, monkeypatch):
    monkeypatch.setattr("hastilude.lab.running.code_digest", lambda: "another")
    with pytest.raises(ValueError, match="another version of the games or bots"):
        report.write(results, tmp_path, studies)
    assert not list(tmp_path.iterdir())
