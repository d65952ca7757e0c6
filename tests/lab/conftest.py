from tests.test_cli import refused, run  # noqa: F401  # the command as a user meets it
