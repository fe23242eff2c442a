"""Values that replicas have, one each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import nest
from ..core.containers import Composite, Expanded
from ..core.type_specs import TypeSpec


class _Parts(Expanded):
    @staticmethod
    def make(*values: Any) -> PerReplica:
        """The value of these of replicas."""
        return PerReplica(values)


class DistributedValues:
    """The base of values that replicas have, one each.

    >>> import tfc as tf
    >>> isinstance(tf.distribute.PerReplica([1, 2]), tf.distribute.DistributedValues)
    True
    """

    __slots__ = ("__weakref__",)

    values: tuple[Any, ...]


class PerReplica(DistributedValues, Composite):
    """What the replicas of this process have, where there are several; one replica's is itself.

    Args:
        values: A tensor of each, in the order of the replicas.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> each = strategy.run(lambda: tf.distribute.get_replica_context().replica_id_in_sync_group)
    >>> [int(v) for v in each.values]
    [0, 1]
    """

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = tuple(values)

    def _parts(self) -> Expanded:
        return _Parts([v._parts() if isinstance(v, Composite) else v for v in self.values])

    def __repr__(self) -> str:
        shown = "\n".join(f"  {i}: {value!r}" for i, value in enumerate(self.values))
        return f"PerReplica:{{\n{shown}\n}}"


class PerReplicaSpec(TypeSpec, Composite):
    """What is known of values of replicas.

    Args:
        value_specs: The spec of each value, in the order of the replicas.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> batches = strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4))
    >>> print(batches.element_spec.value_specs[0])
    TensorSpec(shape=(None,), dtype=tf.int64, name=None)
    """

    __slots__ = ("value_specs",)

    value_type = PerReplica

    def __init__(self, *value_specs: Any) -> None:
        self.value_specs = value_specs

    def _parts(self) -> Expanded:
        return PerReplica(self.value_specs)._parts()

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether values of replicas (or all that another spec describes) may stand where this spec
        does.

        Args:
            spec_or_value: A PerReplica or a PerReplicaSpec.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "value_specs", getattr(spec_or_value, "values", None))
        if not isinstance(other, tuple) or len(other) != len(self.value_specs):
            return False
        pairs = zip(self.value_specs, other, strict=True)
        return all(spec.is_compatible_with(value) for spec, value in pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerReplicaSpec) and self.value_specs == other.value_specs

    def __hash__(self) -> int:
        return hash(self.value_specs)

    def __repr__(self) -> str:
        return f"PerReplicaSpec({', '.join(map(repr, self.value_specs))})"


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
