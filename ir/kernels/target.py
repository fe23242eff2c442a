"""What schedules want to know of the machine that they write kernels for.

A threshold that is no fact of the machine stands in the module of the schedule that has it, with
what was measured: how many times as long the row of a benchmark takes with another value, on one
thread, the least of interleaved rounds. Where nothing else is said it was an AMD EPYC (Zen 4),
whose registers of 64 bytes are computed in two steps.
"""

from __future__ import annotations

from ..extent import Extent, largest
from ..value_classes import NamedTuple


class Target(NamedTuple):
    """A processor. Sizes are bytes, times nanoseconds.

    Nothing here may change the order of a sum: blocks, lanes and chunks stand on the ops.
    """

    vector_bytes: int = 64
    registers: int = 32
    line: int = 64  # of a cache
    l1: int = 32 << 10
    l1_sets: int = 64  # of L1: lines whose numbers are equal modulo this want one place
    l2: int = 1 << 20  # a core's own cache; what a kernel keeps in it takes half
    # What all cores share. Larger results are written past the caches, which a transpose of
    # 4096 x 4096 does in 1.1 times a copy of as many bytes, and in 1.5 times else.
    l3: int = 8 << 20
    # Work below which a loop has no parts for other threads. To hand parts to one that is awake
    # takes a quarter of a microsecond; whether one is, or is worth waking, which takes 10 to 40, is
    # seen when the loop runs (runtime/thread_pool.c). From 4 microseconds on instead of 20, the
    # functions of parts are 1 to 2% more text in Keras' training steps.
    parallel_worth: int = 4_000
    # Tasks that shall be there for threads, where they can be made smaller: two for each of four
    # threads, so that one that is late holds up few. Not measured: tables have two threads.
    tasks: int = 8
    # Products of small integers that one instruction adds to an int32: 4 of bytes, or 2 of int16.
    products: int = 1
    # Whether an instruction adds two products of bfloat16 to a float32, one after the other.
    bfloat16_pairs: bool = False
    grid: bool = False  # a grid of threads, each for one element, takes the place of lanes
    tensor_cores: bool = False  # whether they multiply matrices of float16 and bfloat16
    tf32: bool = False  # and of float32, whose last 13 bits then are rounded away
    warpgroups: bool = False  # whether they read shared memory themselves, for 128 threads
    brief: bool = False  # whether kernels shall be short: quick to compile, for little data
    threads: bool = True  # whether loops may have parts for other threads

    def is_worth(self, work: Extent) -> bool:
        """Whether a loop may be worth other threads, that is so much work."""
        if not self.threads:
            return False
        most = largest(work)
        return self.grid or not isinstance(most, int) or most >= self.parallel_worth
