"""Values that replicas have, one each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import nest


class _Parts(nest.Expanded):
    @staticmethod
    def make(*values: Any) -> PerReplica:
        """The value of these of replicas."""
        return PerReplica(values)


class PerReplica(nest.Composite):
    """What the replicas of this process have, where there are several; one replica's is itself.

    Args:
        values: A tensor of each, in the order of the replicas.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> each = strategy.run(lambda: tf.distribute.get_replica_context().replica_id_in_sync_group)
    >>> [int(v) for v in each.values]
    [0, 1]
    """

    __slots__ = ("__weakref__", "values")

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = tuple(values)

    def _parts(self) -> nest.Expanded:
        return _Parts(self.values)

    def __repr__(self) -> str:
        shown = "\n".join(f"  {i}: {value!r}" for i, value in enumerate(self.values))
        return f"PerReplica:{{\n{shown}\n}}"


def selected(structure: Any, replica: int) -> Any:
    """What one replica of this process has of a structure."""
    return nest.map_structure(
        lambda x: x.values[replica] if isinstance(x, PerReplica) else x, structure
    )


def regrouped(structures: Sequence[Any]) -> Any:
    """The structures of all replicas of this process as one."""
    if len(structures) == 1:
        return structures[0]
    first = structures[0]
    return nest.map_structure(_of_each, first, *structures[1:])


def _of_each(*values: Any) -> Any:
    """A value of replicas; one that all have is itself."""
    same = all(value is values[0] for value in values)
    return values[0] if same else PerReplica(values)


def local_results(value: Any) -> tuple[Any, ...]:
    """The values of the replicas of this process."""
    return value.values if isinstance(value, PerReplica) else (value,)


def on_tree(values: Sequence[Any], step: Callable[[Any, Any], Any]) -> Any:
    """Values brought together by the binary tree of tree.py."""
    level = list(values)
    while len(level) > 1:
        pairs = [step(x, y) for x, y in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]
