"""Jobs for tests of the workers, as classes of a module, so that other processes can load them."""

import os
import signal
import time
from dataclasses import dataclass

DEADLY = 3


class Squares:
    """Each result says which process made it and how often that one had prepared itself."""

    def __init__(self):
        self.prepared = 0

    def prepare(self):
        self.prepared += 1

    def do(self, task):
        return task * task, os.getpid(), self.prepared


class Deadly(Squares):
    """Ends its process in the middle of one task, whenever that is tried."""

    def do(self, task):
        if task == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().do(task)


@dataclass
class Waiting(Squares):
    """Writes which process has begun a task, and goes on when it is told to."""

    folder: object
    prepared: int = 0

    def do(self, task):
        (self.folder / f"{os.getpid()}.begun").write_text(str(task))
        while not (self.folder / "go").exists():
            time.sleep(0.01)
        return super().do(task)


class Loading(Waiting):
    """Waits when it is loaded."""

    def __setstate__(self, state):
        self.__dict__ = state
        super().do(0)
