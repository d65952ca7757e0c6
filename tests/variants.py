"""Every game with every set of options that the tests use."""

from importlib import import_module
from types import ModuleType

import pytest

import hastilude
from hastilude.testing import Subject


def about(name: str) -> ModuleType:
    return import_module(f"tests.{name}.subject")


def subject(name: str, options: dict, **settings) -> Subject:
    module = about(name)
    if hasattr(module, "shown"):
        settings["shown"] = module.shown
    return Subject(hastilude.load(name, **options), module.census, module.secrets, **settings)


def label(name: str, options: dict) -> str:
    def word(value):
        return "-".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)

    return " ".join([name, *(f"{option}={word(value)}" for option, value in options.items())])


VARIANTS = [(name, options) for name in hastilude.games() for options in about(name).VARIANTS]
PARAMETERS = [pytest.param(name, options, id=label(name, options)) for name, options in VARIANTS]
every_variant = pytest.mark.parametrize(("name", "options"), PARAMETERS)
