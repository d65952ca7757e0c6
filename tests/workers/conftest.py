import os

import pytest

from tests.test_cli import refused, run  # noqa: F401  # the command as a user meets it

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # whoever imports Ray listens to 127.0.0.1


@pytest.fixture(autouse=True, scope="session")
def no_ray_of_this_machine():
    """Tests use only what they start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAY_ADDRESS", raising=False)
        yield
