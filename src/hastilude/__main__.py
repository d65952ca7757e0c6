"""Runs the `hastilude` command as `python -m hastilude`."""

import sys

from hastilude.cli import main

sys.exit(main())
