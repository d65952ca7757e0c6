"""One address attacks, and the others play on as if it did not. The attacks are the benchmark's."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))
attack = import_module("attack")


@pytest.mark.soak
@pytest.mark.parametrize("name", attack.ATTACKS)
def test_the_others_hardly_notice(name: str) -> None:
    damage = attack.measure(name, rounds=5)
    print(f"{name}: {damage}")
    assert damage.p99_attacked < 2 * damage.p99
    assert damage.bots_attacked < 1.5 * damage.bots
    assert damage.megabytes < 20
