"""What schedules want to know of the machine that they write kernels for."""

from __future__ import annotations

from typing import NamedTuple


class Target(NamedTuple):
    """A processor. Sizes are bytes, times nanoseconds.

    Nothing here may change the order of a sum: blocks, lanes and chunks stand on the ops.
    """

    vector_bytes: int = 64
    registers: int = 32
    line: int = 64  # of a cache
    l2: int = 1 << 20  # a core's own cache; what a kernel keeps in it takes half
    # What all cores share. Larger results are written past the caches, which a transpose of
    # 4096 x 4096 does in 1.1 times a copy of as many bytes, and in 1.5 times else.
    l3: int = 8 << 20
    # Work below which other threads are not woken: one that sleeps needs 10 to 40 microseconds.
    parallel_worth: int = 20_000
    grid: bool = False  # a grid of threads, each for one element, takes the place of lanes
    tensor_cores: bool = False  # whether they multiply matrices of float16 and bfloat16
    tf32: bool = False  # and of float32, whose last 13 bits then are rounded away
    warpgroups: bool = False  # whether they read shared memory themselves, for 128 threads
