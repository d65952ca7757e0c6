"""The conformance suite on every game and its options."""

from importlib import import_module

import pytest

import hastilude
from hastilude.testing import CHECKS, Subject

SUBJECTS = [
    pytest.param(name, options, id=f"{name} {options}")
    for name in hastilude.games()
    for options in import_module(f"tests.{name}.subject").VARIANTS
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "options"), SUBJECTS)
def test_conformance(name, options, check):
    about = import_module(f"tests.{name}.subject")
    check(Subject(hastilude.load(name, **options), about.census, about.secrets))
