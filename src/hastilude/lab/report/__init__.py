"""The report: what all results of a folder say, as Markdown with figures and as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from hastilude.core.errors import RecordError
from hastilude.core.files import replacing, writing
from hastilude.games.registry import GAMES
from hastilude.lab.findings import Findings
from hastilude.lab.report import markdown, page
from hastilude.lab.running import Results
from hastilude.lab.study import Study

FIGURES = "figures"


def can_draw() -> bool:
    """Whether there is matplotlib, from the extra `lab`."""
    return find_spec("matplotlib") is not None


def write(results: Path, folder: Path, studies: Mapping[str, Study]) -> None:
    """Write the report of all results of the studies in a folder; RecordError if there are none, or
    if some come from other code or other settings."""
    found = read(results, studies)
    pictures = draw(found) if can_draw() else {}
    with writing(folder):
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    files = {f"{FIGURES}/{name}.svg": picture for name, picture in pictures.items()}
    files["index.md"] = markdown.summary(found)
    for game in games_of(found):
        own = [one for one in found if one.study.game == game]
        files[f"{game}.md"] = markdown.game_page(game, own, pictures.keys())
    files["index.html"] = page.html(found, pictures)
    for name, text in files.items():
        path = folder / name
        with writing(path), replacing(path) as draft:
            draft.write_text(text, encoding="utf-8")


def read(results: Path, studies: Mapping[str, Study]) -> list[Findings]:
    """What the results files in a folder say, in the order of the studies: all of their deals."""
    found = []
    for name, study in studies.items():
        path = results / f"{name}.jsonl"
        if path.exists():
            with Results(study, path) as kept:
                found.append(kept.findings(study))
    if not found:
        raise RecordError.of("lab_results_missing", folder=str(results))
    return found


def left_out(results: Path, studies: Mapping[str, Study]) -> list[str]:
    """The results files in a folder that belong to other studies."""
    return sorted(path.name for path in results.glob("*.jsonl") if path.stem not in studies)


def games_of(found: list[Findings]) -> list[str]:
    """The games that the findings are about, in the usual order."""
    return [game for game in GAMES if any(one.study.game == game for one in found)]


def draw(found: list[Findings]) -> dict[str, str]:
    """A figure for each study, by its name."""
    from hastilude.lab.report.drawing import figure  # noqa: PLC0415  # needs matplotlib

    return {one.study.name: figure(one) for one in found}
