"""A model of a step's time, from what was measured: what it says of jobs of any size.

    step(ranks) = compute(rows / ranks) + exchange(bytes, ranks)

Ranks of one machine exchange sums through memory: a latency, and a time for each byte, fitted to
two ranks. Between machines each rank sends its part of the elements to all others and gets the
reduced parts back: 2 (ranks - 1) messages, and 2 (ranks - 1) / ranks times the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MESSAGE = 5e-6  # seconds, of a network that is assumed
BANDWIDTH = 12.5e9  # bytes a second: 100 Gbit/s
BUCKETS = (0, 1 << 20, 4 << 20)  # bytes that leave together; 0: all
DELAYS = (0.0, 1.25e9, 0.125e9)  # bytes a second that a network is made to move; 0: no network


class Memory(NamedTuple):
    """What an exchange through shared memory takes."""

    latency: float
    per_byte: float

    def exchange(self, size: float) -> float:
        """The seconds of a sum of so many bytes."""
        return self.latency + self.per_byte * size


def fitted(seconds: Mapping[int, float]) -> Memory:
    """Latency from the smallest sum, bandwidth from the largest."""
    small, large = min(seconds), max(seconds)
    per_byte = (seconds[large] - seconds[small]) / (large - small)
    return Memory(max(seconds[small] - per_byte * small, 0.0), per_byte)


def compute(measured: Mapping[int, float], rows: float) -> float:
    """The seconds of a rank's own work on so many rows: between what was measured, a line."""
    known = sorted(measured)
    low = max([r for r in known if r <= rows] or known[:1])
    high = min([r for r in known if r >= rows] or known[-1:])
    if low == high:
        return measured[low]
    share = (rows - low) / (high - low)
    return measured[low] + share * (measured[high] - measured[low])


def here(
    measured: Mapping[int, float], rows: int, ranks: int, memory: Memory, size: float
) -> float:
    """A rank's step on this machine."""
    own = compute(measured, rows / ranks)
    return own + (memory.exchange(size) if ranks > 1 else 0.0)


class Parts(NamedTuple):
    """What a step of a rank on a machine of its own consists of, in seconds."""

    compute: float
    bytes: float
    messages: float

    @property
    def efficiency(self) -> float:
        return self.compute / sum(self)

    @property
    def exchange(self) -> str:
        """What most of the exchange is."""
        return "bytes" if self.bytes > self.messages else "messages"


def across(seconds: float, size: float, ranks: int) -> Parts:
    """A step where each rank computes for so many seconds, and has a machine of its own."""
    moved = 2 * (ranks - 1) / ranks * size / BANDWIDTH
    return Parts(seconds, moved, 2 * (ranks - 1) * MESSAGE)


def in_buckets(seconds: float, size: float, ranks: int, bucket: float, bandwidth: float) -> float:
    """A step's seconds where buckets of gradients leave while the backward pass goes on, which is
    two thirds of what a rank computes: they are computed at even intervals, and exchanged one after
    another."""
    count = max(1, round(size / bucket))
    moved = 2 * (ranks - 1) / ranks * size / count / bandwidth
    each = moved + 2 * (ranks - 1) * MESSAGE
    done = 0.0
    for i in range(count):
        ready = seconds * (1 + 2 * (i + 1) / count) / 3
        done = max(done, ready) + each
    return done


def limit(seconds: float, size: float) -> str:
    """How many ranks may divide a batch, on which one computes for so many seconds, until half of
    a step is exchange; and what that is."""
    ranks = 2
    while (step := across(seconds / ranks, size, ranks)).efficiency > 0.5:
        ranks *= 2
    return f"{ranks:,} ranks: {step.exchange}"
