"""The report: readable, complete, and the same every time."""

import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
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


LIGHT, DARK = ("#ffffff", "#fbfaf6"), ("#0d1117", "#161b19")  # backgrounds: GitHub's, and our own
# What becomes of red, green and blue light in the eye, by Machado, Oliveira and Fernandes (2009).
SEEN = {
    "by most": np.eye(3),
    "without red cones": np.array([
        [0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "without green cones": np.array([
        [0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
}  # fmt: skip


def light(colour):
    """Red, green and blue light of a colour such as #1f2e3d."""
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    dark, bright = sorted(light(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def oklab(seen):
    """A place in the space OKLab, in which equal distances look equal."""
    cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    lab = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.array(lab) @ np.cbrt(np.array(cones) @ np.clip(seen, 0, 1))


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
        inks = re.findall(r"svg{color:(#\w+)}", text)
        for ink, pages in zip(inks, (LIGHT, DARK), strict=True):
            assert min(contrast(ink, page) for page in pages) >= 4.5
        drawn = set(re.findall(r'(?:fill|stroke)="(?!none|currentColor)([^"]+)"', text))
        assert drawn
        for colour in drawn:
            assert min(contrast(colour, page) for page in LIGHT + DARK) >= 3, (name, colour)


def test_variants_look_different_to_the_colour_blind_too():
    from hastilude.lab.report.drawing import COLOURS, MARKERS  # noqa: PLC0415  # needs matplotlib

    assert len({(COLOURS[n % len(COLOURS)], MARKERS[n % len(MARKERS)]) for n in range(6)}) == 6
    for seen in SEEN.values():
        places = [oklab(seen @ light(colour)) for colour in COLOURS]
        assert min(np.linalg.norm(a - b) for a, b in combinations(places, 2)) > 0.12


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
