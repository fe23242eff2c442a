"""`tfc.distribute`: training by several processes, which exchange sums by MPI."""

from .cluster import ReduceOp
from .collectives import all_gather, all_reduce, barrier, broadcast, broadcast_variables
from .datasets import DistributedDataset, InputContext
from .gradient_tape import DistributedGradientTape
from .per_replica import PerReplica
from .replicas import ReplicaContext
from .strategies import (
    MirroredStrategy,
    MultiWorkerMirroredStrategy,
    OneDeviceStrategy,
    Strategy,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from .tpu import TPUStrategy
from .world import init, local_rank, rank, size

__all__ = [
    "DistributedDataset",
    "DistributedGradientTape",
    "InputContext",
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "OneDeviceStrategy",
    "PerReplica",
    "ReduceOp",
    "ReplicaContext",
    "Strategy",
    "TPUStrategy",
    "all_gather",
    "all_reduce",
    "barrier",
    "broadcast",
    "broadcast_variables",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
    "init",
    "local_rank",
    "rank",
    "size",
]
