"""Waiting for other processes, but not forever."""

import time

PATIENCE = 180  # seconds, for what takes a few on a machine with nothing else to do


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found
