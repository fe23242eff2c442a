"""How the steps of a contraction come into shared memory (see ir/kernels/gpu/simt/gemm.py).

`Copied`: what lies in memory is copied as it is while sums are made, COPY_STAGES steps in turn:

    begin to copy the first COPY_STAGES - 1 steps
    for each step:
        wait for its copies, and for all threads: the step before is done with
        begin to copy the step COPY_STAGES - 1 further on, to where the step before was
        sums += left * right

`Fetched`: what cannot be copied (small elements that do not lie side by side), or is not worth it,
goes through registers, one step ahead:

    for each step:
        load what the next step needs
        sums += left * right
        store what was loaded; wait for all threads
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...core import Value
from ..ops import Barrier
from .async_copies import AwaitCopies, CommitCopies

if TYPE_CHECKING:
    from .simt.shared_operands import Loading

# Steps of k in shared memory at once, of which all but one are on their way. Not measured: no GPU
# was at hand when it was set.
COPY_STAGES = 4
# Shared memory of a block: more blocks have room on each processor, and it need not be asked for.
# Not measured: no GPU was at hand when it was set.
BLOCK_SHARED_BYTES = 48 << 10

Multiply = Callable[[Value], Sequence[Value]]  # the sums, from the stage of this number


class Fetched:
    """Two stages, filled through registers."""

    count = 2

    def __init__(self, tiling: Loading) -> None:
        self.t = tiling

    def begin(self) -> None:
        t = self.t
        zero = t.lower.extent(0)
        t.stage(t.fetch(zero), zero)
        t.lower.b.emit_all(Barrier())

    def step(self, k: Value, multiply: Multiply) -> Sequence[Value]:
        t = self.t
        half = (t.index(k) // t.depth % 2).value
        ahead = t.fetch((t.index(k) + t.depth).value)
        sums = multiply(half)
        t.stage(ahead, (t.index(1) - half).value)
        t.lower.b.emit_all(Barrier())
        return sums

    def end(self) -> None:
        """All threads have waited for each other."""


class Copied:
    """More stages, filled by asynchronous copies."""

    count = COPY_STAGES

    def __init__(self, tiling: Loading) -> None:
        self.t = tiling

    def begin(self) -> None:
        for number in range(self.count - 1):
            self.copy(self.t.extent(number * self.t.depth), self.t.extent(number))

    def step(self, k: Value, multiply: Multiply) -> Sequence[Value]:
        t = self.t
        number = (t.index(k) // t.depth % self.count).value
        self.wait(self.count - 2)
        last = ((t.index(number) + (self.count - 1)) % self.count).value
        self.copy((t.index(k) + ((self.count - 1) * t.depth)).value, last)
        return multiply(number)

    def end(self) -> None:
        """The memory is free for the next tile."""
        self.wait(0)

    def copy(self, k: Value, number: Value) -> None:
        self.t.copy(k, number)
        self.t.lower.b.emit_all(CommitCopies())

    def wait(self, pending: int) -> None:
        self.t.lower.b.emit_all(AwaitCopies(pending))
        self.t.arrived()
        self.t.lower.b.emit_all(Barrier())
