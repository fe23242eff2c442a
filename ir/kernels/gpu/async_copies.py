"""Copies into shared memory that go on while their thread computes.

A thread's copies belong to groups: `CommitCopies` ends one. `AwaitCopies(n)` waits until all but
the last n groups of this thread have arrived; for those of others a `Barrier` comes after it.
"""

from __future__ import annotations

from ...core import Value
from ...kernel_op import KernelOp, Scope
from ...types import Type


class CopyAsync(KernelOp):
    """Begins to copy `count` neighbours from `offset` of `source` to `to` of `target`, which is
    shared memory; zeros where the mask does not hold. Both places are multiples of `count`, and so
    are the buffers' beginnings; the neighbours have 4, 8 or 16 bytes."""

    target: Value
    to: Value
    source: Value
    offset: Value
    mask: Value | None
    count: int
    reads = (("source", "offset"),)
    writes = (("target", "to"),)
    scope = Scope.TEAM
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.source.dtype is not self.target.dtype:
            raise self.error("the buffers must have the same dtype", "dtype")
        if self.count * self.source.dtype.itemsize not in (4, 8, 16):
            raise self.error("4, 8 or 16 bytes are copied at once", "value")
        return ()


class CommitCopies(KernelOp):
    """Ends a group of copies, which may be empty."""

    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()


class AwaitCopies(KernelOp):
    """Waits until at most `pending` groups of this thread are still on their way."""

    pending: int
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.pending < 0:
            raise self.error("no number of groups is negative", "value")
        return ()
