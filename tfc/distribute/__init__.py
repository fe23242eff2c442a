"""`tfc.distribute`: training by several processes, which exchange sums by MPI."""

from ..core.absent import refusal as _refusal
from . import cluster_resolver, experimental
from .cluster import ReduceOp
from .collectives import all_gather, all_reduce, barrier, broadcast, broadcast_variables
from .communication import (
    CrossDeviceOps,
    HierarchicalCopyAllReduce,
    InputOptions,
    InputReplicationMode,
    NcclAllReduce,
    ReductionToOneDevice,
    RunOptions,
)
from .datasets import DistributedDataset, DistributedIterator, InputContext
from .extended import StrategyExtended, ValueContext
from .gradient_tape import DistributedGradientTape
from .per_replica import DistributedValues, PerReplica
from .replicas import ReplicaContext
from .scopes import (
    experimental_set_strategy,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from .strategies import (
    MirroredStrategy,
    MultiWorkerMirroredStrategy,
    OneDeviceStrategy,
    Strategy,
)
from .tpu import TPUStrategy
from .world import init, local_rank, rank, size

__getattr__ = _refusal("tf.distribute")
__all__ = [
    "CrossDeviceOps",
    "DistributedDataset",
    "DistributedGradientTape",
    "DistributedIterator",
    "DistributedValues",
    "HierarchicalCopyAllReduce",
    "InputContext",
    "InputOptions",
    "InputReplicationMode",
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "NcclAllReduce",
    "OneDeviceStrategy",
    "PerReplica",
    "ReduceOp",
    "ReductionToOneDevice",
    "ReplicaContext",
    "RunOptions",
    "Strategy",
    "StrategyExtended",
    "TPUStrategy",
    "ValueContext",
    "all_gather",
    "all_reduce",
    "barrier",
    "broadcast",
    "broadcast_variables",
    "cluster_resolver",
    "experimental",
    "experimental_set_strategy",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
    "init",
    "local_rank",
    "rank",
    "size",
]
