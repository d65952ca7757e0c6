from collections.abc import Iterator

import pytest

from hastilude.core.record import save_all
from hastilude.reviews import judging, review
from tests.reviews.matches import with_mistakes


@pytest.fixture(scope="package", autouse=True)
def few_samples() -> Iterator[None]:
    """Most tests need no precise reviews."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "CHOOSING", 64)
        patch.setattr(judging, "MEASURING", 128)
        patch.setattr(review, "FORECAST", 64)
        yield


@pytest.fixture
def record():
    return with_mistakes()


@pytest.fixture
def file(record, tmp_path):
    record.save(tmp_path / "match.json")
    return tmp_path / "match.json"


@pytest.fixture
def two_matches(tmp_path):
    save_all([with_mistakes(), with_mistakes(seed=4)], tmp_path / "matches.jsonl")
    return tmp_path / "matches.jsonl"
