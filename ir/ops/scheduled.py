"""Ops with a kernel of their own: what is no pull (scatters, scans, sorts)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import Op, Value
from ..extent import Extent, product
from ..types import TensorType

if TYPE_CHECKING:
    from ..element_builder import ScheduleBuilder


class Scheduled(Op, abstract=True):
    """The base. The operands are in memory (or are elementwise on what is), and nothing else is
    computed in the same loops.

    `store` writes the kernel: `lower.nest` and `lower.loop` open loops, `lower.element(operand,
    index)` reads, `lower.store(buffer, offset, value)` writes, `Load(buffer, offset, mask)` reads
    back what was written.
    """

    def operations(self) -> Extent:
        return product(self.operands[-1].shape)

    def scratch(self) -> tuple[TensorType, ...]:
        """Buffers that `store` wants beside those of the results, for the call only."""
        return ()

    def updated(self) -> Value | None:
        """The operand that the result starts as, so that `store` writes what differs alone. That
        reads it back from the result's buffer."""
        return None

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        """Write the kernel that fills `buffers`: the results', then those of `scratch`."""
        raise NotImplementedError(f"{self.mnemonic}: store")
