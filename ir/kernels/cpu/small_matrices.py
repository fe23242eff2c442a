"""Many small matrices: a lane of a vector register for each.

    for tasks of MATRICES_OF_TASK matrices, on any threads:
        for as many of them as a register has lanes, the last ones under a mask:
            gather their elements: into registers, or into a tile of memory where they are many
            compute the result (ir/ops/elimination.py)
            scatter its elements

The code of a matrix is long: it is there once, and not again for what whole registers leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import Value
from ...extent import ceildiv, product
from ...kernel_op import LoopKind
from ...ops.elimination import Tile
from ...ops.small_matrices import COMPUTE, SmallMatrices
from ...value_classes import dataclass
from ..ops import Local
from ..own_loop_nest import ScheduledOp

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder

# Matrices that a thread takes at a time: 2000 inverses of 8 x 8 are 200 microseconds of work.
# Not measured: for threads.
MATRICES_OF_TASK = 256


@dataclass(frozen=True)
class MatrixPerLane(ScheduledOp[SmallMatrices]):
    """Factorisations of small matrices, each in a lane."""

    takes = "factorisations of small matrices"
    begins = (SmallMatrices,)

    def emit(self, lower: GroupBuilder) -> None:
        op, out = self.op, lower.output(self.op.result)
        count = product(op.x.shape[:-2])
        lanes = max(1, lower.target.vector_bytes // COMPUTE.itemsize)
        while isinstance(count, int) and lanes // 2 >= max(1, count):
            lanes //= 2

        def task(number: Value) -> None:
            low = lower.index(number) * MATRICES_OF_TASK
            end = (low + MATRICES_OF_TASK).minimum(lower.index(count)).value

            def tile(lane: Value) -> Tile | None:
                if op.in_registers:
                    return None
                size = op.n * op.columns * lanes
                memory = lower.b.emit(Local(COMPUTE, (size,)))
                return Tile(lower, memory, op.columns, lower.extent(lanes), lane)

            def register(first: Value) -> None:
                def matrix(i: Value) -> None:
                    lane = (lower.index(i) - lower.index(first)).value
                    op.matrix(lower, out, i, tile(lane))

                lower.loop(first, end, matrix, LoopKind.SIMD_MASKED, lanes)

            def alone(i: Value) -> None:
                op.matrix(lower, out, i, tile(lower.extent(0)))

            lower.loop(low.value, end, alone if lanes == 1 else register, step=lanes)

        lower.parallel(ceildiv(count, MATRICES_OF_TASK), lower.cost, task)
