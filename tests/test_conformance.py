"""The conformance suite on every game and its options."""

import pytest

from hastilude.testing import CHECKS
from tests.variants import every_variant, subject


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@every_variant
def test_conformance(name, options, check):
    check(subject(name, options))
