"""What TensorFlow's users say of how values move between replicas. Here MPI and the transports know
that (see world.py); it is taken, and makes no difference."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class CrossDeviceOps:
    """How values of the replicas of one process are brought together: always in the order of a
    binary tree.

    >>> import tfc as tf
    >>> isinstance(tf.distribute.NcclAllReduce(), tf.distribute.CrossDeviceOps)
    True
    """


class ReductionToOneDevice(CrossDeviceOps):
    """In TensorFlow: on one device.

    Args:
        reduce_to_device: Not used.
        accumulation_fn: Not used.

    >>> import tfc as tf
    >>> ops = tf.distribute.ReductionToOneDevice()
    >>> tf.distribute.MirroredStrategy(["CPU:0"], cross_device_ops=ops).num_replicas_in_sync
    1
    """

    def __init__(self, reduce_to_device: object = None, accumulation_fn: object = None) -> None:
        pass


class NcclAllReduce(CrossDeviceOps):
    """In TensorFlow: by NCCL.

    Args:
        num_packs: Not used.

    >>> import tfc as tf
    >>> ops = tf.distribute.NcclAllReduce()
    >>> tf.distribute.MirroredStrategy(["CPU:0"], cross_device_ops=ops).num_replicas_in_sync
    1
    """

    def __init__(self, num_packs: int = 1) -> None:
        pass


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """In TensorFlow: along the wires of a machine of that time.

    Args:
        num_packs: Not used.

    >>> import tfc as tf
    >>> ops = tf.distribute.HierarchicalCopyAllReduce()
    >>> tf.distribute.MirroredStrategy(["CPU:0"], cross_device_ops=ops).num_replicas_in_sync
    1
    """

    def __init__(self, num_packs: int = 1) -> None:
        pass


class InputReplicationMode(Enum):
    """What a function that makes a dataset makes it for: each process.

    >>> import tfc as tf
    >>> tf.distribute.InputReplicationMode.PER_WORKER.name
    'PER_WORKER'
    """

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


class InputOptions(NamedTuple):
    """How batches come to replicas. Taken, without a meaning here.

    Attributes:
        experimental_fetch_to_device: Not used.
        experimental_replication_mode: Not used.
        experimental_place_dataset_on_device: Not used.
        experimental_per_replica_buffer_size: Not used.

    >>> import tfc as tf
    >>> tf.distribute.InputOptions(experimental_per_replica_buffer_size=2)[-1]
    2
    """

    experimental_fetch_to_device: bool | None = None
    experimental_replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER
    experimental_place_dataset_on_device: bool = False
    experimental_per_replica_buffer_size: int = 1


class RunOptions(NamedTuple):
    """How `strategy.run` runs. Taken, without a meaning here.

    Attributes:
        experimental_enable_dynamic_batch_size: Not used.
        experimental_bucketizing_dynamic_shape: Not used.
        experimental_xla_options: Not used.

    >>> import tfc as tf
    >>> strategy = tf.distribute.get_strategy()
    >>> strategy.run(lambda: 1, options=tf.distribute.RunOptions())
    1
    """

    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: object = None


class CommunicationImplementation(Enum):
    """Which library moves values in TensorFlow.

    >>> import tfc as tf
    >>> tf.distribute.experimental.CommunicationImplementation.RING.name
    'RING'
    """

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions(NamedTuple):
    """How values move between processes. Taken, without a meaning here.

    Attributes:
        bytes_per_pack: Not used.
        timeout_seconds: Not used: see `tf.distribute.init`.
        implementation: Not used.

    >>> import tfc as tf
    >>> options = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=1 << 20)
    >>> tf.distribute.MultiWorkerMirroredStrategy(communication_options=options).extended is None
    False
    """

    bytes_per_pack: int = 0
    timeout_seconds: float | None = None
    implementation: CommunicationImplementation = CommunicationImplementation.AUTO


__all__ = [
    "CommunicationImplementation",
    "CommunicationOptions",
    "CrossDeviceOps",
    "HierarchicalCopyAllReduce",
    "InputOptions",
    "InputReplicationMode",
    "NcclAllReduce",
    "ReductionToOneDevice",
    "RunOptions",
]
