"""A queue in which addresses take turns, and within an address its tables.

So a client with many tables or many requests mostly delays itself.
"""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

Work = TypeVar("Work")


class Turns(Generic[Work]):
    def __init__(self) -> None:
        # By address and table, in the order of their turns.
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Work]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, address: str, table: str, work: Work) -> None:
        tables = self._waiting.setdefault(address, OrderedDict())
        tables.setdefault(table, deque()).append(work)

    def next(self) -> Work:
        """Take the next work; its table and its address go to the end of the queue."""
        address, tables = self._waiting.popitem(last=False)
        table, works = tables.popitem(last=False)
        work = works.popleft()
        if works:
            tables[table] = works
        if tables:
            self._waiting[address] = tables
        return work
