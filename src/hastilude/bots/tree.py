"""The memory of a search: a fixed number of nodes, found by what the seat to act knows."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hastilude.core.kernel import kernel

EMPTY = -1


class Tree(NamedTuple):
    """The arrays of a search. Each row is a node, each column an action.

    `slots` is a hash table of node numbers; `used` holds the number of nodes in use.
    """

    keys: npt.NDArray[np.uint64]
    visits: npt.NDArray[np.int32]
    available: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]
    slots: npt.NDArray[np.int32]
    used: npt.NDArray[np.int64]


def new_tree(nodes: int, actions: int) -> Tree:
    """A tree with room for `nodes`; memory is used only as nodes are added."""
    return Tree(
        keys=np.zeros(nodes, np.uint64),
        visits=np.zeros((nodes, actions), np.int32),
        available=np.zeros((nodes, actions), np.int32),
        values=np.zeros((nodes, actions), np.float64),
        slots=np.full(4 * nodes, EMPTY, np.int32),
        used=np.zeros(1, np.int64),
    )


@kernel
def forget(tree: Any) -> None:
    """Clear the tree; touches only what was in use."""
    for node in range(tree.used[0]):
        tree.visits[node, :] = 0
        tree.available[node, :] = 0
        tree.values[node, :] = 0.0
    tree.slots[:] = EMPTY
    tree.used[0] = 0


@kernel
def find(tree: Any, key: np.uint64) -> int:
    """The node of a key, or EMPTY."""
    return int(tree.slots[_slot_of(tree, key)])


@kernel
def find_or_add(tree: Any, key: np.uint64) -> int:
    """The node of a key, or a new one without visits, or EMPTY if there is no room."""
    slot = _slot_of(tree, key)
    if tree.slots[slot] != EMPTY:
        return int(tree.slots[slot])
    node = int(tree.used[0])
    if node == len(tree.keys):
        return EMPTY
    tree.keys[node] = key
    tree.slots[slot] = node
    tree.used[0] = node + 1
    return node


@kernel
def _slot_of(tree: Any, key: np.uint64) -> np.uint64:
    """The slot of a key's node, or the one where it would be added."""
    size = np.uint64(len(tree.slots))
    slot = key % size
    while tree.slots[slot] != EMPTY and tree.keys[tree.slots[slot]] != key:
        slot = (slot + np.uint64(1)) % size
    return slot
