"""What there is to do, and who does it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Protocol, TypeAlias, TypeVar

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Finished: TypeAlias = Generator[tuple[int, Result], None, None]  # tasks and what came of them


class Job(Protocol[Result_co]):
    """Many numbered tasks of one kind, such as the deals of a contest.

    The job and its results are pickled, so they are made by classes of a module. What comes of a
    task depends on its number alone: any worker may do it, in any order.
    """

    def prepare(self) -> None:
        """Load or compile what the tasks need; once in each process, before its first task."""

    def do(self, task: int) -> Result_co: ...


class Workers(Protocol):
    """Those who do the tasks of a job, on this machine or elsewhere."""

    def share_out(self, job: Job[Result], tasks: Iterable[int]) -> Finished[Result]:
        """Yield each task and its result, in the order in which they finish.

        The tasks may be endless: the next one is asked for when a worker can begin it. OptionError
        if a task ends without a result. Whoever wants no more of them closes the generator.
        """
