"""Playthroughs are as they were written down."""

from tests.golden import FOLDER, path, playthrough
from tests.variants import VARIANTS, every_variant


@every_variant
def test_playthrough_is_as_written_down(name, options):
    written = path(name, options).read_text(encoding="utf-8").splitlines()
    for number, (line, expected) in enumerate(
        zip(playthrough(name, options).splitlines(), written, strict=False), start=1
    ):
        assert line == expected, f"line {number}; `python -m tests.golden` if this is meant"
    assert len(written) == len(playthrough(name, options).splitlines())


def test_every_playthrough_belongs_to_a_variant():
    assert set(FOLDER.glob("*.txt")) == {path(*variant) for variant in VARIANTS}
