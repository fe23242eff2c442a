"""`tfc.distribute`: training by several processes, which exchange sums by MPI."""

from .collectives import all_gather, all_reduce, barrier, broadcast, broadcast_variables
from .gradient_tape import DistributedGradientTape
from .world import init, local_rank, rank, size

__all__ = [
    "DistributedGradientTape",
    "all_gather",
    "all_reduce",
    "barrier",
    "broadcast",
    "broadcast_variables",
    "init",
    "local_rank",
    "rank",
    "size",
]
