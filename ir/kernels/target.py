"""What schedules want to know of the machine that they write kernels for."""

from __future__ import annotations

from typing import NamedTuple


class Target(NamedTuple):
    """What schedules want to know of the machine."""

    vector_bytes: int = 64
    registers: int = 32
    cache_bytes: int = 8 << 20  # of larger results no cache keeps what is read next
    grid: bool = False  # a grid of threads, each for one element, takes the place of lanes
    tensor_cores: bool = False  # whether they multiply matrices of float16 and bfloat16
    tf32: bool = False  # and of float32, whose last 13 bits then are rounded away
    warpgroups: bool = False  # whether they read shared memory themselves, for 128 threads
