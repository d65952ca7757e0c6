import pytest

import hastilude
from hastilude.arena import compare
from hastilude.arena.plot import check, plot
from hastilude.core.errors import OptionError
from tests.arena.players import First


@pytest.fixture(scope="module")
def standings():
    return compare(
        hastilude.load("triatri", players=2), {"first": First, "other": First}, 3, workers=1
    )


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_a_plot_is_written_and_the_same_each_time(standings, tmp_path, form, begins):
    paths = [tmp_path / f"{name}.{form}" for name in ("one", "two")]
    for path in paths:
        check(path)
        plot(standings, path)
    one, two = (path.read_bytes() for path in paths)
    assert one.startswith(begins)
    assert one == two
    assert len(list(tmp_path.iterdir())) == 2


def test_no_plot_of_another_form(tmp_path):
    with pytest.raises(OptionError, match=r"a \.svg or \.png file"):
        check(tmp_path / "ladder.pdf")


def test_no_plot_where_no_folder_is(tmp_path):
    with pytest.raises(OptionError, match="the folder does not exist"):
        check(tmp_path / "nowhere" / "ladder.svg")


def test_without_the_extra_the_refusal_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr("hastilude.arena.plot.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"pip install 'hastilude\[lab\]'"):
        check(tmp_path / "ladder.svg")
