"""What profilers tell of kernels and machines, whatever the machine."""

from __future__ import annotations

from tfc.ir.kernels.plan.costs import Cost
from tfc.ir.value_classes import NamedTuple

CHAINS = 12  # of multiply-adds: enough to cover the latency of an addition on two units


class Limits(NamedTuple):
    """The best of a few measurements on so many threads."""

    threads: int
    operations: float  # a second: float32 multiplications and additions, fused
    copies: tuple[tuple[int, float], ...]  # (bytes of a buffer a thread, bytes moved a second)

    def bandwidth(self, size: int) -> float:
        """Bytes a second, for work that touches `size` bytes."""
        for buffer, rate in self.copies:
            if size <= 2 * buffer * self.threads:
                return rate
        return self.copies[-1][1]

    def seconds(self, size: int, operations: int) -> float:
        """The least time in which a kernel can move so many bytes and do so many operations."""
        return max(size / self.bandwidth(size), operations / self.operations)


class Measured(NamedTuple):
    """What the runs of one kernel took, all together."""

    cost: Cost
    calls: int
    nanoseconds: int
    least: int  # nanoseconds of the fastest run
    bytes: int
    operations: int
