"""Products of whole tiles in shared memory, by warpgroups of 128 threads.

Of an operand there are the lines of one step, WGMMA_STEP_K elements of k: a line has the elements
of one place along the side where these lie side by side along k, else those of one k.
PANEL_ELEMENTS elements, 128 bytes, of all lines follow each other, then the next PANEL_ELEMENTS of
all. Groups of eight elements are swizzled in each line: group g of line l lies where group g xor (l
mod 8) would, so that no two of neighbouring lines are in the same banks. All begins at multiples of
1024 bytes. (NVIDIA's PTX manual, "Shared memory matrix layout", with a swizzle of 128 bytes.)
"""

from __future__ import annotations

from ...core import Value
from ...dtypes import float32
from ...kernel_op import KernelOp, Scope
from ...types import Type, scalar_type

# Elements of a line in a panel, 128 bytes, as the swizzle wants; a step of k has as many.
PANEL_ELEMENTS = WGMMA_STEP_K = 64
# Rows of the product that a warpgroup makes with one instruction.
WGMMA_ROWS = 64
# Elements that stay together where lines are swizzled, 16 bytes.
SWIZZLED_ELEMENTS = 8


class FenceTiles(KernelOp):
    """What this thread stored or copied into shared memory is there for the `MultiplyTiles` of all
    threads, behind a barrier."""

    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()


class MultiplyTiles(KernelOp):
    """sums + left @ right: WGMMA_ROWS rows, from `left_at` of `left`, and two columns for each of
    the sums, from `right_at` of `right`. An operand is `transposed` where its lines are those of a
    k. Which sums a thread has is told in the manual under "wgmma.mma_async.m64nNk16", accumulator
    D."""

    left: Value
    left_at: Value
    right: Value
    right_at: Value
    sums: tuple[Value, ...]
    kind: str
    left_transposed: bool
    right_transposed: bool
    reads = (("left", "left_at"), ("right", "right_at"))
    scope = Scope.TEAM
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.kind not in ("f16", "bf16"):
            raise self.error(f"no such kind: {self.kind!r}", "value")
        if self.left.dtype.itemsize != 2 or self.left.dtype is not self.right.dtype:
            raise self.error("the elements must have 16 bits", "dtype")
        if len(self.sums) % 4 or not 4 <= len(self.sums) <= 128:
            raise self.error("columns are multiples of 8, at most 256", "value")
        return (scalar_type(float32),) * len(self.sums)
